// What it costs to judge calls by their bodies: one reading for each who asks, and one for all who wait.
import { afterEach, expect, test, vi } from 'vitest';
import { verify, wait } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, received } from './calls.ts';

const kept = '{"kept":[1,2,3]}';
const late = '{"late":[1,2,3]}';

afterEach(() => {
  vi.restoreAllMocks();
});

/** How often a text is read from here on. */
function choices() {
  const spy = vi.spyOn(JSON, 'parse');
  return (text: string) => spy.mock.calls.filter(([read]) => read === text).length;
}

test('a call that is answered is read once for all who wait, and nothing is read again when they end', async () => {
  const journal = newJournal();
  call(journal, { body: kept });
  const under = new AbortController();
  const begin = (n: number) =>
    wait(journal, { match: { body: { late: [n] } } }, { timeoutMilliseconds: 60_000, signal: under.signal });
  const meant = wait(journal, { match: { body: { late: [1, 2, 3] } } }, { timeoutMilliseconds: 60_000 });
  const others = Array.from({ length: 9 }, (_, n) => begin(n));
  const entry = journal.receive(received({ body: late }));
  const readOf = choices();
  journal.complete(entry, answered());
  under.abort();
  expect([readOf(late), readOf(kept)]).toEqual([1, 0]);
  expect(await meant).toMatchObject({ satisfied: true, requests: [{ id: entry.id }] });
  for (const other of others) expect(await other).toMatchObject({ satisfied: false, count: 0 });
});

test('calls that are told apart by their bodies are, however they alternate', () => {
  const journal = newJournal();
  const calls = Array.from({ length: 6 }, (_, n) => call(journal, { body: n % 2 ? late : kept }));
  const requests = calls.filter((_, n) => n % 2);
  expect(verify(journal, { match: { body: { late: [1, 2, 3] } } })).toMatchObject({ count: 3, requests });
  expect(verify(journal, { match: { body: { kept: [1, 2, 3] } } })).toMatchObject({ count: 3 });
});

test('a call under way is judged when it is answered', async () => {
  const journal = newJournal();
  const entry = journal.receive(received({ body: late }));
  const waiting = wait(journal, { match: { body: { late: [1, 2, 3] }, status: 201 } }, { timeoutMilliseconds: 60_000 });
  journal.complete(entry, answered({ status: 201 }));
  expect(await waiting).toMatchObject({ satisfied: true, count: 1 });
});

test('a body is not read for a match that names none, or that fails by something else', () => {
  const journal = newJournal();
  call(journal, { body: kept });
  const readOf = choices();
  verify(journal, { match: { method: 'GET' } });
  verify(journal, { match: { method: 'POST', body: { kept: [] } } });
  expect(readOf(kept)).toBe(0);
  verify(journal, { match: { method: 'GET', body: { kept: [] } } });
  expect(readOf(kept)).toBe(1);
});
