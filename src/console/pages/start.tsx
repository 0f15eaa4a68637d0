// Start here: where the sandbox is, who logs in to it, and the first calls, to be pasted or sent at once.
import { docsPath, openApiPath, sandboxBase, stage } from '../../contract/addresses.ts';
import { permissions } from '../../contract/operation.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { type Login, loginsOf, type Ordering, orderFor, orderingIn } from '../../sandbox/sample-calls.ts';
import { sampleOrderAt } from '../pages.ts';
import { Action, Copy, CopyButton } from '../parts/action.tsx';
import { Empty, Fact, Head, PageLink, Table, useSandbox } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import type { Visit } from '../visit.ts';
import { inCurl, inPython, inTypeScript } from './first-calls.ts';
import { whyNoOrder } from './sample-order.tsx';

/** Logins on the page at most. */
const maxShown = 20;

/** Who logs in to the sandbox: those who may, then those who may not, each with what they may. */
function Logins({ sandbox: { state } }: { readonly sandbox: HostedSandbox }) {
  const isPlain = state.value('choices').permissions === 'all';
  const { size } = state.table('users');
  const shown: Login[] = [];
  for (const login of loginsOf(state)) if (shown.push(login) === maxShown) break;
  if (shown.length === 0) return <Empty title="This sandbox has no users, so nobody can log in." />;
  return (
    <>
      <Table class="logins" caption="Logins" titles={['Username', 'Password', 'Brand', 'May']} isScrolled>
        {shown.map((login, index) => (
          <LoginRow
            login={login}
            brand={state.table('brands').get(login.user.brand_id)?.name}
            isPlain={isPlain}
            index={index}
          />
        ))}
      </Table>
      {size > maxShown && <p class="muted">… and {size - maxShown} more.</p>}
    </>
  );
}

interface RowProps {
  readonly login: Login;
  readonly brand: string | undefined;
  /** Whether every user may do everything. */
  readonly isPlain: boolean;
  readonly index: number;
}

const LoginRow = ({ login, brand, isPlain, index }: RowProps) => (
  <tr>
    <th scope="row">
      <code>{login.user.username}</code>
    </th>
    <td class="password">
      <code id={`password-${index}`}>{login.user.password}</code>{' '}
      <CopyButton of={`password-${index}`} label={`Copy the password of ${login.user.username}`} quiet />
    </td>
    <td>{brand ?? <span class="muted">no brand</span>}</td>
    <td>{login.mayLogIn ? mayDo(login, isPlain) : <Refused login={login} />}</td>
  </tr>
);

function mayDo({ user }: Login, isPlain: boolean) {
  const lacking = isPlain ? [] : permissions.filter((permission) => !user.permissions.includes(permission));
  if (lacking.length === 0) return 'do everything';
  if (lacking.length === permissions.length) return 'do nothing: each call is a 403';
  return <>do all that needs no {lacking.map((permission, index) => [index > 0 && ', ', <code>{permission}</code>])}</>;
}

const Refused = ({ login: { user } }: { readonly login: Login }) => (
  <Badge sign="▲" class="muted">
    {user.active ? 'not log in: the account is not active' : 'not log in: the user is not active'}
  </Badge>
);

interface OrderingProps {
  readonly visit: Visit;
  /** undefined where nobody may log in. */
  readonly ordering: Ordering | undefined;
}

/** The first calls as programs to copy, one language each. */
function FirstCalls({ visit: { sandbox, call }, ordering }: OrderingProps) {
  if (!ordering?.product) return null;
  const { username, password } = ordering.user;
  const order = orderFor(ordering.product.id, sandbox.state.value('administration_times').values);
  const calls = { baseUrl: call.origin + sandboxBase(sandbox.name), login: { username, password }, order };
  return (
    <>
      <h2>First calls</h2>
      <p class="muted">Log in, create an order, list fulfillments. Each is whole: paste it and it runs.</p>
      {programs.map(([title, how, text], index) => {
        const id = `calls-${title.toLowerCase()}`;
        // Of those of one name a browser opens one at a time.
        return (
          <details name="first-calls" class="program" id={`${id}-details`} open={index === 0}>
            <summary>{title}</summary>
            <Copy id={id} title={how} text={text(calls)} />
          </details>
        );
      })}
    </>
  );
}

const programs = [
  ['curl', 'Paste it into a shell', inCurl],
  ['TypeScript', 'first-calls.mjs, or .ts: its types are all inferred', inTypeScript],
  ['Python', 'first_calls.py, with the standard library alone', inPython],
] as const;

/** Where the sandbox is: its base URL, its environment, and its reference. */
function Where({ visit: { sandbox, call, deps } }: { readonly visit: Visit }) {
  const { name } = sandbox;
  const { environment } = sandbox.identity;
  return (
    <dl class="facts">
      <Fact name="Base URL">
        <Text id="base-url" text={call.origin + sandboxBase(name)} about="the base URL" />
      </Fact>
      {name === stage && (
        <Fact name="or plainly">
          <Text id="plain-url" text={call.origin} about="the plain base URL" />
          {deps.loginSandboxes && (
            <small class="aside">
              Here a login as <code>USERNAME+w7</code> makes a sandbox <code>w7</code> and enters it.
            </small>
          )}
        </Fact>
      )}
      <Fact name="Environment">
        <code>{environment}</code>
      </Fact>
      <dt>Reference</dt>
      <dd class="links">
        <a href={`..${sandboxBase(name)}${docsPath}`}>API reference</a>
        <a href={`..${sandboxBase(name)}${openApiPath}`}>OpenAPI document</a>
        <a href={`..${sandboxBase(name)}${docsPath}?document=control`}>Control API</a>
      </dd>
    </dl>
  );
}

const Text = ({ id, text, about }: { readonly id: string; readonly text: string; readonly about: string }) => (
  <>
    <code id={id}>{text}</code> <CopyButton of={id} label={`Copy ${about}`} />
  </>
);

export async function startPage(visit: Visit) {
  const { sandbox, call } = visit;
  const ordering = await sandbox.readAt(call.machineTime, orderingIn);
  return (
    <section class="told start">
      <Head title="Start here">
        <div class="tools">
          <Action
            of="sandboxes.reset"
            label="Reset this sandbox"
            done={`The sandbox ${sandbox.name} is as it was made`}
            confirm={`Reset ${sandbox.name}? Its data, clock, switches and readings become as they were made, and its requests are forgotten.`}
            quiet
          />
        </div>
      </Head>
      <p class="lead">
        A sandbox of the Order and Fulfillment Service: point your client at its base URL, and watch in{' '}
        <PageLink to="requests">Live requests</PageLink> what it sends and why it is answered so.
      </p>
      <Where visit={visit} />
      <h2>Send a sample order</h2>
      <SampleOrder ordering={ordering} />
      <h2>Logins</h2>
      <Logins sandbox={sandbox} />
      <FirstCalls visit={visit} ordering={ordering} />
    </section>
  );
}

/** The answer stays where it is when the page is looked at again. */
function SampleOrder({ ordering }: Pick<OrderingProps, 'ordering'>) {
  if (!ordering?.product)
    return (
      <Empty title={whyNoOrder(ordering)}>
        <p>
          <PageLink to="catalog">Catalog and packaging</PageLink> turns products on; a reset brings everything back as
          it was made.
        </p>
      </Empty>
    );
  return (
    <>
      <p>
        As <code>{ordering.user.username}</code>, for a new consumer: one pouch a day of {ordering.product.product_name}
        , for 30 days. Its two calls stand in Live requests; Conduct judges your client's alone.
      </p>
      <form class="action" hx-post={sampleOrderAt(useSandbox())} hx-target="#sample-answer" hx-sync="drop">
        <button type="submit">Send a sample order</button>
      </form>
      <div id="sample-answer" role="status" hx-morph-skip-children="true" />
    </>
  );
}
