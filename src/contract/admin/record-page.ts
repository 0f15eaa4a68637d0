// Pages of a collection over the control API.
import { z } from 'zod';
import { bounds } from './bounds.ts';
import { cursorOf } from './cursor.ts';
import { wholeNumber } from './query-number.ts';

/** Whole unless limit or cursor is given. */
export const recordsQuery = z.strictObject({
  limit: wholeNumber(1, bounds.pageItems).optional(),
  /** As the sequence number of the last record shown. */
  cursor: cursorOf(Number).optional(),
});
export type RecordsQuery = z.output<typeof recordsQuery>;
