// Which of the requests a page shows.
import type { Entry } from '../../control/journal/entry.ts';

export interface Filter {
  /** A part of the path, the query, the operation, a rule, the caller or the id, in any case. */
  readonly text: string;
  readonly method: string;
  readonly answer: string;
}

/** The kinds of answers that can be asked for, with their words. */
export const answers = {
  '2xx': 'accepted (2xx)',
  '4xx': 'refused (4xx)',
  '5xx': 'failed (5xx)',
  broken: 'connection broken',
  faults: 'met by a fault',
} as const;

export const filterOf = (query: URLSearchParams): Filter => ({
  text: (query.get('q') ?? '').trim().toLowerCase(),
  method: query.get('method') ?? '',
  answer: query.get('answer') ?? '',
});

export const isAll = ({ text, method, answer }: Filter): boolean => text + method + answer === '';

export const isShown = (entry: Entry, { text, method, answer }: Filter): boolean =>
  (method === '' || entry.method === method) && (answer === '' || isAnswered(entry, answer)) && hasText(entry, text);

function isAnswered({ answer }: Entry, kind: string): boolean {
  if (!answer) return false;
  if (kind === 'faults') return answer.decision.faults.length > 0;
  if (kind === 'broken') return answer.status === null || answer.decision.isLost;
  return String(answer.status).charAt(0) === kind.charAt(0);
}

function hasText({ id, path, query, operation, answer }: Entry, text: string): boolean {
  if (text === '') return true;
  const { rules = [], faults = [] } = answer?.decision ?? {};
  const all = [path + query, operation, answer?.caller, ...rules, ...faults, id];
  return all.some((one) => one?.toLowerCase().includes(text));
}
