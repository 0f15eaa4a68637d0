// The bounds that a count asks for.
import type { Count } from '../../contract/admin/count.ts';

/** At least and at most so many calls. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function boundsOf(count: Count): Bounds {
  if (typeof count === 'number') return { least: count, most: count };
  return { least: count.at_least ?? 0, most: count.at_most ?? Number.POSITIVE_INFINITY };
}
