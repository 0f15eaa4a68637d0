// verify and wait: counts of completed calls that match. test/http/journal-verify tests the counts.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Verification } from '../../../src/contract/control/requests.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { verify, wait } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, noon, received } from './calls.ts';

const posts = { method: 'POST' } as const;
const minute = 60_000;

test('verify cannot know what came since an instant if an evicted call may have, also where the clock was set back', () => {
  const journal = newJournal({ maxEntries: 1 });
  for (const minutes of [5, 1, 0]) call(journal, { ...posts, receivedAt: noon + minutes * minute });
  const verdictSince = (minutes: number) => {
    const since = new Date(noon + minutes * minute).toISOString();
    return verify(journal, { match: posts, count: { at_least: 1 }, since });
  };
  expect(verdictSince(0)).toMatchObject({ satisfied: true, count: 1 });
  expect([verdictSince(5), verdictSince(6)]).toEqual(['evicted', { satisfied: false, count: 0, requests: [] }]);
});

test('verify matches bodies, also secret ones, however they alternate', () => {
  const journal = newJournal();
  const [ada, zoe] = ['{"name":"Ada","password":"p4ss"}', '{"name":"Zoe"}'];
  const calls = [ada, zoe, ada, zoe, '{"name":'].map((body) => call(journal, { body }));
  const requests = [calls[0], calls[2]];
  expect(verify(journal, { match: { body: { name: 'Ada' } } })).toMatchObject({ count: 2, requests });
  expect(verify(journal, { match: { body: { name: 'Zoe' } } })).toMatchObject({ count: 2 });
  expect(verify(journal, { match: { body: { password: 'p4ss' } }, count: 0 })).toMatchObject({ satisfied: true });
});

describe('wait', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = (journal: Journal, verification: Partial<Verification> = {}) =>
    wait(journal, { match: posts, ...verification }, { timeoutMilliseconds: minute });
  /** The result of a wait by now; undefined while it waits. */
  async function resultOf(waiting: ReturnType<typeof wait>): Promise<unknown> {
    const verdict = await Promise.race([waiting, Promise.resolve()]);
    return typeof verdict === 'object' ? [verdict.satisfied, verdict.count] : verdict;
  }

  test('ends with the response of the missing call, not with its arrival', async () => {
    const journal = newJournal();
    const waiting = start(journal, { match: { body: { late: [1] }, status: 201 }, count: { at_least: 2 } });
    const [late, created] = [{ body: '{"late":[1]}' }, { status: 201 }];
    call(journal, late, created);
    call(journal);
    const last = journal.receive(received(late));
    expect(await resultOf(waiting)).toBeUndefined();
    journal.complete(last, answered(created));
    expect(await resultOf(waiting)).toEqual([true, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('counts only calls that came in its window, also where an earlier one ends in it', async () => {
    const journal = newJournal();
    const early = journal.receive(received(posts));
    const { id: since } = call(journal, posts);
    const waiting = start(journal, { since });
    journal.complete(early, answered());
    expect(await resultOf(waiting)).toBeUndefined();
    call(journal, posts);
    expect(await resultOf(waiting)).toEqual([true, 1]);
  });
});
