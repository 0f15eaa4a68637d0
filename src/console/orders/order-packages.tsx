// The packages of an order: on its way, moment by moment, and as a list.
import type { ShownOrder } from '../../control/shown-order.ts';
import { oneAt } from '../addresses.ts';
import { PackageBadge } from '../parts/package-badge.tsx';
import { type Moment, stepWords, Way } from '../parts/way.tsx';

interface Props {
  readonly sandbox: string;
  readonly shown: ShownOrder;
}

export const OrderWay = ({ sandbox, shown }: Props) => (
  <Way moments={momentsOf(shown, sandbox)} next={nextOf(shown, sandbox)} isAutomatic={shown.isAutomatic} />
);

function momentsOf({ order, packages }: ShownOrder, sandbox: string): Moment[] {
  const changed = order.updated_at === order.created_at ? [] : [order.updated_at];
  return [
    { at: order.created_at, words: 'Created' },
    ...packages.flatMap(({ record, events }) =>
      events.map(({ at, name }) => ({ at, words: <OfPackage sandbox={sandbox} record={record} what={name} /> })),
    ),
    ...changed.map((at) => ({ at, words: `Last change of the order: it is ${order.status}` })),
  ];
}

function nextOf({ next, packages }: ShownOrder, sandbox: string): Moment[] {
  const ofPackages = packages.flatMap(({ record, next: step }) =>
    step
      ? [{ at: step.dueAt, words: <OfPackage sandbox={sandbox} record={record} what={stepWords[step.step]} /> }]
      : [],
  );
  return [...(next ? [{ at: next.dueAt, words: stepWords[next.step] }] : []), ...ofPackages];
}

interface PackageLinkProps {
  readonly sandbox: string;
  readonly record: ShownOrder['packages'][number]['record'];
}

/** A package by its number. */
export const PackageLink = ({ sandbox, record: { id, shipment_order_number: number } }: PackageLinkProps) => (
  <a href={oneAt(sandbox, 'fulfillments', id)}>{number}</a>
);

const OfPackage = ({ what, ...link }: PackageLinkProps & { readonly what: string }) => (
  <>
    <PackageLink {...link} />: {what}
  </>
);

export const OrderPackages = ({ sandbox, shown: { packages } }: Props) =>
  packages.length === 0 ? (
    <p class="muted">Nothing is shipped yet.</p>
  ) : (
    <ul class="plain">
      {packages.map(({ record, status }) => (
        <li>
          <PackageLink sandbox={sandbox} record={record} /> <PackageBadge id={record.status_id} name={status} />{' '}
          <span class="muted">{record.order_lines.map(({ name }) => name).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
