// Instants as options and the control API take them: ISO 8601 with an offset.
import { z } from 'zod';
import { once } from './lazily.ts';

const schema = once(() => z.iso.datetime({ offset: true }));

/** The last instant that ISO 8601 writes with four digits for the year, in milliseconds since 1970. */
export const latestInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant that a clock may show: from 1970 to the end of 9999; undefined for any other text. */
export function parseClockInstant(text: string): number | undefined {
  const at = parseInstant(text);
  return at !== undefined && at >= 0 && at <= latestInstant ? at : undefined;
}

/** Milliseconds since 1970; undefined for what is no instant, such as a day that is not in the calendar. */
export function parseInstant(text: string): number | undefined {
  return schema().safeParse(text).success ? Date.parse(text) : undefined;
}
