// Which assumptions the calls of a journal have hung on, how many of them, and the newest.
import { expect, test } from 'vitest';
import { assumptionUses } from '../../src/console/pages/assumptions.tsx';
import type { AssumptionId } from '../../src/contract/assumptions.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { call, newJournal, received } from '../control/journal/calls.ts';

const journal = newJournal();
const callThatAsks = (...ids: AssumptionId[]) => {
  const assumptions = new Assumptions(resolveChoices(), []);
  for (const id of ids) assumptions.get(id);
  return call(journal, {}, { outcome: { stage: 'operation', assumptions } });
};

test('each is told with all calls that asked for it, and the newest, whatever else they asked for', () => {
  callThatAsks('next_cursor', 'list_order');
  callThatAsks('next_cursor', 'list_order');
  const both = callThatAsks('list_order', 'rate_limit');
  const last = callThatAsks('next_cursor', 'list_order');
  call(journal);
  journal.receive(received());
  const touched = assumptionUses(journal.newestFirst());
  const told = [...touched].map(([id, { calls, newest }]) => [id, calls, newest.id]);
  expect(told.sort()).toEqual([
    ['list_order', 4, last.id],
    ['next_cursor', 3, last.id],
    ['rate_limit', 1, both.id],
  ]);
});

test('the first and the last of the register are told apart', () => {
  journal.clear();
  callThatAsks('validation_placement');
  callThatAsks('rate_limit');
  expect([...assumptionUses(journal.newestFirst()).keys()]).toEqual(['rate_limit', 'validation_placement']);
});
