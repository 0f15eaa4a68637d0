// A pouch in words.
import type { ShownPouch } from '../../control/shown-order.ts';

/** @example 'Morning: 2 × Bright Vitamin C, Omega 3' */
export function pouchWords({ time, pack, contents }: ShownPouch): string {
  const packs = pack === undefined ? [] : [`pack ${pack}`];
  const products = contents.map(({ name, size }) => (size === undefined ? name : `${size} × ${name}`));
  const held = [...packs, ...products].join(', ') || 'empty';
  return time === undefined ? held : `${time}: ${held}`;
}
