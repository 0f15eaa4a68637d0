// Pages of a collection over the control API: the query, and the cursor, which is made of a sequence number.
import { z } from 'zod';
import { numberFromText } from '../numeric-text.ts';

/** Of a page; the whole list has no limit. */
const maxPageItems = 1000;

const cursorMark = 'after ';
/** The cursor of the page after the record with this sequence number. */
export const recordCursor = (sequence: number): string => btoa(cursorMark + sequence).replaceAll('=', '');

/** A cursor, as the sequence number of the last record shown. */
const cursor = z.string().transform((text, context) => {
  const sequence = Number(decoded(text).replace(cursorMark, ''));
  if (sequence >= 0 && recordCursor(sequence) === text) return sequence;
  context.issues.push({ code: 'custom', message: 'a next_cursor of this list', input: text });
  return z.NEVER;
});

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** Whole unless limit or cursor is given. */
export const recordsQuery = z.strictObject({
  limit: z.preprocess(numberFromText, z.int().min(1).max(maxPageItems)).optional(),
  cursor: cursor.optional(),
});
export type RecordsQuery = z.output<typeof recordsQuery>;
