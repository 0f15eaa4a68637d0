// Pages of the control API's lists: limits, and cursors, which are opaque to clients.
import { z } from 'zod';
import { numberFromText } from '../numeric-text.ts';
import { bounds } from './bounds.ts';

const mark = 'after ';

/** The cursor of the page after what was shown last: a sequence number, or an id. */
export const cursorAfter = (last: string | number): string => btoa(mark + last).replaceAll('=', '');

/** A cursor as a client gives it back, as what was shown last; only the very text that was given is one. */
export const cursorOf = <T extends string | number>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    const last = read(decoded(text).replace(mark, ''));
    if (last !== '' && cursorAfter(last) === text) return last;
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

/** A whole number in a query. */
export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .preprocess(numberFromText, z.int().min(minimum).max(maximum))
    .meta({ override: { type: 'integer', minimum, maximum } });

/** The query of a list of records. Without limit and cursor the list is complete. */
export const recordsQuery = z.strictObject({
  limit: wholeNumber(1, bounds.pageItems).optional(),
  /** As the sequence number of the last record shown. */
  cursor: cursorOf(Number).optional(),
});
export type RecordsQuery = z.output<typeof recordsQuery>;
