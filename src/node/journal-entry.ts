// An entry of the journal as the command reads and prints it.
import { z } from 'zod';
import { requestShown } from '../contract/admin/requests.ts';
import { visible } from './visible.ts';

/** What the command needs of an entry; it holds more. */
export const journalEntry = z.looseObject({
  ...requestShown.pick({ id: true, received_at: true, completed: true, method: true, path: true, rules: true }).shape,
  ...requestShown.pick({ status: true, duration_ms: true }).shape,
  decision: z.looseObject({ sentence: z.string(), faults: z.array(z.string()) }).nullable(),
});
export type JournalEntry = z.output<typeof journalEntry>;

/** GET …/requests. */
export const journalList = z.looseObject({ requests: z.array(journalEntry), dropped: z.int() });

type Told = Pick<JournalEntry, 'received_at' | 'method' | 'path' | 'status' | 'duration_ms'> & {
  readonly rules: readonly string[];
  readonly decision: { readonly sentence: string; readonly faults: readonly string[] } | null;
};

/** One line; for a refusal, an answer that was never given, and a call that a fault met, with why. */
export function entryLine({ received_at, method, path, status, rules, duration_ms, decision }: Told): string {
  const why = decision && needsWhy(status, decision.faults) ? [decision.sentence] : [];
  const duration = duration_ms === null ? '-' : `${duration_ms.toFixed(1)} ms`;
  return visible([received_at, method, path, status ?? '-', rules.join(',') || '-', duration, ...why].join(' '));
}

const needsWhy = (status: number | null, faults: readonly string[]): boolean =>
  status === null || status >= 400 || faults.length > 0;
