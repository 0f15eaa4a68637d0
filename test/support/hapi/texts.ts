/** Texts drawn from lists: mostly the usual ones. */
import fc from 'fast-check';
import { known, unknownId } from '../../cases/requests.ts';

export type Texts = fc.Arbitrary<string>;

export const from = (...values: readonly string[]): Texts => fc.constantFrom(...values);

export const usually = (usual: Texts, odd: Texts, weight = 6): Texts =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

/** Ids of the fixtures, and one that nothing has. */
export const goodId: Texts = fc.constantFrom(
  ...Object.values(known).filter((id) => id.includes('-0000-4000-')),
  unknownId,
);
