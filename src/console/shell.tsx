// The document around every page: public, without data. The browser fetches the content into it with the key that the
// tab holds.
import { docsPath, sandboxBase, sandboxName, stage } from '../contract/addresses.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import { nonDefaultChoices } from '../contract/resolved-assumptions.ts';
import { isAdmin } from '../http/guards.ts';
import { htmlPage, type Markup, mark } from '../http/markup.ts';
import type { AppContext } from '../http/request-context.ts';
import type { ServiceResponse } from '../http/response.ts';
import { urlParts } from '../http/urls.ts';
import { type Counts, isSpent } from '../sandbox/overrides.ts';
import type { ConsoleRequest } from './console-request.ts';
import {
  assetAt,
  contentAt,
  liveAt,
  type PageId,
  type PagePath,
  pageAt,
  pageIds,
  pages,
  parsePagePath,
  topAt,
} from './page-addresses.ts';
import { Dialog } from './parts/dialog.tsx';
import { labelOf } from './parts/labels.tsx';
import { fragment, InSandbox, PageLink, useSandbox } from './parts/layout.tsx';
import { ClockNow } from './parts/time.tsx';

const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];

const htmxSettings = {
  history: false,
  // Its inline style would break the content security policy.
  includeIndicatorCSS: false,
  // A latency switch may delay a response for long.
  defaultTimeout: 0,
  // What the reader has opened stays open when the content is fetched again.
  morphIgnore: ['data-htmx-powered', 'open'],
};

/** key.js comes first and htmx last, so that our listeners exist when htmx starts. */
const scripts = (
  <>
    <meta name="htmx-config" content={JSON.stringify(htmxSettings)} />
    <script src={assetAt('key.js')} type="module" />
    <script src={assetAt('live.js')} type="module" />
    <script src={assetAt('page.js')} type="module" />
    <script src={assetAt('shortcuts.js')} type="module" />
    <script src={assetAt('copy.js')} type="module" />
    <script src={assetAt('htmx.js')} defer />
  </>
);

/** A page of the console, below its `<base>`. */
export function documentPage(
  status: number,
  { req }: AppContext,
  title: string,
  body: Markup,
  moreHead = <></>,
): ServiceResponse {
  // `/_console/` is two segments; each one behind these is a level below the `<base>`.
  const depth = urlParts(req.url).path.split('/').length - 3;
  const head = (
    <>
      <base href={depth > 0 ? '../'.repeat(depth) : './'} />
      <meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href={assetAt('console.css')} />
      {moreHead}
    </>
  );
  return htmlPage({ status, title: `${title} – Sachet`, policy, hasBase: true, head, body });
}

/** An error page without scripts. */
export function refusedPage({ status, message }: ControlRefusal, context: AppContext): ServiceResponse {
  const asked = context.req.param('sandbox') ?? stage;
  const sandbox = sandboxName.test(asked) ? asked : stage;
  const body = (
    <main id="content">
      <h1>Page not found</h1>
      <p>
        {message}. <a href={pageAt(sandbox, 'start')}>Open the sandbox {sandbox}</a>
      </p>
    </main>
  );
  return documentPage(status, context, 'Page not found', body);
}

/** @throws ControlRefusal 404 */
export function requireSandboxName(sandbox: string): void {
  if (!sandboxName.test(sandbox)) throw new ControlRefusal(404, `“${sandbox}” is not a valid sandbox name`);
}

/** The shell of a page, the same whether the sandbox exists or not. */
export function shell(context: AppContext): ServiceResponse {
  const { sandbox = '', page: pagePath = '' } = context.req.param() as Record<string, string>;
  requireSandboxName(sandbox);
  const page = parsePagePath(pagePath);
  if (!page) throw new ControlRefusal(404, `The console has no page “${pagePath}”`);
  const body = (
    <InSandbox name={sandbox}>
      <Body sandbox={sandbox} page={page} search={urlParts(context.req.url).search} />
    </InSandbox>
  );
  return documentPage(200, context, `${pages[page.id].title} – ${sandbox}`, body, scripts);
}

type BodyProps = { readonly sandbox: string; readonly page: PagePath; readonly search: string };

const Body = ({ sandbox, page, search }: BodyProps) => (
  <>
    <button type="button" class="skip" data-skip>
      Skip to the content
    </button>
    <header id="bar">
      <button type="button" class="plain menu" popovertarget="pages" aria-label="Menu">
        <span aria-hidden="true">☰</span>
      </button>
      <PageLink to="start" class="brand">
        {mark} Sachet
      </PageLink>
      <div id="top" hx-get={topAt(sandbox)} hx-trigger="state from:body throttle:1s" hx-swap="innerMorph" />
    </header>
    <Navigation current={page.id} />
    <Content sandbox={sandbox} page={page} search={search} />
    <div id="notices" class="notices" popover="manual">
      <article id="away" hidden>
        <p role="alert">The server does not answer. Is it still running? This page reconnects by itself.</p>
      </article>
      <div id="notice" role="status" aria-live="polite" />
    </div>
    <dialog id="key" aria-labelledby="key-title">
      <form method="dialog" id="key-form">
        <h2 id="key-title">Enter your admin key</h2>
        <p id="key-words">
          Use the key of the control API: the admin key that the server printed or was started with, or the own key of{' '}
          {sandbox}. It is stored in this tab only.
        </p>
        <label>
          Key
          <input id="key-input" type="password" autocomplete="off" required />
        </label>
        <button type="submit">Open the console</button>
      </form>
    </dialog>
    <Dialog id="request-dialog" title="One request" isWide>
      <div id="request-dialog-content" />
    </Dialog>
  </>
);

const groups = [...new Set(pageIds.map((id) => pages[id].group))];

/** A column at the left, or on a phone a drawer that the menu button opens; the browser handles Escape and the focus. */
const Navigation = ({ current }: { readonly current: PageId }) => (
  <nav id="pages" aria-label="Pages" popover="auto">
    <button type="button" class="plain menu" popovertarget="pages" aria-label="Close the menu">
      <span aria-hidden="true">✕</span>
    </button>
    {groups.map((group) => (
      <div>
        {group && <h2>{group}</h2>}
        <ul>
          {pageIds
            .filter((id) => pages[id].group === group)
            .map((id) => (
              <li>
                <PageLink to={id} aria-current={id === current ? 'page' : undefined}>
                  {pages[id].title}
                </PageLink>
              </li>
            ))}
        </ul>
      </div>
    ))}
    <div>
      <h2>Reference</h2>
      <a href={`..${sandboxBase(useSandbox())}${docsPath}`}>API reference</a>
    </div>
  </nav>
);

/** browser/live.js triggers the first fetch (`look`), and one after each event in `data-refresh-on` (`changed`). */
const Content = ({ sandbox, page: { id, item }, search }: BodyProps) => (
  <main
    id="content"
    tabindex={-1}
    aria-busy="true"
    data-sandbox={sandbox}
    data-live={liveAt(sandbox)}
    data-refresh-on={pages[id].refreshOn.join(' ')}
    hx-get={contentAt(sandbox, id, item) + search}
    hx-trigger="look from:body, changed from:body throttle:200ms"
    hx-swap="innerMorph"
    hx-sync="queue last"
    hx-include="#filter"
  >
    <h1>{pages[id].title}</h1>
    <noscript>The console needs JavaScript.</noscript>
  </main>
);

/** The head of every page: the sandbox, its time, and its overrides. */
export async function top(request: ConsoleRequest): Promise<ServiceResponse> {
  const { sandbox, control } = request;
  const clock = await control('clock.get');
  const overrides = await activeOverrides(request, Date.parse(clock.now));
  const [first] = overrides;
  // A sandbox's own key must not reveal other sandboxes.
  const isHost = isAdmin(request.deps, request.request);
  const names = isHost ? await sandboxNames(request) : [sandbox.name];
  return fragment(
    sandbox.name,
    <>
      <label>
        <span class="unseen">Sandbox</span>
        <select id="sandbox" data-switch>
          {names.map((name) => (
            <option value={name} selected={name === sandbox.name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isHost && (
        <PageLink class="chip" to="sandboxes" aria-label="Sandboxes" title="All sandboxes, and new ones">
          +
        </PageLink>
      )}
      <div class="chips">
        <PageLink class="chip" to="clock" id="top-clock">
          <ClockNow clock={clock} /> <small>{clock.frozen ? 'frozen' : 'running'}</small>
        </PageLink>
        <PageLink
          class={first ? 'chip warning' : 'chip'}
          to="switches"
          id="top-overrides"
          title={overrides.map(({ label, id }) => `${label} (${id})`).join(', ')}
        >
          {overrides.length > 1 && `${overrides.length} overrides active`}
          {overrides.length === 1 && first && [first.label, ' ', <small>{first.id}</small>]}
          {overrides.length === 0 && 'No overrides'}
        </PageLink>
      </div>
    </>,
  );
}

/** The list has only the sandboxes used last. */
const maxListed = 200;

async function sandboxNames({ deps, sandbox }: ConsoleRequest): Promise<string[]> {
  const all = (await deps.sandboxes.list()).toSorted((one, other) => other.usedAt - one.usedAt).slice(0, maxListed);
  return [...new Set([sandbox.name, ...all.map(({ name }) => name)])].sort();
}

interface ActiveOverride {
  readonly label: string;
  readonly id: string;
}

/** Everything that differs from the plain service. A scenario counts as one, with all that it sets. */
async function activeOverrides({ control }: ConsoleRequest, now: number): Promise<ActiveOverride[]> {
  const isOn = (override: (Counts & { readonly scenario?: string | undefined }) | null): boolean =>
    override !== null && override.scenario === undefined && !isSpent(override, now);
  const switches = Object.entries(await control('switches.get')).filter(([, override]) => isOn(override));
  const faults = (await control('faults.list')).faults.filter(isOn);
  const { scenarios } = await control('scenarios.list');
  const choices = Object.entries(nonDefaultChoices(await control('assumptions.get')));
  return [
    ...switches.map(([id]) => ({ label: labelOf(id), id })),
    ...faults.map(({ id }) => ({ label: 'Fault', id })),
    ...scenarios
      .filter(({ applied_at }) => applied_at !== null)
      .map(({ name }) => ({ label: `Scenario: ${labelOf(name)}`, id: name })),
    ...choices.map(([id, choice]) => ({ label: `${labelOf(id)}: ${choice}`, id })),
  ];
}
