// One order: what it holds, its way so far and next, and what the operator can do to it now.
import { type ShownLine, type ShownOrder, shownOrder } from '../../control/shown-order.ts';
import { pageAt } from '../addresses.ts';
import { Fact } from '../parts/fact.tsx';
import type { Visit } from '../visit.ts';
import { OrderActions } from './order-actions.tsx';
import { OrderBadge } from './order-badge.tsx';
import { OrderPackages, OrderWay, PackageLink } from './order-packages.tsx';
import { pouchWords } from './pouch-words.ts';

export async function orderPage({ sandbox, call }: Visit, id: string) {
  const { hashes } = call.edge;
  const shown = await sandbox.readAt(call.machineTime, (draft, now) => shownOrder(draft, id, { now, hashes }));
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
      {order.status === 'Needs Changes' && <Waiting sandbox={sandbox.name} notActive={shown.notActive} />}
      <OrderActions sandbox={sandbox.name} shown={shown} />
      <div class="sides">
        <div>
          <h2>The order</h2>
          <Facts shown={shown} />
          <h2>Lines</h2>
          <Lines sandbox={sandbox.name} lines={shown.lines} />
        </div>
        <div>
          <h2>Its way</h2>
          <OrderWay sandbox={sandbox.name} shown={shown} />
          <h2>Fulfillments</h2>
          <OrderPackages sandbox={sandbox.name} shown={shown} />
        </div>
      </div>
    </article>
  );
}

/** Why it is Needs Changes. */
const Waiting = ({ sandbox, notActive }: { readonly sandbox: string } & Pick<ShownOrder, 'notActive'>) => (
  <p>
    {notActive.length > 0
      ? `It needs changes because its packaging is not Active: ${notActive.map(({ name, status }) => `${name} is ${status}`).join(', ')}.`
      : 'It needs changes because its packaging was not Active when it was ordered; by now it is.'}{' '}
    <a href={pageAt(sandbox, 'catalog')}>Catalog and packaging</a>
  </p>
);

function Facts({ shown: { order, name, consumer, brand } }: { readonly shown: ShownOrder }) {
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

const Lines = ({ sandbox, lines }: { readonly sandbox: string; readonly lines: readonly ShownLine[] }) => (
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
            shipped in <PackageLink sandbox={sandbox} record={record} />
          </p>
        ))}
      </li>
    ))}
  </ol>
);
