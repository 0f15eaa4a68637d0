// Instants as options and the control API take them: ISO 8601 with an offset.
import { z } from 'zod';

const schema = z.iso.datetime({ offset: true });

/** Milliseconds since 1970; undefined for what is no instant, such as a day that is not in the calendar. */
export function parseInstant(text: string): number | undefined {
  return schema.safeParse(text).success ? Date.parse(text) : undefined;
}
