import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Verification } from '../../../src/contract/control/requests.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { wait } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, received } from './calls.ts';

const posts = { method: 'POST' } as const;
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a wait said by now; undefined where it still waits. */
async function saidBy(waiting: ReturnType<typeof wait>): Promise<unknown> {
  const verdict = await Promise.race([waiting, Promise.resolve()]);
  return typeof verdict === 'object' ? { satisfied: verdict.satisfied, count: verdict.count } : verdict;
}

const begun = (journal: Journal, asked: Partial<Verification> = {}) =>
  wait(journal, { match: posts, ...asked }, { timeoutMilliseconds: minute });

describe('wait', () => {
  test('ends at once where the calls came already', async () => {
    const journal = newJournal();
    call(journal, posts);
    expect(await saidBy(begun(journal))).toEqual({ satisfied: true, count: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends with the answer of the call that was missing, not with its arrival', async () => {
    const journal = newJournal();
    const waiting = begun(journal, { count: { at_least: 2 } });
    call(journal, posts);
    call(journal);
    const last = journal.receive(received(posts));
    expect(await saidBy(waiting)).toBeUndefined();
    journal.complete(last, answered());
    expect(await saidBy(waiting)).toEqual({ satisfied: true, count: 2 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('says at the timeout that it was not satisfied', async () => {
    const journal = newJournal();
    const waiting = begun(journal, { count: 2 });
    call(journal, posts);
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect(await saidBy(waiting)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await saidBy(waiting)).toEqual({ satisfied: false, count: 1 });
  });

  test('ends at once where what was evicted would decide', async () => {
    const journal = newJournal({ maxEntries: 1 });
    call(journal);
    call(journal);
    expect(await saidBy(begun(journal))).toBe('evicted');
    expect(await saidBy(begun(journal, { since: 'unheard-of' }))).toBe('evicted');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends when calls that it waits for are evicted', async () => {
    const journal = newJournal({ maxEntries: 2 });
    const waiting = begun(journal, { count: { at_least: 5 } });
    for (let index = 0; index < 3; index += 1) call(journal, posts);
    expect(await saidBy(waiting)).toBeUndefined();
    for (let index = 0; index < 2; index += 1) call(journal, posts);
    expect(await saidBy(waiting)).toBe('evicted');
  });

  test('goes on over a clear, and counts anew', async () => {
    const journal = newJournal();
    const waiting = begun(journal, { count: { at_least: 2 } });
    call(journal, posts);
    journal.clear();
    call(journal, posts);
    expect(await saidBy(waiting)).toBeUndefined();
    call(journal, posts);
    expect(await saidBy(waiting)).toEqual({ satisfied: true, count: 2 });
  });

  test('ends when the journal is closed, and at once where it is', async () => {
    const journal = newJournal();
    const waiting = begun(journal);
    expect(await saidBy(waiting)).toBeUndefined();
    journal.close();
    expect(await saidBy(waiting)).toEqual({ satisfied: false, count: 0 });
    expect(await saidBy(begun(journal))).toEqual({ satisfied: false, count: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('counts only what came since', async () => {
    const journal = newJournal();
    const first = call(journal, posts);
    const waiting = begun(journal, { since: first.id });
    expect(await saidBy(waiting)).toBeUndefined();
    call(journal, posts);
    expect(await saidBy(waiting)).toEqual({ satisfied: true, count: 1 });
  });
});
