// Fulfillments of all brands, newest first; one of them: its facts, its way, its label, and what can become of it now.
import { sandboxBase } from '../../contract/addresses.ts';
import { type FulfillmentAction, fulfillmentActions } from '../../contract/records.ts';
import { Action, Given } from '../parts/action.tsx';
import { labelImage } from '../parts/label-image.tsx';
import { beforeOf, counted, Empty, Fact, Head, PageLink, Pager, pageRows, Table } from '../parts/page.tsx';
import { PackageBadge } from '../parts/status.tsx';
import { Instant, stepWords, Way } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';
import { type FulfillmentView, fulfillmentView, type ListedFulfillment, listedFulfillments } from './order-views.ts';

export async function fulfillmentsPage({ sandbox, call, query }: Visit) {
  const before = beforeOf(query);
  const asked = { before, limit: pageRows };
  const { rows, total, ...page } = await sandbox.readAt(call.machineTime, (state) => listedFulfillments(state, asked));
  return (
    <section>
      <Head title="Fulfillments">
        <div class="tools muted">{counted(total, 'package')}</div>
      </Head>
      {rows.length === 0 ? (
        <Nothing total={total} />
      ) : (
        <Table
          class="records packages"
          caption="Fulfillments, newest first"
          titles={['Fulfillment', 'Status', 'Order', 'Carrier', 'Created']}
        >
          {rows.map(PackageRow)}
        </Table>
      )}
      <Pager page="fulfillments" before={page.before} isFirst={before === undefined} />
    </section>
  );
}

function PackageRow({ record, status }: ListedFulfillment) {
  const { id, order_id, status_id, tracking_info: tracking, created_at } = record;
  return (
    <tr id={`fulfillment-${id}`}>
      <th scope="row" class="id">
        <PageLink to="fulfillments" one={id}>
          {id}
        </PageLink>
      </th>
      <td>
        <PackageBadge id={status_id} name={status} />
      </td>
      <td class="id">
        <PageLink to="orders" one={order_id} title={order_id}>
          <span class="unseen">Order </span>
          {order_id.slice(0, 8)}…{order_id.slice(-4)}
        </PageLink>
      </td>
      <td>
        {tracking ? tracking.shipping_carrier : <span class="muted">none assigned</span>}
        {tracking && <span class="id muted"> {tracking.tracking_number}</span>}
      </td>
      <td class="time">
        <Instant at={created_at} />
      </td>
    </tr>
  );
}

const Nothing = ({ total }: { readonly total: number }) =>
  total === 0 ? (
    <Empty title="Nothing was shipped in this sandbox yet.">
      <p>
        An <PageLink to="orders">order</PageLink> in production can be shipped: its packages appear here.
      </p>
    </Empty>
  ) : (
    <Empty title="No packages are older.">
      <p>
        <PageLink to="fulfillments">Show the newest</PageLink>
      </p>
    </Empty>
  );

const words: Readonly<Record<FulfillmentAction, readonly [label: string, done: string]>> = {
  pick_up: ['Pick up', 'Package picked up'],
  depart: ['Depart', 'Package on its way'],
  delay: ['Delay', 'Package delayed'],
  deliver: ['Deliver', 'Package delivered'],
  lose: ['Lose', 'Package lost'],
  return: ['Return', 'Package returned'],
};

/** What can become of a package, as buttons; what its status does not allow stands apart, by force. */
function PackageActions({ record, status, possible }: FulfillmentView) {
  const others = fulfillmentActions.filter((action) => !possible.includes(action));
  const button = (action: FulfillmentAction, isForced: boolean) => {
    const [label, done] = words[action];
    return (
      <Action
        of={`fulfillments.${action}`}
        names={{ id: record.id }}
        label={label}
        about={isForced ? 'the package by force' : 'the package'}
        done={isForced ? `${done}, by force` : done}
        quiet={isForced || action === 'lose' || action === 'return'}
      >
        {isForced && <Given name="force:yes" />}
      </Action>
    );
  };
  return (
    <section aria-label="What can become of the package">
      {possible.length === 0 && <p class="muted">The package is {status}: nothing follows from there by itself.</p>}
      <div class="actions">{possible.map((action) => button(action, false))}</div>
      {others.length > 0 && (
        <details id="by-force">
          <summary>By force</summary>
          <p class="muted">
            What its status does not allow: an update that comes twice, too late, or in the wrong order.
          </p>
          <div class="actions">{others.map((action) => button(action, true))}</div>
        </details>
      )}
    </section>
  );
}

export async function fulfillmentPage({ sandbox, call }: Visit, id: string) {
  const baseUrl = call.origin + sandboxBase(sandbox.name);
  const { hashes } = call.deps;
  const shown = await sandbox.readAt(call.machineTime, (state, now) =>
    fulfillmentView(state, id, { now, hashes }, baseUrl),
  );
  const { record, status, events, next, isAutomatic } = shown;
  return (
    <article class="record">
      <Head title="Fulfillment" id={record.id}>
        <div class="tools">
          <PackageBadge id={record.status_id} name={status} />
        </div>
      </Head>
      <PackageActions {...shown} />
      <div class="sides">
        <div>
          <h2>The package</h2>
          <Facts {...shown} />
          <h2>Its way</h2>
          <Way
            moments={events.map(({ at, name }) => ({ at, words: name }))}
            next={next ? [{ at: next.dueAt, words: stepWords[next.step] }] : []}
            isAutomatic={isAutomatic}
          />
        </div>
        <div>
          <h2>Its label</h2>
          {await labelImage(shown.label)}
          <p>
            <a href={shown.labelUrl} target="_blank" rel="noopener noreferrer">
              Label URL as a client gets it
            </a>{' '}
            <span class="muted">
              (PDF; this one is good until <Instant at={shown.labelUntil} />, and every read makes a fresh one)
            </span>
          </p>
        </div>
      </div>
    </article>
  );
}

function Facts({ record, consumer, trackingUrl }: FulfillmentView) {
  const { order_id, tracking_info: tracking, shipment_order_number: number, shipment_order_id } = record;
  return (
    <dl class="facts">
      <Fact name="Order">
        <PageLink class="id" to="orders" one={order_id}>
          {order_id}
        </PageLink>
      </Fact>
      <Fact name="Consumer">{consumer}</Fact>
      <Fact name="Contents">{record.order_lines.map(({ name }) => name).join(', ') || 'nothing'}</Fact>
      <Fact name="Shipment">
        {number} <span class="muted">({shipment_order_id})</span>
      </Fact>
      <Fact name="Carrier">
        {tracking ? `${tracking.shipping_carrier}, ${tracking.shipping_method}` : 'none assigned yet'}
      </Fact>
      {tracking && trackingUrl && (
        <Fact name="Tracking">
          <span class="id">{tracking.tracking_number}</span>{' '}
          <a href={trackingUrl} target="_blank" rel="noopener noreferrer">
            Tracking page
          </a>
        </Fact>
      )}
      <Fact name="Weight">{record.weight} g</Fact>
      <Fact name="Shipping charge">{record.shipping_net_charge}</Fact>
      <DateFact name="Created" at={record.created_at} />
      <DateFact name="Picked up" at={record.pickup_date} />
      <DateFact name="Delivered" at={record.delivery_date} />
      <DateFact name="Last change" at={record.updated_at} />
    </dl>
  );
}

const DateFact = ({ name, at }: { readonly name: string; readonly at: string | null }) => (
  <Fact name={name}>{at === null ? <span class="muted">not yet</span> : <Instant at={at} />}</Fact>
);
