// An entry as a text, by which servers that share a store tell each other of the calls that they have answered. It holds no secrets.
import type { AssumptionId, Readings } from '../../contract/assumptions.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Decision } from './decision.ts';
import { Answer, type Answered, Entry, entryBytes, type Received } from './entry.ts';
import type { Header } from './redaction.ts';

type Asked = Partial<Record<AssumptionId, unknown>>;
interface TextAnswer extends Omit<Answered, 'decided'> {
  readonly decision: Omit<Decision, 'terms'> & { readonly asked?: Asked };
}
interface TextEntry extends Omit<Received, 'startedAt' | 'headers'> {
  readonly headers: readonly Header[];
  readonly answer: TextAnswer;
}

/** Without when it began: each process measures that from a moment of its own. */
export function entryText(entry: Entry): string {
  const { answer, id, receivedAt, isOverPort, isByConsole, method, path, query, operation, headers, body } = entry;
  if (!answer) throw new Error('only an answered call is told to others');
  const { status, answeredAt, durationMilliseconds, caller } = answer;
  const { stage, rules, reported, faults, isInjected, isLost, next, details, terms } = answer.decision;
  const asked = terms && Object.fromEntries(Array.from(terms.asked, (one) => [one, terms.readings[one]]));
  const told: TextEntry = {
    ...{ id, receivedAt, isOverPort, isByConsole, method, path, query, operation, headers, body },
    answer: {
      ...{ status, headers: answer.headers, body: answer.body, answeredAt, durationMilliseconds, caller },
      decision: { stage, rules, reported, faults, isInjected, isLost, next, details, ...(asked && { asked }) },
    },
  };
  return JSON.stringify(told);
}

/** What a text does not say, but its reader. */
export interface Reader {
  readonly sequence: number;
  /** When the call began, by this process's stopwatch. */
  readonly startedAt: number;
  /** Terms with these assumptions, for which these were asked. */
  readonly termsOf: (asked: Partial<Readings>) => Terms;
}

export function readEntry(text: string, { sequence, startedAt, termsOf }: Reader): Entry {
  const { answer, headers, ...received }: TextEntry = JSON.parse(text);
  const { asked, ...decision } = answer.decision;
  const terms = asked && termsOf(asked as Partial<Readings>);
  const entry = new Entry({ ...received, startedAt, headers: headers.flat() }, sequence, undefined);
  entry.answer = new Answer(answer, { ...decision, terms }, { redactor: undefined, isOverPort: false });
  // Calls of other processes follow from an answer as those over a port do: by their times.
  entry.answer.handedOver.from = 0;
  entry.bytes = entryBytes + text.length;
  return entry;
}
