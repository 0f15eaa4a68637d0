// Calls for a journal, each with an id of its own.
import type { AnswerParts, Entry, Received } from '../../../src/journal/entry.ts';
import { Journal, type JournalBounds, JournalBudget } from '../../../src/journal/journal.ts';
import { nodeHashes } from '../../../src/node/platform.ts';

export const noon = Date.parse('2026-11-20T12:00:00.000Z');

export const newJournal = (
  bounds: Partial<JournalBounds> = {},
  budget = new JournalBudget(),
  key = 'key of a',
): Journal => new Journal(nodeHashes, key, budget, bounds);

let made = 0;
export function received(given: Partial<Received> = {}): Received {
  made += 1;
  const plain = { method: 'GET', path: '/v2/products', query: '', headers: [], body: null };
  const came = { receivedAt: noon, startedAt: made, isByConsole: false, isOverPort: false };
  return { id: `call-${made}`, ...came, operation: 'products.list', ...plain, ...given };
}

/** An answer as tests say it. */
export type Given = Partial<AnswerParts>;

export const answered = ({ headers = {}, ...given }: Given = {}): AnswerParts => ({
  status: 200,
  headers,
  body: null,
  answeredAt: noon,
  durationMilliseconds: 1,
  caller: 'demo',
  outcome: { stage: 'operation' },
  ...given,
});

/** A whole call. */
export function call(journal: Journal, given: Partial<Received> = {}, answer: Given = {}): Entry {
  const entry = journal.receive(received(given));
  journal.complete(entry, answered(answer));
  return entry;
}

export const idsIn = (journal: Journal): string[] => journal.list().map(({ id }) => id);
