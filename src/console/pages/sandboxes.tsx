// The sandboxes of the server, with their invites. Only the admin key sees and creates others.
import { builtInSandboxes } from '../../contract/addresses.ts';
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import type { ControlReplyOf } from '../../contract/control/operations.ts';
import { isAdmin } from '../../http/guards.ts';
import type { ServiceResponse } from '../../http/response.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { bodyOf } from '../form-body.ts';
import { pageAt } from '../page-addresses.ts';
import { Action, Copy } from '../parts/action.tsx';
import { counted, fragment, Head, InSandbox, Table } from '../parts/layout.tsx';
import { daySeconds, NewSandbox } from '../parts/new-sandbox.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';

type Listed = ControlReplyOf<'sandboxes.get'>['body'];

/** The table has only the sandboxes used last. */
const maxListed = 200;

export async function sandboxesPage(request: ConsoleRequest) {
  const { control, deps } = request;
  const isHost = isAdmin(deps, request.request);
  const all = isHost ? (await control('sandboxes.list')).sandboxes : [await control('sandboxes.get')];
  const listed = all.toSorted((one, other) => (one.last_used_at < other.last_used_at ? 1 : -1)).slice(0, maxListed);
  const description = isHost
    ? 'Isolated copies of the service, each with its own data, clock and switches. Create one for a guest, and send the link.'
    : 'Your key opens this sandbox only. Other sandboxes need the admin key of the server.';
  return (
    <section>
      <Head title="Sandboxes" description={description}>
        {isHost && <NewSandbox scenarios={deps.scenarios.keys()} />}
      </Head>
      <Table caption="Sandboxes" titles={['Sandbox', 'Invite', 'Last use', 'Deletion', 'Action']} isFocusable>
        {listed.map((sandbox) => (
          <Row sandbox={sandbox} />
        ))}
      </Table>
      {all.length > maxListed && <p class="muted">… and {all.length - maxListed} that were used before.</p>}
    </section>
  );
}

const Row = ({ sandbox: { name, invite, last_used_at, ttl_seconds } }: { readonly sandbox: Listed }) => (
  <tr id={`sandbox-${name}`}>
    <th scope="row">
      <a href={pageAt(name, 'start')}>{name}</a>
    </th>
    <td>{invite && <Invite invite={invite} />}</td>
    <td>
      <span class="on-phone muted">last use </span>
      <Instant at={last_used_at} />
    </td>
    <td>
      <span class="on-phone muted">deletion </span>
      {ttl_seconds === null ? 'Never' : `After ${daysOf(ttl_seconds)} without use`}
    </td>
    <td>
      {!builtInSandboxes.includes(name) && (
        <InSandbox name={name}>
          <Action
            operation="sandboxes.delete"
            label="Delete"
            about={name}
            done={`Deleted ${name}`}
            confirm={`Delete ${name} with its data, requests and snapshots?`}
            quiet
          />
        </InSandbox>
      )}
    </td>
  </tr>
);

function Invite({ invite: { status, expires_at } }: { readonly invite: NonNullable<Listed['invite']> }) {
  if (status === 'claimed') return <Badge sign="✓" tone="good" text="Claimed" />;
  if (status === 'expired') return <Badge sign="✕" tone="muted" text="Expired" />;
  return (
    <>
      <Badge sign="…" tone="pending" text="Open" /> until <Instant at={expires_at} />
    </>
  );
}

const daysOf = (seconds: number): string =>
  seconds % daySeconds === 0 ? counted(seconds / daySeconds, 'day') : counted(seconds, 'second');

/** Creates a sandbox as the dialog's form says, and presents its link. @throws ControlRefusal 403 without the admin key */
export async function createInvited(request: ConsoleRequest, form: URLSearchParams): Promise<ServiceResponse> {
  const { deps, control, sandbox } = request;
  if (!isAdmin(deps, request.request)) throw new ControlRefusal(403, 'Only the admin key can create sandboxes');
  const { name, invite } = await control('sandboxes.create', { body: bodyOf(form) });
  return fragment(
    sandbox.name,
    <article>
      <Copy id="invite-url" title={`Link to ${name}`} text={invite?.url ?? ''} />
      <p>
        Send it to your guest. It works once, until <Instant at={invite?.expires_at ?? ''} />, and is not shown again.
      </p>
    </article>,
    { headers: { 'hx-trigger': 'changed, state' } },
  );
}
