// All that the page of one order shows, seen at one time of the sandbox.
import type { RecordOf } from '../../contract/records.ts';
import { backstage, type Writing } from '../../control/backstage.ts';
import { type OrderPossible, possibleActions } from '../../control/operator.ts';
import { getRecord } from '../../control/records.ts';
import { lineName, type OrderLine, packagesOf } from '../../domain/packages.ts';
import { statusName } from '../../domain/tracking.ts';
import type { Draft } from '../../state/draft.ts';
import { type PackageEvent, packageEvents } from '../fulfillments/package-events.ts';
import { isAutomatic, type NextStep, nextStepOf } from './way.tsx';

type Fulfillment = RecordOf<'fulfillments'>;

/** A package of the order. */
export interface PackageShown {
  readonly record: Fulfillment;
  /** Its status by name. */
  readonly status: string;
  readonly events: readonly PackageEvent[];
  readonly next: NextStep | undefined;
}

export interface LineShown {
  readonly line: OrderLine;
  /** What it holds, in short. */
  readonly name: string;
  /** Each pouch in words. */
  readonly pouches: readonly string[];
  /** The packages it is in. */
  readonly packages: readonly Fulfillment[];
}

export interface OrderShown {
  readonly order: RecordOf<'orders'>;
  readonly brand: string;
  readonly consumer: RecordOf<'consumers'> | undefined;
  readonly lines: readonly LineShown[];
  readonly packages: readonly PackageShown[];
  readonly possible: OrderPossible;
  readonly next: NextStep | undefined;
  readonly automatic: boolean;
  readonly carriers: readonly RecordOf<'carriers'>[];
}

/** @throws ControlRefusal 404 */
export function orderShown(draft: Draft, id: string, writing: Writing): OrderShown {
  const order = getRecord(draft, 'orders', id);
  const world = backstage(draft, writing);
  const packages = packagesOf(world, order.id);
  return {
    order,
    brand: draft.table('brands').get(order.brand_id)?.name ?? order.brand_id,
    consumer: draft.table('consumers').get(order.consumer_id),
    lines: order.order_lines.map((line) => ({
      line,
      name: lineName(world, order.brand_id, line),
      pouches: line.pouches.map((pouch) => pouchWords(draft, order.brand_id, pouch)),
      packages: packages.filter(({ order_lines }) => order_lines.some((one) => one.id === line.id)),
    })),
    packages: packages.map((record) => ({
      record,
      status: statusName(world, record.status_id),
      events: packageEvents(world, record),
      next: nextStepOf(draft, record.id),
    })),
    possible: possibleActions(draft, order.id, writing),
    next: nextStepOf(draft, order.id),
    automatic: isAutomatic(draft),
    carriers: Array.from(draft.table('carriers').entries(), ([, carrier]) => carrier),
  };
}

/** @example 'Morning: 2 × Bright Vitamin C, Omega 3' */
function pouchWords(draft: Draft, brandId: string, pouch: OrderLine['pouches'][number]): string {
  const { time_of_administration: time, contents = [], pack_id: pack } = pouch;
  const known = pack === undefined ? undefined : draft.table('packs').get(String(pack));
  const packs = pack === undefined ? [] : [known?.brand_id === brandId ? `pack ${known.name}` : `pack ${pack}`];
  const products = contents.map(({ client_product_id: id, serving_size: size }) => {
    const name = draft.table('products').get(id)?.product_name ?? id;
    return size === undefined ? name : `${size} × ${name}`;
  });
  const held = [...packs, ...products].join(', ') || 'empty';
  return time === undefined ? held : `${time}: ${held}`;
}
