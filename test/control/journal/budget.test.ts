import { expect, test } from 'vitest';
import { JournalBudget } from '../../../src/journal/journal.ts';
import { call, idsIn, newJournal } from './calls.ts';

const oneCall = (() => {
  const journal = newJournal();
  call(journal);
  return journal.bytes;
})();

test('several journals fill the budget exactly; one call more costs the largest its oldest', () => {
  const budget = new JournalBudget(4 * oneCall);
  const [small, large] = [newJournal({}, budget), newJournal({}, budget)];
  const oldest = call(large);
  for (const journal of [large, large, small]) call(journal);
  expect([budget.bytes, large.dropped, small.dropped]).toEqual([4 * oneCall, 0, 0]);
  call(small);
  expect([budget.bytes, large.dropped, small.dropped]).toEqual([4 * oneCall, 1, 0]);
  expect(large.get(oldest.id)).toBeUndefined();
});

test('the journal that brings the budget over it is not the one that pays, unless it is the largest', () => {
  const budget = new JournalBudget(10 * oneCall);
  const [quiet, busy] = [newJournal({}, budget), newJournal({}, budget)];
  const kept = call(quiet);
  for (let index = 0; index < 50; index += 1) call(busy);
  expect(idsIn(quiet)).toEqual([kept.id]);
  expect(busy.dropped).toBe(50 - idsIn(busy).length);
  expect(budget.bytes).toBe(quiet.bytes + busy.bytes);
  expect(budget.bytes).toBeLessThanOrEqual(10 * oneCall);
  expect(idsIn(busy).length).toBeGreaterThanOrEqual(7);
});

test('an answer counts, too', () => {
  const budget = new JournalBudget(3 * oneCall);
  const [large, small] = [newJournal({}, budget), newJournal({}, budget)];
  for (const journal of [large, large, small]) call(journal);
  expect([large.dropped, small.dropped]).toEqual([0, 0]);
  small.clear();
  call(small, {}, { body: '1' });
  expect([large.dropped, small.dropped]).toEqual([1, 0]);
});

test.each(['clear', 'close'] as const)('%s gives the bytes back', (forget) => {
  const budget = new JournalBudget(2 * oneCall);
  const [a, b] = [newJournal({}, budget), newJournal({}, budget)];
  call(a);
  call(a);
  a[forget]();
  expect(budget.bytes).toBe(0);
  call(b);
  call(b);
  expect([b.dropped, budget.bytes]).toEqual([0, 2 * oneCall]);
});

test('a closed journal takes no more of it', () => {
  const budget = new JournalBudget();
  const journal = newJournal({}, budget);
  journal.close();
  call(journal);
  expect(budget.bytes).toBe(0);
});

test('a journal that is over its own bound pays itself', () => {
  const budget = new JournalBudget(4 * oneCall);
  const other = newJournal({}, budget);
  for (let index = 0; index < 2; index += 1) call(other);
  const journal = newJournal({ maxBytes: 2 * oneCall }, budget);
  for (let index = 0; index < 5; index += 1) call(journal);
  expect([other.dropped, journal.dropped]).toEqual([0, 3]);
});

test('looking for the largest is rare: it gives an eighth of itself up at once', () => {
  const budget = new JournalBudget(1000 * oneCall);
  const journal = newJournal({ maxEntries: 5000 }, budget);
  for (let index = 0; index < 1000; index += 1) call(journal);
  expect(journal.dropped).toBe(0);
  call(journal);
  expect(journal.dropped).toBe(126);
});

test('of many journals that hold as much each gives up a part in its turn, and none twice', () => {
  const budget = new JournalBudget(80 * oneCall);
  const journals = Array.from({ length: 10 }, () => newJournal({}, budget));
  for (let round = 0; round < 8; round += 1) for (const journal of journals) call(journal);
  const busy = newJournal({}, budget);
  for (let index = 0; index < 8; index += 1) call(busy);
  expect(journals.map(({ dropped }) => dropped).sort()).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect([busy.dropped, budget.bytes]).toEqual([0, 80 * oneCall]);
});

test('one that outgrows those that were the largest pays before them', () => {
  const budget = new JournalBudget(12 * oneCall);
  const [one, other, growing] = [newJournal({}, budget), newJournal({}, budget), newJournal({}, budget)];
  for (let index = 0; index < 4; index += 1) for (const journal of [one, other]) call(journal);
  for (let index = 0; index < 5; index += 1) call(growing);
  expect([one.dropped, other.dropped, growing.dropped]).toEqual([0, 0, 1]);
  for (let index = 0; index < 20; index += 1) call(growing);
  expect([one.dropped, other.dropped]).toEqual([0, 0]);
});
