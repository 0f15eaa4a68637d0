// Pages of the control API's lists, with cursors that are opaque to clients.
import { z } from 'zod';
import { numberFromText, parsedText } from '../schema.ts';

const cursorPrefix = 'after ';

/** The cursor of the next page. @param last the sequence number or id of the last item shown */
export const cursorAfter = (last: string | number): string => btoa(cursorPrefix + last).replaceAll('=', '');

const expected = 'a next_cursor from this list';

/** Parses a cursor into the id in it. Accepts only texts that `cursorAfter` returns. */
export const idCursor = parsedText((text) => {
  const last = decoded(text);
  return last !== '' && cursorAfter(last) === text ? last : undefined;
}, expected);

/** Parses a cursor into the sequence number in it. */
export const sequenceCursor = parsedText((text) => {
  const last = Number(decoded(text));
  return Number.isSafeInteger(last) && last >= 0 && cursorAfter(last) === text ? last : undefined;
}, expected);

/** The `last` of `cursorAfter`; empty for a text that is not base64. */
function decoded(text: string): string {
  try {
    return atob(text).replace(cursorPrefix, '');
  } catch {
    return '';
  }
}

/** A whole number in a query. */
export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .preprocess(numberFromText, z.int().min(minimum).max(maximum))
    .meta({ override: { type: 'integer', minimum, maximum } });
