// Fulfillments of all brands, newest first; and one fulfillment: its facts, history, label, and possible actions.
import { baseUrlSlot, sandboxBase } from '../../contract/addresses.ts';
import { type FulfillmentAction, fulfillmentActions, type RecordOf } from '../../contract/records.ts';
import { actionsFrom } from '../../domain/fulfillments.ts';
import { endOf, labelUrls, type ShippingLabel, shippingLabel } from '../../domain/labels.ts';
import { packageEvents, statusName } from '../../domain/tracking.ts';
import { type DrawingStep, labelSize } from '../../http/storage/label-layout.ts';
import { labelDrawing } from '../../http/storage/label-pdf.ts';
import { consumerName, getRecord, shortId } from '../../sandbox/records.ts';
import { orderCommands } from '../../sandbox/sample-calls.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import { isAutomatic } from '../../sandbox/timeline.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action, RawRecord, RecordId } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { Fact, Head, PageLink } from '../parts/layout.tsx';
import { RecordList, recordPage } from '../parts/record-list.tsx';
import { PackageBadge } from '../parts/status.tsx';
import { History, Instant, nextEvents } from '../parts/time.tsx';
import { firstCallsFor } from './code-samples.ts';

type Fulfillment = RecordOf<'fulfillments'>;

export const fulfillmentsPage = (request: ConsoleRequest) =>
  request.read((state, writing) => {
    const { query } = request;
    const statuses = Object.fromEntries(
      Array.from(state.table('fulfillment_statuses').entries(), ([, { id, name }]) => [id, name]),
    );
    const textsOf = ({ id, order_id, consumer_id, shipment_order_number, tracking_info, order_lines }: Fulfillment) => [
      ...[id, order_id, shipment_order_number, tracking_info?.tracking_number, consumerName(state, consumer_id)],
      ...order_lines.map(({ name }) => name),
    ];
    const world = operatorWorld(state, writing);
    const calls = firstCallsFor(request, state);
    return (
      <RecordList
        {...recordPage(state, 'fulfillments', query, { statuses, statusOf: ({ status_id }) => status_id, textsOf })}
        title="Fulfillments"
        description="The packages of all orders, newest first. Open one to move it or to see its label."
        noun="package"
        nameOf={({ shipment_order_number: number }) => number}
        titles={['Status', 'Consumer', 'Order', 'Carrier']}
        cells={({ order_id, consumer_id, status_id, tracking_info: tracking }) => (
          <>
            <td>
              <PackageBadge id={status_id} name={statusName(world, status_id)} />
            </td>
            <td>{consumerName(state, consumer_id)}</td>
            <td class="id">
              <PageLink to="orders" item={order_id} title={order_id}>
                <span class="unseen">Order </span>
                {shortId(order_id)}
              </PageLink>
            </td>
            <td>
              {tracking ? tracking.shipping_carrier : <span class="muted">none assigned</span>}
              {tracking && <span class="id muted"> {tracking.tracking_number}</span>}
            </td>
          </>
        )}
        empty={
          <Empty title="This sandbox has no fulfillments." call={calls && orderCommands(calls)}>
            Create an order, and ship it in <PageLink to="orders">Orders</PageLink>: its packages appear here.
          </Empty>
        }
        searched="Number, id, tracking number, consumer or product"
      />
    );
  });

type FulfillmentDetails = ReturnType<typeof readFulfillment>;

/**
 * @param baseUrl of the sandbox, absolute
 * @throws ControlRefusal 404
 */
function readFulfillment(state: State, id: string, writing: WriteContext, baseUrl: string) {
  const record = getRecord(state, 'fulfillments', id);
  const world = operatorWorld(state, writing, baseUrl);
  const labelUrl = labelUrls(world)(record.id);
  return {
    record,
    status: statusName(world, record.status_id),
    consumer: consumerName(state, record.consumer_id),
    past: packageEvents(world, record)
      .toReversed()
      .map(({ at, name }) => ({ at, text: name })),
    next: state.table('due_steps').get(record.id),
    isAutomatic: isAutomatic(state),
    possible: actionsFrom(record.status_id),
    trackingUrl: record.tracking_info?.tracking_url.replace(baseUrlSlot, () => baseUrl),
    label: shippingLabel(world, record),
    labelUrl,
    labelUntil: new Date(endOf(new URL(labelUrl).searchParams)).toISOString(),
  };
}

export async function fulfillmentPage({ read, sandbox, origin }: ConsoleRequest, id: string) {
  const baseUrl = origin + sandboxBase(sandbox.name);
  const details = await read((state, writing) => readFulfillment(state, id, writing, baseUrl));
  const { record, status } = details;
  return (
    <section>
      <Head title={`Fulfillment ${record.shipment_order_number}`} id={<RecordId id={record.id} />}>
        <PackageBadge id={record.status_id} name={status} />
      </Head>
      <PackageActions {...details} />
      <div class="sides">
        <div>
          <h2>Package</h2>
          <Facts {...details} />
          <h2>History</h2>
          <History past={details.past} next={nextEvents(details.next)} isAutomatic={details.isAutomatic} />
        </div>
        <div>
          <h2>Label</h2>
          {await labelImage(details.label)}
          <p>
            <a href={details.labelUrl} target="_blank" rel="noopener noreferrer">
              Label URL for clients
            </a>{' '}
            <span class="muted">
              (PDF, valid until <Instant at={details.labelUntil} />; every read creates a new URL)
            </span>
          </p>
        </div>
      </div>
      <RawRecord collection="fulfillments" record={record} />
    </section>
  );
}

export const packageActionTexts: Readonly<Record<FulfillmentAction, readonly [label: string, done: string]>> = {
  pick_up: ['Pick up', 'Package picked up'],
  depart: ['Depart', 'Package on its way'],
  delay: ['Delay', 'Package delayed'],
  deliver: ['Deliver', 'Package delivered'],
  lose: ['Lose', 'Package lost'],
  return: ['Return', 'Package returned'],
};

function PackageActions({ record, status, possible }: FulfillmentDetails) {
  const others = fulfillmentActions.filter((action) => !possible.includes(action));
  /** Has the primary button: the step of a package without problems. */
  const next = possible.find((action) => action === 'pick_up' || action === 'depart' || action === 'deliver');
  const button = (action: FulfillmentAction, isForced: boolean) => {
    const [label, done] = packageActionTexts[action];
    return (
      <Action
        operation={`fulfillments.${action}`}
        params={{ id: record.id }}
        label={label}
        about={isForced ? 'the package, skipping the checks' : 'the package'}
        done={isForced ? `${done}, skipping the checks` : done}
        quiet={isForced || action !== next}
        fields={isForced ? { 'force:json': 'true' } : {}}
      />
    );
  };
  return (
    <section aria-label="Actions">
      {possible.length === 0 && <p class="muted">The package is {status}: no action is left.</p>}
      <div class="row">{possible.map((action) => button(action, false))}</div>
      {others.length > 0 && (
        <details id="forced">
          <summary>Force a status (skips the checks)</summary>
          <p class="muted">Simulates updates that arrive twice, late, or in the wrong order.</p>
          <div class="row">{others.map((action) => button(action, true))}</div>
        </details>
      )}
    </section>
  );
}

function Facts({ record, consumer, trackingUrl }: FulfillmentDetails) {
  const { order_id, tracking_info: tracking, shipment_order_number: number, shipment_order_id } = record;
  return (
    <dl class="facts">
      <Fact name="Order">
        <PageLink class="id" to="orders" item={order_id}>
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
      {tracking && (
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

/** Fonts as wide as Helvetica on any system. Each text also has its width. */
const fonts = 'Helvetica, Arial, "Liberation Sans", Arimo, sans-serif';

const rounded = (number: number): number => Math.round(number * 1000) / 1000;

/**
 * A shipping label as SVG, drawn like its PDF. The PDF itself would need a weaker policy, some browsers only download
 * it, and its URL would add a call to the journal.
 */
export async function labelImage(label: ShippingLabel) {
  const { width, height } = labelSize;
  const steps = await labelDrawing(label);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="label"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={describe(label)}
      font-family={fonts}
      shape-rendering="crispEdges"
    >
      <rect width={width} height={height} fill="#fff" />
      {steps.map(draw)}
    </svg>
  );
}

function draw(step: DrawingStep) {
  const [x, y] = [rounded(step.x), rounded(step.y)];
  if (step.kind === 'fill') return <rect x={x} y={y} width={rounded(step.width)} height={rounded(step.height)} />;
  const { text, width, size, bold, gray, degrees } = step;
  return (
    <text
      x={x}
      y={y}
      font-size={size}
      font-weight={bold ? 'bold' : 'normal'}
      fill={gray > 0 ? `rgb(${gray * 100}%, ${gray * 100}%, ${gray * 100}%)` : undefined}
      textLength={rounded(width)}
      lengthAdjust="spacingAndGlyphs"
      transform={degrees === 0 ? undefined : `rotate(${-degrees} ${x} ${y})`}
    >
      {text}
    </text>
  );
}

/** The label in words, for screen readers. */
function describe({ carrier, to, from, orderNumber, contents }: ShippingLabel): string {
  const service = carrier ? `${carrier.name} ${carrier.method}, ${carrier.trackingNumber}` : 'carrier not assigned';
  const addresses = `to ${to.join(', ')}; from ${from.join(' ')}`;
  return `Shipping label: ${service}; ${addresses}; order ${orderNumber}; contents: ${contents.join(', ')}`;
}
