// An entry as a text, by which servers that share a store tell each other of the calls that they have answered.
import type { AssumptionId, Readings } from '../../contract/assumptions.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Decision } from './decision.ts';
import { type Answer, type Entry, entryBytes, type OpenEntry } from './entry.ts';

type Asked = Partial<Record<AssumptionId, unknown>>;
type TextAnswer = Omit<Answer, 'decision' | 'seen'> & {
  readonly decision: Omit<Decision, 'terms'> & { readonly asked?: Asked };
};
type TextEntry = Omit<Entry, 'answer' | 'sequence' | 'startedAt'> & { readonly answer: TextAnswer };

/** Without when it began: each process measures that from a moment of its own. */
export function entryText({ answer, startedAt: _, sequence: _sequence, bytes: _bytes, ...came }: OpenEntry): string {
  if (!answer) throw new Error('only what is answered is told to others');
  const { status, headers, body, answeredAt, durationMilliseconds, caller } = answer;
  const { terms, ...decision } = answer.decision;
  const asked = terms && Object.fromEntries(Array.from(terms.asked, (id) => [id, terms.readings[id]]));
  const told = { status, headers, body, answeredAt, durationMilliseconds, caller, decision: { ...decision, asked } };
  return JSON.stringify({ ...came, answer: told });
}

/** What a text does not say, but whoever reads it. */
export interface Reader {
  readonly sequence: number;
  /** When the call began, by this process's stopwatch. */
  readonly startedAt: number;
  /** Terms with these readings, for which these were asked. */
  readonly termsOf: (asked: Partial<Readings>) => Terms;
}

/** Calls of other processes come of an answer as those over a port do: by their times. */
const seen = Object.freeze({ from: 0 });

export function readEntry(text: string, { sequence, startedAt, termsOf }: Reader): OpenEntry {
  const { answer, ...came }: TextEntry = JSON.parse(text);
  const { asked, ...decision } = answer.decision;
  const terms = asked && termsOf(asked as Partial<Readings>);
  const made: Answer = { ...answer, seen, decision: { ...decision, terms } };
  return { ...came, answer: made, sequence, startedAt, bytes: entryBytes + text.length };
}
