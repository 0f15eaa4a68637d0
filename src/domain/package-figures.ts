// What a package weighs and costs, and who carries it: plausible, and always the same for the same package. The contract shows no units;
// the fixtures have grams and US dollars.
import type { RecordOf } from '../contract/records.ts';
import { drawFor, pickFor } from './draws.ts';
import type { OrderLine } from './packages.ts';
import type { Reach, World } from './world.ts';

type Order = RecordOf<'orders'>;
type Carrier = RecordOf<'carriers'>;

const grams = { box: 90, pouch: 3, most: 31_500 } as const;
const usualDuration = 30;

/** A box, and a pouch for each day of a line's duration. */
export function weightGrams(lines: readonly OrderLine[]): number {
  const pouches = lines.map(({ duration = usualDuration, pouches }) => Math.max(0, duration) * pouches.length);
  const weight = pouches.reduce((sum, count) => sum + count * grams.pouch, grams.box);
  return Math.min(Math.round(weight), grams.most);
}

const dollars = { least: 4.5, perGram: 0.014, abroad: 18, spread: 2 } as const;

/** Dearer by weight and abroad. */
export function netCharge(world: World, order: Order, fulfillmentId: string, weight: number): number {
  const draw = drawFor(world, 'charges', fulfillmentId);
  const abroad = isAbroad(order) ? dollars.abroad : 0;
  return Math.round((dollars.least + weight * dollars.perGram + abroad + draw * dollars.spread) * 100) / 100;
}

/** The operator ships from the United States, as its carriers do. */
const home = /^(?:us|usa|u\.s\.|u\.s\.a\.|united states(?: of america)?)$/i;
const isAbroad = ({ shipping_address }: Order): boolean => !home.test(shipping_address.country_name.trim());

/** One of the carriers that go where the order goes; any where none does; null where there is none at all. */
export function drawCarrier(world: World, order: Order, fulfillmentId: string): Carrier | null {
  const going = (reach: Reach) => Array.from(world.table('carriers').walk('reach', reach), ([, carrier]) => carrier);
  const [reach, other] = isAbroad(order) ? (['abroad', 'home'] as const) : (['home', 'abroad'] as const);
  const fitting = going(reach);
  const among = fitting.length > 0 ? fitting : going(other);
  return pickFor(world, 'carriers', fulfillmentId, among) ?? null;
}
