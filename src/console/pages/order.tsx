// One order: its contents, its history, and the operator's possible actions.
import type { OperationId } from '../../contract/operations.ts';
import type { DueStep, OrderAction, RecordOf } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { lineName, type OrderLine, packagesOf } from '../../domain/fulfillments.ts';
import { isInactivePag, nextAction, pagFor } from '../../domain/orders.ts';
import { orderStep, packageStep } from '../../domain/schedule.ts';
import { packageEvents, statusName } from '../../domain/tracking.ts';
import type { Markup } from '../../http/markup.ts';
import { type Entry, fieldsOf } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import { possibleActions } from '../../sandbox/operator.ts';
import { consumerName, getRecord, orderNumber } from '../../sandbox/records.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import { isAutomatic } from '../../sandbox/timeline.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action, RawRecord, RecordId } from '../parts/action.tsx';
import { Fact, Head, LabeledSelect, PageLink } from '../parts/layout.tsx';
import { OrderBadge, PackageBadge, RequestLink } from '../parts/status.tsx';
import { formatDuration, History, type HistoryEvent, nextEvents } from '../parts/time.tsx';
import { packageActionTexts } from './fulfillments.tsx';

type Fulfillment = RecordOf<'fulfillments'>;
type Pouch = OrderLine['pouches'][number];

type OrderDetails = ReturnType<typeof readOrder>;

/** @throws ControlRefusal 404 */
function readOrder(state: State, id: string, writing: WriteContext) {
  const order = getRecord(state, 'orders', id);
  const world = operatorWorld(state, writing);
  const packages = packagesOf(world, order.id);
  const pags = order.order_lines.flatMap(({ duration }) => pagFor(world, order.brand_id, duration) ?? []);
  return {
    order,
    history: state.table('tracking').get(order.id)?.events ?? [],
    number: packages.length > 0 ? orderNumber(state, order.id) : '',
    brand: state.table('brands').get(order.brand_id)?.name ?? order.brand_id,
    consumerName: consumerName(state, order.consumer_id),
    consumer: state.table('consumers').get(order.consumer_id),
    lines: order.order_lines.map((line) => ({
      line,
      name: lineName(world, order.brand_id, line),
      pouches: line.pouches.map((pouch) => describePouch(state, order.brand_id, pouch)),
      packages: packages.filter(({ order_lines }) => order_lines.some((shipped) => shipped.id === line.id)),
    })),
    packages: packages.map((record) => ({
      record,
      status: statusName(world, record.status_id),
      events: packageEvents(world, record).toReversed(),
      step: packageStep(world, record),
      next: state.table('due_steps').get(record.id),
    })),
    inactivePags: [...new Set(pags)].flatMap(({ id, name, status }) => {
      if (status !== 'Active') return [`${name} is ${status}`];
      return isInactivePag(world, id) ? [`${name} is switched to Inactive`] : [];
    }),
    possible: possibleActions(state, order.id, writing),
    next: state.table('due_steps').get(order.id),
    isShipNext: orderStep(world, order) === 'shipped',
    now: writing.now,
    isAutomatic: isAutomatic(state),
    carriers: Array.from(state.table('carriers').entries(), ([, carrier]) => carrier),
  };
}

/** @example 'Morning: 2 × Bright Vitamin C, Omega 3' */
function describePouch(state: State, brandId: string, pouch: Pouch): string {
  const { time_of_administration: time, contents = [], pack_id: packId } = pouch;
  const pack = packId === undefined ? undefined : state.table('packs').get(String(packId));
  // Another brand may have a pack with the same id.
  const packName = pack?.brand_id === brandId ? pack.name : String(packId);
  const products = contents.map(({ client_product_id: id, serving_size: size }) => {
    const name = state.table('products').get(id)?.product_name ?? id;
    return size === undefined ? name : `${size} × ${name}`;
  });
  const all = [...(packId === undefined ? [] : [`pack ${packName}`]), ...products].join(', ');
  return time === undefined ? all : `${time}: ${all}`;
}

export async function orderPage({ read, sandbox }: ConsoleRequest, id: string) {
  const details = await read((state, writing) => readOrder(state, id, writing));
  const { order, number, next, packages, inactivePags } = details;
  return (
    <section>
      <Head title={`Order ${number}`.trim()} id={<RecordId id={order.id} />}>
        <OrderBadge status={order.status} />
      </Head>
      {order.status === 'Needs Changes' && (
        <p>
          {inactivePags.length > 0
            ? `The order needs changes because its packaging is not Active: ${inactivePags.join(', ')}.`
            : 'The packaging was not Active when the order was created. It is Active now.'}{' '}
          <PageLink to="catalog">Catalog and packaging</PageLink>
        </p>
      )}
      <OrderActions {...details} />
      <div class="sides">
        <div>
          <h2>Contents</h2>
          <Facts {...details} />
          <h2>Lines</h2>
          <Lines {...details} />
        </div>
        <div>
          <h2>History</h2>
          <History
            past={pastEvents(details, writesTo(sandbox.journal, order.id))}
            next={[
              ...nextEvents(next),
              ...packages.flatMap(({ record, next: step }) => nextEvents(step, ofPackage(record))),
            ]}
            isAutomatic={details.isAutomatic}
          />
          <h2>Fulfillments</h2>
          <OrderPackages {...details} />
        </div>
      </div>
      <RawRecord collection="orders" record={order} />
    </section>
  );
}

const actionTexts: Readonly<Record<OrderAction, readonly [label: string, done: string]>> = {
  accept: ['Accept', 'Order accepted'],
  hold: ['Hold', 'Order on hold'],
  release: ['Release', 'Order released'],
  approve_packaging: ['Approve packaging', 'Packaging approved'],
  start_production: ['Start production', 'Order in production'],
  cancel: ['Cancel', 'Order canceled'],
};

/** The next step has the primary button, all other actions a quiet one. */
function OrderActions(details: OrderDetails) {
  const { possible, order, isShipNext } = details;
  const others = possible.actions.filter((action) => action !== nextAction(order.status));
  const next = nextStep(details);
  const isFinal = possible.actions.length === 0 && possible.shippable.length === 0;
  return (
    <section aria-label="Operator actions">
      {isFinal && <p class="muted">The order is {order.status}: no action is left.</p>}
      {next && <h2>Next step</h2>}
      <div class="row">
        {next}
        {others.map((action) => (
          <OrderAct {...details} action={action} />
        ))}
      </div>
      {possible.shippable.length > 0 && !isShipNext && (
        <div class="row">
          <ShipForm {...details} />
        </div>
      )}
    </section>
  );
}

/** The primary button; null after the last step. */
function nextStep(details: OrderDetails): Markup | null {
  const { order, next, packages, isShipNext } = details;
  const action = nextAction(order.status);
  if (action) return <OrderAct {...details} action={action} due={dueText(details, next)} />;
  if (isShipNext) return <ShipForm {...details} due={dueText(details, next)} />;
  const waiting = packages.find(({ step }) => step);
  return waiting ? <PackageAct {...waiting} due={dueText(details, waiting.next)} /> : null;
}

/** The text after the label of the next step; only its button is a primary one. */
interface DueProps {
  readonly due?: string;
}

const OrderAct = ({ order, action, due }: OrderDetails & DueProps & { readonly action: OrderAction }) => (
  <Action
    operation={`orders.${action}`}
    params={{ id: order.id }}
    label={actionTexts[action][0] + (due ?? '')}
    about="the order"
    done={actionTexts[action][1]}
    confirm={action === 'cancel' ? 'Cancel this order?' : undefined}
    quiet={due === undefined}
  />
);

function PackageAct({ record, step, due }: OrderDetails['packages'][number] & DueProps) {
  const action = step === 'picked_up' ? 'pick_up' : 'deliver';
  const [label, done] = packageActionTexts[action];
  return (
    <Action
      operation={`fulfillments.${action}`}
      params={{ id: record.id }}
      label={`${label} ${record.shipment_order_number}${due}`}
      done={done}
    />
  );
}

/** @example ' (due in 2 h)'; empty if the step does not happen on its own */
function dueText({ isAutomatic, now }: OrderDetails, next: DueStep | undefined): string {
  if (!isAutomatic || !next) return '';
  return ` (due in ${formatDuration(Date.parse(next.due_at) - now)})`;
}

function ShipForm({ order, possible, lines, carriers, due }: OrderDetails & DueProps) {
  const isAgain = possible.unshipped.length === 0;
  return (
    <Action
      operation="orders.ship"
      params={{ id: order.id }}
      label={`Ship${due ?? ''}`}
      done="Package created"
      quiet={due === undefined}
    >
      <fieldset>
        <legend>
          {isAgain ? 'Lost or returned lines to ship again' : 'Lines to ship (without a choice, all that are left)'}
        </legend>
        {lines
          .filter(({ line }) => possible.shippable.some(({ id }) => id === line.id))
          .map(({ line, name }) => (
            <label>
              <input type="checkbox" name="order_lines:list" value={line.id} id={`ship-${line.id}`} />
              {name}
              {!possible.unshipped.some(({ id }) => id === line.id) && <span class="muted"> (again)</span>}
            </label>
          ))}
      </fieldset>
      <LabeledSelect
        id="ship-carrier"
        label="Carrier"
        name="carrier:json"
        options={{
          '': 'Chosen by the service',
          ...Object.fromEntries(carriers.map(({ id, name }) => [JSON.stringify(id), name])),
          null: 'Not assigned yet',
        }}
      />
    </Action>
  );
}

const changeTexts: Partial<Record<OperationId, string>> = {
  'orders.create': 'Created',
  'orders.update': 'Modified',
  'orders.cancel': 'Canceled',
};

/** The calls that created or changed an order, of those that the journal still has. */
function writesTo(journal: Journal, id: string): Entry[] {
  return journal.newestFirst().filter(({ operation, answer }) => {
    if (operation === null || !changeTexts[operation] || !answer?.sentBody?.includes(id)) return false;
    const { order } = fieldsOf(answer.body);
    return isRecord(order) && order.id === id;
  });
}

function pastEvents({ order, history, packages }: OrderDetails, writes: readonly Entry[]): HistoryEvent[] {
  const ofPackages = packages.flatMap(({ record, events }) =>
    events.map(({ at, name }) => ({ at, text: ofPackage(record)(name) })),
  );
  const by = (operation: OperationId): Entry[] => writes.filter((entry) => entry.operation === operation);
  const [creation] = by('orders.create');
  const updates = by('orders.update');
  const ofStatus = history.map(({ status_id: status, at }) => {
    const cancel = status === 'Canceled' && by('orders.cancel').find((entry) => madeChangeAt(entry, at));
    return { at, text: cancel ? <ByCall entry={cancel} /> : status };
  });
  const { created_at, updated_at, status } = order;
  // A scenario or an older version of Sachet leaves changes out of the history.
  const isKnown =
    [created_at, history.at(-1)?.at].includes(updated_at) || updates.some((entry) => madeChangeAt(entry, updated_at));
  return [
    { at: created_at, text: creation ? <ByCall entry={creation} /> : 'Created' },
    ...updates.map((entry) => ({ at: new Date(entry.receivedAt).toISOString(), text: <ByCall entry={entry} /> })),
    ...ofStatus,
    ...ofPackages,
    ...(isKnown ? [] : [{ at: updated_at, text: `Last change: ${status}` }]),
  ];
}

const madeChangeAt = ({ receivedAt, answer }: Entry, at: string): boolean =>
  receivedAt <= Date.parse(at) && Date.parse(at) <= (answer?.answeredAt ?? 0);

const ByCall = ({ entry }: { readonly entry: Entry }) => (
  <>
    {entry.operation && changeTexts[entry.operation]} by <RequestLink entry={entry} /> as {entry.answer?.caller}
  </>
);

const PackageLink = ({ record }: { readonly record: Fulfillment }) => (
  <PageLink to="fulfillments" item={record.id}>
    {record.shipment_order_number}
  </PageLink>
);

const ofPackage = (record: Fulfillment) => (text: string) => (
  <>
    <PackageLink record={record} />: {text}
  </>
);

const OrderPackages = ({ packages }: OrderDetails) =>
  packages.length === 0 ? (
    <p class="muted">No fulfillments yet.</p>
  ) : (
    <ul class="rows">
      {packages.map(({ record, status }) => (
        <li>
          <PackageLink record={record} /> <PackageBadge id={record.status_id} name={status} />{' '}
          <span class="muted">{record.order_lines.map(({ name }) => name).join(', ')}</span>
        </li>
      ))}
    </ul>
  );

function Facts({ order, consumerName: name, consumer, brand }: OrderDetails) {
  const { address1, city, province_name: province, postal_code: code, country_name: country } = order.shipping_address;
  return (
    <dl class="facts">
      <Fact name="Consumer">
        {name} <span class="id muted">{order.consumer_id}</span>
      </Fact>
      {consumer?.email && <Fact name="Email">{consumer.email}</Fact>}
      {consumer?.phone_number && <Fact name="Phone">{consumer.phone_number}</Fact>}
      <Fact name="Ship to">{[address1, city, province, code, country].filter(Boolean).join(', ')}</Fact>
      <Fact name="Brand">{brand}</Fact>
    </dl>
  );
}

const Lines = ({ lines }: OrderDetails) => (
  <ol>
    {lines.map(({ line, pouches, packages }) => (
      <li>
        <span class="id muted">{line.id}</span>
        {line.duration !== undefined && <span> · duration {line.duration}</span>}
        <ul>
          {pouches.map((pouch) => (
            <li>{pouch}</li>
          ))}
        </ul>
        {packages.map((record) => (
          <p class="muted">
            shipped in <PackageLink record={record} />
          </p>
        ))}
      </li>
    ))}
  </ol>
);
