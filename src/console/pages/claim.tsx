// The page that an invite link leads to. It is public and the same for every name; browser/claim.js sends the token.
import { docsPath, sandboxBase } from '../../contract/addresses.ts';
import { mark } from '../../http/markup.ts';
import type { AppContext } from '../../http/request-context.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { assetAt, pageAt } from '../page-addresses.ts';
import { CopyButton } from '../parts/action.tsx';
import { Fact } from '../parts/layout.tsx';
import { documentPage, requireSandboxName } from '../shell.tsx';

const scripts = (
  <>
    <script src={assetAt('claim.js')} type="module" />
    <script src={assetAt('copy.js')} type="module" />
  </>
);

/** @throws ControlRefusal 404 for an invalid name */
export function claimPage(context: AppContext): ServiceResponse {
  const sandbox = context.req.param('sandbox') ?? '';
  requireSandboxName(sandbox);
  const body = (
    <main id="content" class="narrow" data-sandbox={sandbox}>
      <p class="brand">{mark} Sachet</p>
      <div class="card">
        <h1>You are invited to a sandbox</h1>
        <p>
          <b>{sandbox}</b> is a copy of the Order and Fulfillment Service with sample data, for you alone. Send it
          orders, move its clock, make it fail: nothing is produced or shipped, and you can reset it at any time. You
          cannot reach other sandboxes of this server.
        </p>
        <section id="invite">
          <p>The link works once. The first person to open the sandbox gets its login and its key.</p>
          <button type="button" id="claim">
            Open my sandbox
          </button>
          <p id="claim-problem" role="alert" />
          <p id="claim-over" hidden>
            Claimed it yourself? <a href={pageAt(sandbox, 'start')}>Open the console with your key</a>
          </p>
          <noscript>This page needs JavaScript.</noscript>
        </section>
        <section id="claimed" hidden>
          <h2>Save these now: they are not shown again</h2>
          <dl class="facts">
            <Claimed name="Base URL" id="claimed-base" />
            <Claimed name="Username" id="claimed-username" />
            <Claimed name="Password" id="claimed-password" />
            <Claimed name="Key" id="claimed-key" />
          </dl>
          <p>
            Your client needs the base URL and the login. The key opens the console and the control API of this sandbox
            only. The <a href={`..${sandboxBase(sandbox)}${docsPath}`}>API reference</a> has every call.
          </p>
          <button type="button" id="claimed-open">
            Open the console
          </button>
        </section>
      </div>
    </main>
  );
  return documentPage(200, context, `Invitation to ${sandbox}`, body, scripts);
}

const Claimed = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <Fact name={name}>
    <code id={id} /> <CopyButton of={id} label={`Copy the ${name === 'Base URL' ? name : name.toLowerCase()}`} />
  </Fact>
);
