// Calls are matched by their bodies once they are answered.
import { expect, test } from 'vitest';
import { verify, wait } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, received } from './calls.ts';

const kept = '{"kept":[1,2,3]}';
const late = '{"late":[1,2,3]}';

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

test('a call that came before the window does not end a wait when it is answered', async () => {
  const journal = newJournal();
  const early = journal.receive(received());
  const { id: since } = call(journal);
  const waiting = wait(journal, { match: {}, since }, { timeoutMilliseconds: 60_000 });
  journal.complete(early, answered());
  const inside = call(journal);
  expect(await waiting).toMatchObject({ satisfied: true, requests: [{ id: inside.id }] });
});
