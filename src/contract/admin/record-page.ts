// Pages of a collection over the control API.
import { z } from 'zod';
import { numberFromText } from '../numeric-text.ts';
import { bounds } from './bounds.ts';
import { cursorOf } from './cursor.ts';

/** Whole unless limit or cursor is given. */
export const recordsQuery = z.strictObject({
  limit: z.preprocess(numberFromText, z.int().min(1).max(bounds.pageItems)).optional(),
  /** As the sequence number of the last record shown. */
  cursor: cursorOf(Number).optional(),
});
export type RecordsQuery = z.output<typeof recordsQuery>;
