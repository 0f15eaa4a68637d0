// Start here: the sandbox's addresses, its logins, a sample order, and first calls to copy.
import { docsPath, openApiPath, sandboxBase, stage } from '../../contract/addresses.ts';
import { permissions } from '../../contract/operation.ts';
import { isAdmin } from '../../http/guards.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import {
  type FirstCalls,
  type Login,
  loginsOf,
  orderFor,
  type ReadyUser,
  readyUser,
} from '../../sandbox/sample-calls.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { newOrderAt } from '../page-addresses.ts';
import { Action, Copy, CopyButton } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { Fact, firstOf, Head, PageLink, Table, useSandbox } from '../parts/layout.tsx';
import { NewSandbox } from '../parts/new-sandbox.tsx';
import { SeedDemo } from '../parts/seed-demo.tsx';
import { Badge, RequestLink } from '../parts/status.tsx';
import { Ago } from '../parts/time.tsx';
import { firstCallsFor, firstCallsInCurl, firstCallsInPython, firstCallsInTypeScript } from './code-samples.ts';

export async function startPage(request: ConsoleRequest) {
  const { deps, sandbox, read } = request;
  const ordering = await read(readyUser);
  return (
    <section>
      <Head
        title="Start here"
        description={
          <>
            A sandbox of the Order and Fulfillment Service. Point your client at the base URL; each request appears
            below and, with the reason for its response, in <PageLink to="requests">Live requests</PageLink>.
          </>
        }
      >
        {isAdmin(deps, request.request) && <NewSandbox scenarios={deps.scenarios.keys()} />}
        <Action
          operation="sandboxes.reset"
          label="Reset this sandbox"
          done={`Reset: ${sandbox.name} is in its initial state`}
          confirm={`Reset ${sandbox.name}? Deletes added data, also demo data. Restores its clock, switches and assumptions.`}
          quiet
        />
      </Head>
      <Addresses request={request} />
      <h2>Latest requests</h2>
      <LatestRequests sandbox={sandbox} />
      <h2>Send a sample order</h2>
      <SampleOrder ordering={ordering} times={sandbox.state.value('administration_times').values} />
      <h2>Add demo data</h2>
      <p>
        Adds a brand with a login and 200 orders over 90 days, in every status, with split, delayed and returned
        packages.
      </p>
      <SeedDemo />
      <h2>Logins</h2>
      <Logins sandbox={sandbox} />
      <FirstCallPrograms calls={await read((state) => firstCallsFor(request, state))} />
    </section>
  );
}

function Addresses({ request: { sandbox, origin, deps } }: { readonly request: ConsoleRequest }) {
  const { name } = sandbox;
  return (
    <dl class="facts">
      <Fact name="Base URL">
        <code id="base-url">{origin + sandboxBase(name)}</code> <CopyButton of="base-url" label="Copy the base URL" />
      </Fact>
      {name === stage && (
        <Fact name="Short URL">
          <code id="plain-url">{origin}</code> <CopyButton of="plain-url" label="Copy the short URL" />{' '}
          {deps.loginSandboxes && (
            <small>
              At this URL, a login as <code>USERNAME+w7</code> creates the sandbox <code>w7</code> and uses it.
            </small>
          )}
        </Fact>
      )}
      <Fact name="Environment">
        <code>{sandbox.identity.environment}</code>
      </Fact>
      <dt>Reference</dt>
      <dd class="row">
        <a href={`..${sandboxBase(name)}${docsPath}`}>API reference</a>
        <a href={`..${sandboxBase(name)}${openApiPath}`}>OpenAPI document</a>
        <a href={`..${sandboxBase(name)}${docsPath}?document=control`}>Control API</a>
      </dd>
    </dl>
  );
}

const maxRequests = 5;

/** The newest requests, so that a new client sees its first one arrive. */
function LatestRequests({ sandbox: { journal } }: { readonly sandbox: HostedSandbox }) {
  const entries = firstOf(journal.newestFirst(), maxRequests);
  if (entries.length === 0) return <p class="muted">Waiting for the first request. It appears here at once.</p>;
  return (
    <>
      <ul class="rows">
        {entries.map((entry) => (
          <li>
            <div class="head">
              <RequestLink entry={entry} />
              <small>
                <Ago at={new Date(entry.receivedAt).toISOString()} />
              </small>
            </div>
          </li>
        ))}
      </ul>
      <p>
        <PageLink to="requests">All requests</PageLink>
      </p>
    </>
  );
}

/** The most logins in the list. */
const maxLogins = 20;

function Logins({ sandbox: { state } }: { readonly sandbox: HostedSandbox }) {
  const hasAllPermissions = state.value('readings').permissions === 'all';
  const { size } = state.table('users');
  const logins = firstOf(loginsOf(state), maxLogins);
  if (logins.length === 0) return <Empty title="This sandbox has no users. Add demo data to get a login." />;
  return (
    <>
      <Table caption="Logins" titles={['Username', 'Password', 'Brand', 'Permissions']} isFocusable>
        {logins.map(({ user, mayLogIn }, index) => (
          <tr>
            <th scope="row">
              <code>{user.username}</code>
            </th>
            <td class="nowrap">
              <code id={`password-${index}`}>{user.password}</code>{' '}
              <CopyButton of={`password-${index}`} label={`Copy the password of ${user.username}`} />
            </td>
            <td>{state.table('brands').get(user.brand_id)?.name ?? <span class="muted">no brand</span>}</td>
            <td>
              {mayLogIn ? (
                describePermissions(user, hasAllPermissions)
              ) : (
                <Badge sign="▲" tone="muted" text={whyNoLogin(user)} />
              )}
            </td>
          </tr>
        ))}
      </Table>
      {size > maxLogins && <p class="muted">… and {size - maxLogins} more.</p>}
    </>
  );
}

function describePermissions(user: Login['user'], hasAllPermissions: boolean) {
  const missing = hasAllPermissions ? [] : permissions.filter((permission) => !user.permissions.includes(permission));
  if (missing.length === 0) return 'All';
  if (missing.length === permissions.length) return 'None: every call gets 403';
  return <>All but {missing.map((permission, index) => [index > 0 && ', ', <code>{permission}</code>])}</>;
}

const whyNoLogin = ({ active }: Login['user']): string =>
  `Cannot log in: the ${active ? 'account' : 'user'} is not active`;

const programs = [
  ['curl', 'Paste it into a shell', firstCallsInCurl],
  ['TypeScript', 'first-calls.mjs or first-calls.ts', firstCallsInTypeScript],
  ['Python', 'first_calls.py (standard library only)', firstCallsInPython],
] as const;

function FirstCallPrograms({ calls }: { readonly calls: FirstCalls | undefined }) {
  if (!calls) return null;
  return (
    <>
      <h2>First calls</h2>
      <p class="muted">Log in, create an order, list fulfillments. Each program is complete: paste it and run it.</p>
      {programs.map(([title, how, program], index) => {
        const id = `calls-${title.toLowerCase()}`;
        // Browsers open one of several details with the same name.
        return (
          <details name="first-calls" id={`${id}-details`} open={index === 0}>
            <summary>{title}</summary>
            <Copy id={id} title={how} text={program(calls)} />
          </details>
        );
      })}
    </>
  );
}

const whyNoOrder = (ordering: ReadyUser | undefined): string =>
  ordering
    ? `The brand of ${ordering.user.username} has no product to order: all are inactive or discontinued.`
    : 'This sandbox has no active user who can log in.';

interface SampleOrderProps {
  /** Undefined if no user can log in. */
  readonly ordering: ReadyUser | undefined;
  /** Times of administration. */
  readonly times: readonly string[];
}

function SampleOrder({ ordering, times }: SampleOrderProps) {
  if (!ordering?.product)
    return (
      <Empty title={whyNoOrder(ordering)}>
        {ordering ? (
          <>
            Activate a product in <PageLink to="catalog">Catalog and packaging</PageLink>, or reset the sandbox.
          </>
        ) : (
          'Add demo data below, or reset the sandbox.'
        )}
      </Empty>
    );
  return (
    <>
      <p>
        Logs in as <code>{ordering.user.username}</code> and orders {ordering.product.product_name} for a new consumer:
        one pouch a day for 30 days. Both calls appear in Live requests. Conduct ignores them.
      </p>
      <form hx-post={newOrderAt(useSandbox())} hx-target="#sample-answer" hx-sync="drop">
        <input type="hidden" name="user" value={ordering.user.id} />
        <input type="hidden" name="json" value={JSON.stringify(orderFor(ordering.product.id, times))} />
        <button type="submit">Send a sample order</button>
      </form>
      {/* The outcome stays when the page is fetched again. */}
      <div id="sample-answer" role="status" hx-morph-skip-children="true" />
    </>
  );
}
