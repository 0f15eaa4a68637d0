// An entry of the journal as the command reads and prints it.
import { z } from 'zod';
import { visible } from './visible.ts';

/** What the command needs of an entry; it holds more. */
export const journalEntry = z.looseObject({
  id: z.string(),
  /** The sandbox's time. */
  received_at: z.string(),
  method: z.string(),
  path: z.string(),
  /** None where the connection broke before an answer. */
  status: z.int().nullish(),
  rules: z.array(z.string()).optional(),
  duration_ms: z.number().nullish(),
  decision: z.looseObject({ sentence: z.string() }).nullish(),
});
export type JournalEntry = z.output<typeof journalEntry>;

/** GET …/requests. */
export const journalList = z.object({ requests: z.array(journalEntry), dropped: z.int().optional() });

/** One line; for a refusal with why. */
export function entryLine({
  received_at,
  method,
  path,
  status,
  rules = [],
  duration_ms,
  decision,
}: JournalEntry): string {
  const isRefused = status === null || status === undefined || status >= 400;
  const duration = typeof duration_ms === 'number' ? `${duration_ms.toFixed(1)} ms` : '-';
  const parts = [received_at, method, path, String(status ?? '-'), rules.join(',') || '-', duration];
  return visible([...parts, ...(isRefused && decision ? [decision.sentence] : [])].join(' '));
}
