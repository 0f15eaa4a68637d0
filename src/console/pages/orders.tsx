// Orders of all brands, newest first; one of them: what it holds, its way, and what the operator can do to it now.

import type { OrderAction } from '../../contract/records.ts';
import { type OrderStatus, orderStatuses } from '../../contract/records.ts';
import { Action } from '../parts/action.tsx';
import { beforeOf, counted, Empty, Fact, Head, mostLooked, PageLink, Pager, pageRows, Table } from '../parts/page.tsx';
import { Badge, PackageBadge } from '../parts/status.tsx';
import { Instant, type Moment, stepWords, Way } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';
import { type ListedOrder, listedOrders, type OrderView, orderView, type PouchView } from './order-views.ts';

const kinds: Readonly<Record<OrderStatus, readonly [kind: string, sign: string]>> = {
  Pending: ['waits', '…'],
  'On Hold': ['held', '‖'],
  'Needs Changes': ['held', '▲'],
  Accepted: ['goes', '▸'],
  'In Production': ['goes', '▸▸'],
  Canceled: ['over', '✕'],
};

/** An order's status at a glance. */
function OrderBadge({ status }: { readonly status: OrderStatus }) {
  const [kind, sign] = kinds[status];
  return (
    <Badge sign={sign} class={`badge ${kind}`}>
      {status}
    </Badge>
  );
}

export async function ordersPage({ sandbox, call, query }: Visit) {
  const status = orderStatuses.find((known) => known === query.get('status'));
  const before = beforeOf(query);
  const asked = { before, limit: pageRows, most: mostLooked };
  const { rows, total, ...page } = await sandbox.readAt(call.machineTime, (state) =>
    listedOrders(state, status, asked),
  );
  return (
    <section>
      <Head title="Orders">
        <div class="tools muted">{counted(total, 'order')}</div>
      </Head>
      <search>
        <form id="filter" autocomplete="off" data-filter>
          <label>
            <span class="unseen">Status</span>
            <select name="status" id="filter-status">
              <option value="">Any status</option>
              {orderStatuses.map((one) => (
                <option selected={one === status}>{one}</option>
              ))}
            </select>
          </label>
        </form>
      </search>
      {rows.length === 0 ? (
        <Nothing total={total} status={status} isCut={page.isCut} />
      ) : (
        <Table
          class="records"
          caption="Orders, newest first"
          titles={['Order', 'Status', 'Consumer', 'Lines', 'Created']}
        >
          {rows.map(OrderRow)}
        </Table>
      )}
      <Pager
        page="orders"
        before={page.before}
        isFirst={before === undefined}
        isCut={page.isCut}
        filter={status ? { status } : {}}
      />
    </section>
  );
}

const OrderRow = ({ order: { id, status, order_lines, created_at }, consumer }: ListedOrder) => (
  <tr id={`order-${id}`}>
    <th scope="row" class="id">
      <PageLink to="orders" one={id}>
        {id}
      </PageLink>
    </th>
    <td>
      <OrderBadge status={status} />
    </td>
    <td>{consumer}</td>
    <td class="number">{counted(order_lines.length, 'line')}</td>
    <td class="time">
      <Instant at={created_at} />
    </td>
  </tr>
);

interface NothingProps {
  readonly total: number;
  readonly status: OrderStatus | undefined;
  /** Whether there are more that were not looked at. */
  readonly isCut: boolean;
}

const Nothing = ({ total, status, isCut }: NothingProps) =>
  total === 0 ? (
    <Empty title="This sandbox has no orders.">
      <p>
        <PageLink to="start">Send a sample order</PageLink>, or let a client create one: it appears here at once.
      </p>
    </Empty>
  ) : (
    <Empty title={nothingWords(status, isCut)}>
      <p>
        <PageLink to="orders">Show all orders</PageLink>
      </p>
    </Empty>
  );

function nothingWords(status: OrderStatus | undefined, isCut: boolean): string {
  if (isCut) return `Of the orders that were looked at none is ${status}.`;
  return status ? `No order here is ${status}.` : 'No orders are older.';
}

/** A pouch in words. @example 'Morning: 2 × Bright Vitamin C, Omega 3' */
function pouchWords({ time, pack, contents }: PouchView): string {
  const packs = pack === undefined ? [] : [`pack ${pack}`];
  const products = contents.map(({ name, size }) => (size === undefined ? name : `${size} × ${name}`));
  const held = [...packs, ...products].join(', ') || 'empty';
  return time === undefined ? held : `${time}: ${held}`;
}

/** Ships an order: all that is left of it, or chosen lines, by a carrier that is drawn or chosen. */
function ShipForm({ order, possible, lines, carriers }: OrderView) {
  if (possible.shippable.length === 0) return null;
  const choices = lines.filter(({ line }) => possible.shippable.some(({ id }) => id === line.id));
  const isAgain = possible.unshipped.length === 0;
  return (
    <Action of="orders.ship" names={{ id: order.id }} label="Ship" done="Package made" class="card ship">
      <fieldset>
        <legend>
          {isAgain ? 'Lost or returned: choose what is shipped again' : 'Lines (choose none to ship all that is left)'}
        </legend>
        {choices.map(({ line, name }) => (
          <label>
            <input type="checkbox" name="order_lines:list" value={line.id} id={`ship-${line.id}`} />
            {name}
            {!possible.unshipped.some(({ id }) => id === line.id) && <span class="muted"> (again)</span>}
          </label>
        ))}
      </fieldset>
      <label>
        Carrier
        <select name="carrier:json" id="ship-carrier">
          <option value="">As the service chooses</option>
          {carriers.map(({ id, name }) => (
            <option value={JSON.stringify(id)}>{name}</option>
          ))}
          <option value="null">None yet</option>
        </select>
      </label>
    </Action>
  );
}

const words: Readonly<Record<OrderAction, readonly [label: string, done: string]>> = {
  accept: ['Accept', 'Order accepted'],
  hold: ['Hold', 'Order on hold'],
  release: ['Release', 'Order released'],
  approve_packaging: ['Approve packaging', 'Packaging approved'],
  start_production: ['Start production', 'Order in production'],
  cancel: ['Cancel', 'Order canceled'],
};

/** What the operator can do to an order in its status, as buttons, and the form that ships it. */
function OrderActions(shown: OrderView) {
  const { possible, order } = shown;
  const isOver = possible.actions.length === 0 && possible.shippable.length === 0;
  return (
    <section aria-label="What the operator can do">
      {isOver && <p class="muted">The operator can do nothing more: the order is {order.status}.</p>}
      <div class="actions">
        {possible.actions.map((action) => (
          <Action
            of={`orders.${action}`}
            names={{ id: order.id }}
            label={words[action][0]}
            about="the order"
            done={words[action][1]}
            confirm={action === 'cancel' ? 'Cancel this order?' : undefined}
            quiet={action === 'cancel' || action === 'hold'}
          />
        ))}
      </div>
      <ShipForm {...shown} />
    </section>
  );
}

/** The way of an order so far, with that of its packages. */
function momentsOf({ order, packages }: OrderView): Moment[] {
  const changed = order.updated_at === order.created_at ? [] : [order.updated_at];
  return [
    { at: order.created_at, words: 'Created' },
    ...packages.flatMap(({ record, events }) =>
      events.map(({ at, name }) => ({ at, words: <OfPackage record={record} what={name} /> })),
    ),
    ...changed.map((at) => ({ at, words: `Last change of the order: it is ${order.status}` })),
  ];
}

function nextOf({ next, packages }: OrderView): Moment[] {
  const ofPackages = packages.flatMap(({ record, next: step }) =>
    step ? [{ at: step.dueAt, words: <OfPackage record={record} what={stepWords[step.step]} /> }] : [],
  );
  return [...(next ? [{ at: next.dueAt, words: stepWords[next.step] }] : []), ...ofPackages];
}

interface PackageLinkProps {
  readonly record: OrderView['packages'][number]['record'];
}

/** A package by its number. */
const PackageLink = ({ record: { id, shipment_order_number: number } }: PackageLinkProps) => (
  <PageLink to="fulfillments" one={id}>
    {number}
  </PageLink>
);

const OfPackage = ({ record, what }: PackageLinkProps & { readonly what: string }) => (
  <>
    <PackageLink record={record} />: {what}
  </>
);

const OrderPackages = ({ packages }: OrderView) =>
  packages.length === 0 ? (
    <p class="muted">Nothing is shipped yet.</p>
  ) : (
    <ul class="plain">
      {packages.map(({ record, status }) => (
        <li>
          <PackageLink record={record} /> <PackageBadge id={record.status_id} name={status} />{' '}
          <span class="muted">{record.order_lines.map(({ name }) => name).join(', ')}</span>
        </li>
      ))}
    </ul>
  );

/** One order: what it holds, its way so far and next, and what the operator can do to it now. */
export async function orderPage({ sandbox, call }: Visit, id: string) {
  const { hashes } = call.deps;
  const shown = await sandbox.readAt(call.machineTime, (state, now) => orderView(state, id, { now, hashes }));
  const { order } = shown;
  return (
    <article class="record">
      <Head title="Order" id={order.id}>
        <div class="tools">
          <OrderBadge status={order.status} />
        </div>
      </Head>
      {order.status === 'Needs Changes' && <Waiting {...shown} />}
      <OrderActions {...shown} />
      <div class="sides">
        <div>
          <h2>The order</h2>
          <Facts {...shown} />
          <h2>Lines</h2>
          <Lines {...shown} />
        </div>
        <div>
          <h2>Its way</h2>
          <Way moments={momentsOf(shown)} next={nextOf(shown)} isAutomatic={shown.isAutomatic} />
          <h2>Fulfillments</h2>
          <OrderPackages {...shown} />
        </div>
      </div>
    </article>
  );
}

/** Why it is Needs Changes. */
const Waiting = ({ notActive }: OrderView) => (
  <p>
    {notActive.length > 0
      ? `It needs changes because its packaging is not Active: ${notActive.map(({ name, status }) => `${name} is ${status}`).join(', ')}.`
      : 'It needs changes because its packaging was not Active when it was ordered; by now it is.'}{' '}
    <PageLink to="catalog">Catalog and packaging</PageLink>
  </p>
);

function Facts({ order, name, consumer, brand }: OrderView) {
  const { address1, city, province_name: province, postal_code: code, country_name: country } = order.shipping_address;
  return (
    <dl class="facts">
      <Fact name="Consumer">
        {name} <span class="id muted">{order.consumer_id}</span>
      </Fact>
      {consumer?.email && <Fact name="E-mail">{consumer.email}</Fact>}
      {consumer?.phone_number && <Fact name="Telephone">{consumer.phone_number}</Fact>}
      <Fact name="Shipped to">{[address1, city, province, code, country].filter(Boolean).join(', ')}</Fact>
      <Fact name="Brand">{brand}</Fact>
    </dl>
  );
}

const Lines = ({ lines }: OrderView) => (
  <ol class="lines">
    {lines.map(({ line, pouches, packages }) => (
      <li>
        <span class="id muted">{line.id}</span>
        {line.duration !== undefined && <span> · duration {line.duration}</span>}
        <ul>
          {pouches.map((pouch) => (
            <li>{pouchWords(pouch)}</li>
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
