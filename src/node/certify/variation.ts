// What differs from one certification to the next, so that no client can know it by heart: the order of the scenarios,
// the ids of the rounds, and fulfillments that the fixtures do not have. The same seed gives the same.
import { hash } from 'node:crypto';
import type { SandboxControl } from '../../client/sandbox-control.ts';

/** Hexadecimal digits that follow from the seed and a purpose. */
export type Draw = (purpose: string) => string;

/** SHA-256 of the seed and the purpose. */
export const drawOf =
  (seed: string): Draw =>
  (purpose) =>
    hash('sha256', `${seed}\n${purpose}`);

/** The items in an order that is drawn. Their names differ. */
export function shuffled<Named extends { readonly name: string }>(items: readonly Named[], draw: Draw): Named[] {
  const place = ({ name }: Named) => draw(`place of ${name}`);
  return [...items].sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** A new id for every line that a client gets: it does not tell which scenario is applied. */
export function runIds(draw: Draw): () => string {
  let runs = 0;
  return () => {
    runs += 1;
    return draw(`run ${runs}`).slice(0, 8);
  };
}

const maxAdded = 3;
const uuidParts = /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;

/** Adds one to three copies of the newest fulfillment of each brand, with ids of their own. */
export async function addFulfillments({ records }: SandboxControl, draw: Draw): Promise<void> {
  const { fulfillments } = await records.fulfillments.list();
  const newest = new Map(fulfillments.map((one) => [one.brand_id, one]));
  for (const [brand, fulfillment] of newest) {
    const count = 1 + (Number.parseInt(draw(`fulfillments of ${brand}`).slice(0, 8), 16) % maxAdded);
    for (let n = 0; n < count; n += 1) {
      const id = draw(`fulfillment ${n} of ${brand}`).replace(uuidParts, '$1-$2-$3-$4-$5');
      await records.fulfillments.create({ ...fulfillment, id });
    }
  }
}
