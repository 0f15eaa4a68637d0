// One order: what it holds, its way so far and next, and what the operator can do to it now.
import type { Child } from 'hono/jsx';
import type { OrderAction } from '../../contract/order-progress.ts';
import { pageAt } from '../addresses.ts';
import { PackageBadge } from '../fulfillments/package-badge.tsx';
import { Action } from '../parts/action.tsx';
import type { Visit } from '../visit.ts';
import { OrderBadge } from './order-badge.tsx';
import { type LineShown, type OrderShown, orderShown } from './order-shown.ts';
import { ShipForm } from './ship.tsx';
import { type Moment, stepWords, Way } from './way.tsx';

export async function orderPage({ sandbox, call }: Visit, id: string) {
  const { hashes } = call.edge;
  const shown = await sandbox.readAt(call.machineTime, (draft, now) => orderShown(draft, id, { now, hashes }));
  const { order } = shown;
  return (
    <article class="record">
      <div class="head">
        <h1>
          Order <span class="id">{order.id}</span>
        </h1>
        <div class="tools">
          <OrderBadge status={order.status} />
        </div>
      </div>
      <Operator sandbox={sandbox.name} shown={shown} />
      <div class="sides">
        <div>
          <h2>The order</h2>
          <Facts shown={shown} />
          <h2>Lines</h2>
          <Lines sandbox={sandbox.name} lines={shown.lines} />
        </div>
        <div>
          <h2>Its way</h2>
          <Way
            moments={momentsOf(shown, sandbox.name)}
            next={nextOf(shown, sandbox.name)}
            automatic={shown.automatic}
          />
          <h2>Fulfillments</h2>
          <Packages sandbox={sandbox.name} shown={shown} />
        </div>
      </div>
    </article>
  );
}

interface Props {
  readonly sandbox: string;
  readonly shown: OrderShown;
}

const words: Readonly<Record<OrderAction, readonly [label: string, done: string]>> = {
  accept: ['Accept', 'Order accepted'],
  hold: ['Hold', 'Order on hold'],
  release: ['Release', 'Order released'],
  approve_packaging: ['Approve packaging', 'Packaging approved'],
  start_production: ['Start production', 'Order in production'],
  cancel: ['Cancel', 'Order canceled'],
};

function Operator({ sandbox, shown }: Props) {
  const { possible, order } = shown;
  const isOver = possible.actions.length === 0 && possible.shippable.length === 0;
  return (
    <section aria-label="What the operator can do">
      {isOver && <p class="muted">The operator can do nothing more: the order is {order.status}.</p>}
      <div class="actions">
        {possible.actions.map((action) => {
          const [label, done] = words[action];
          return (
            <Action
              sandbox={sandbox}
              of={`orders.${action}`}
              names={{ id: order.id }}
              label={label}
              about="the order"
              done={done}
              {...(action === 'cancel' ? { confirm: 'Cancel this order?' } : {})}
              quiet={action === 'cancel' || action === 'hold'}
            />
          );
        })}
      </div>
      <ShipForm sandbox={sandbox} shown={shown} />
    </section>
  );
}

function Facts({ shown: { order, consumer, brand } }: { readonly shown: OrderShown }) {
  const { address1, city, province_name: province, postal_code: code, country_name: country } = order.shipping_address;
  const name = [consumer?.first_name, consumer?.last_name].filter(Boolean).join(' ') || 'without a name';
  return (
    <dl class="facts">
      <dt>Consumer</dt>
      <dd>
        {name} <span class="id muted">{order.consumer_id}</span>
      </dd>
      {consumer?.email && <Fact name="E-mail">{consumer.email}</Fact>}
      {consumer?.phone_number && <Fact name="Telephone">{consumer.phone_number}</Fact>}
      <Fact name="Shipped to">{[address1, city, province, code, country].filter(Boolean).join(', ')}</Fact>
      <Fact name="Brand">{brand}</Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const Lines = ({ sandbox, lines }: { readonly sandbox: string; readonly lines: readonly LineShown[] }) => (
  <ol class="lines">
    {lines.map(({ line, pouches, packages }) => (
      <li>
        <span class="id muted">{line.id}</span>
        {line.duration !== undefined && <span> · duration {line.duration}</span>}
        <ul>
          {pouches.map((pouch) => (
            <li>{pouch}</li>
          ))}
        </ul>
        {packages.map(({ id, shipment_order_number }) => (
          <p class="muted">
            shipped in <a href={pageAt(sandbox, `fulfillments/${id}`)}>{shipment_order_number}</a>
          </p>
        ))}
      </li>
    ))}
  </ol>
);

function momentsOf({ order, packages }: OrderShown, sandbox: string): Moment[] {
  const changed = order.updated_at === order.created_at ? [] : [order.updated_at];
  return [
    { at: order.created_at, words: 'Created' },
    ...packages.flatMap(({ record, events }) =>
      events.map(({ at, name }) => ({ at, words: <OfPackage sandbox={sandbox} record={record} what={name} /> })),
    ),
    ...changed.map((at) => ({ at, words: `Last change of the order: it is ${order.status}` })),
  ];
}

function nextOf({ next, packages }: OrderShown, sandbox: string): Moment[] {
  const ofPackages = packages.flatMap(({ record, next: step }) =>
    step
      ? [{ at: step.dueAt, words: <OfPackage sandbox={sandbox} record={record} what={stepWords[step.step]} /> }]
      : [],
  );
  return [...(next ? [{ at: next.dueAt, words: stepWords[next.step] }] : []), ...ofPackages];
}

interface OfPackageProps {
  readonly sandbox: string;
  readonly record: OrderShown['packages'][number]['record'];
  readonly what: string;
}

const OfPackage = ({ sandbox, record: { id, shipment_order_number: number }, what }: OfPackageProps) => (
  <>
    <a href={pageAt(sandbox, `fulfillments/${id}`)}>{number}</a>: {what}
  </>
);

const Packages = ({ sandbox, shown: { packages } }: Props) =>
  packages.length === 0 ? (
    <p class="muted">Nothing is shipped yet.</p>
  ) : (
    <ul class="plain">
      {packages.map(({ record: { id, status_id, shipment_order_number: number, order_lines }, status }) => (
        <li>
          <a href={pageAt(sandbox, `fulfillments/${id}`)}>{number}</a> <PackageBadge id={status_id} name={status} />{' '}
          <span class="muted">{order_lines.map(({ name }) => name).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
