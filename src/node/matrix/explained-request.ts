// A call of a run that failed, as a report tells it: what was asked and answered, and what the reading has to do with it.
import type { Readings } from '../../contract/assumptions.ts';
import type { Entry } from '../../control/journal/entry.ts';
import { presentEntry } from '../../control/journal/present.ts';
import { type Turn, turnWords } from './turns.ts';

export interface RequestTold {
  readonly sandbox: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  /** null for a broken connection. */
  readonly status: number | null;
  readonly rules: readonly string[];
  readonly explanation: string;
}

/** Where a call was made. */
interface Met {
  readonly sandbox: string;
  readonly turn: Turn;
  readonly base: Readings;
}

/** Whether a call was refused, or its connection broken. */
export const isRefused = ({ answer }: Entry): boolean => answer !== null && (answer.status ?? 500) >= 400;

export function explainedRequest(entry: Entry, { sandbox, turn, base }: Met): RequestTold {
  const { method, path, operation, status, rules, decision } = presentEntry(entry);
  const answered = status === null ? `${method} ${path} got no answer` : `${method} ${path} answered ${status}`;
  const why = isRefused(entry) ? `: ${decision?.sentence ?? ''};` : ',';
  const explanation = `${answered}${why} read with ${turnWords(turn, base)}`;
  return { sandbox, method, path, operation, status, rules, explanation };
}
