// Whether the same order means the same wish: who orders the same again a week later wants it again.
import type { Told } from './told.ts';

const weekMilliseconds = 7 * 86_400_000;

export const isSameWant = ({ answeredAt }: Told, { at }: { readonly at: number }): boolean =>
  at - answeredAt < weekMilliseconds;
