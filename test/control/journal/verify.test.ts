// verify and wait: counts of completed calls that match. They report `evicted` only where dropped calls could change the result.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Count } from '../../../src/contract/control/match.ts';
import type { Verification } from '../../../src/contract/control/requests.ts';
import type { Entry } from '../../../src/journal/entry.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { verify, wait } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, noon, received } from './calls.ts';

const posts = { method: 'POST' } as const;

/** A call of the model: one that matches has the method POST. */
interface Known {
  readonly entry: Entry;
  readonly isPost: boolean;
  readonly at: number;
  isCompleted: boolean;
}

/** Every call since the last clear, beside a journal that forgets. */
class Model {
  readonly journal: Journal = newJournal({ maxEntries: 4 });
  known: Known[] = [];
  readonly everSeen: string[] = [];

  receive(isPost: boolean, minute: number): void {
    const at = noon + minute * 60_000;
    const entry = this.journal.receive(received({ method: isPost ? 'POST' : 'GET', receivedAt: at }));
    this.known.push({ entry, isPost, at, isCompleted: false });
    this.everSeen.push(entry.id);
  }

  complete(which: number): void {
    const open = this.known.filter(({ isCompleted }) => !isCompleted);
    const one = open[which % Math.max(open.length, 1)];
    if (!one) return;
    one.isCompleted = true;
    this.journal.complete(one.entry, answered());
  }

  clear(): void {
    this.known = [];
    this.journal.clear();
  }

  /** The calls in the window; undefined where it begins at a call that the journal has no more. */
  window(since: string | undefined): Known[] | undefined {
    if (since === undefined) return this.known;
    if (since.includes(':')) return this.known.filter(({ at }) => at >= Date.parse(since));
    const index = this.known.findIndex(({ entry }) => entry.id === since);
    return this.journal.get(since) && this.known.slice(index + 1);
  }
}

function holds(count: Count | undefined, number: number): boolean {
  if (count === undefined) return number >= 1;
  if (typeof count === 'number') return number === count;
  return number >= (count.at_least ?? 0) && number <= (count.at_most ?? number);
}

/** Whether the count holds for every number of calls that there may have been. */
function expected(model: Model, count: Count | undefined, since: string | undefined): 'evicted' | boolean {
  const window = model.window(since);
  if (!window) return 'evicted';
  const counted = window.filter(({ isPost, isCompleted }) => isPost && isCompleted);
  const kept = counted.filter(({ entry }) => model.journal.get(entry.id)).length;
  const isTouched = window.some(({ entry }) => !model.journal.get(entry.id));
  const possible = Array.from({ length: (isTouched ? model.journal.dropped : 0) + 1 }, (_, more) => kept + more);
  const results = new Set(possible.map((number) => holds(count, number)));
  return results.size > 1 ? 'evicted' : results.has(true);
}

test('verify reports what is true, or that it cannot know', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ isPost: fc.boolean(), minute: fc.nat(5) }) },
    { weight: 6, arbitrary: fc.record({ complete: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.constant('clear' as const) },
  );
  const [at_least, at_most] = [fc.nat(8), fc.nat(8)];
  const bounds = [fc.record({ at_least }), fc.record({ at_most }), fc.record({ at_least, at_most })];
  const counts: fc.Arbitrary<Count | undefined> = fc.oneof(fc.constant(undefined), fc.nat(8), ...bounds);
  const instants = fc.nat(6).map((minute) => new Date(noon + minute * 60_000).toISOString());
  const starts = fc.oneof(fc.constant(undefined), fc.nat(30), instants);
  const property = fc.property(fc.array(step, { maxLength: 40 }), counts, starts, (steps, count, start) => {
    const model = new Model();
    for (const one of steps) {
      if (one === 'clear') model.clear();
      else if ('complete' in one) model.complete(one.complete);
      else model.receive(one.isPost, one.minute);
    }
    const since = typeof start === 'number' ? (model.everSeen[start] ?? 'unheard-of') : start;
    const verdict = verify(model.journal, { match: posts, count, since });
    const result = verdict === 'evicted' ? verdict : verdict.satisfied;
    expect(result).toBe(expected(model, count, since));
    if (result === 'evicted') return;
    const real = model.window(since)?.filter(({ isPost, isCompleted }) => isPost && isCompleted).length ?? 0;
    expect(result).toBe(holds(count, real));
  });
  fc.assert(property, { numRuns: 1000 });
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
  const minute = 60_000;
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

  test('ends when calls that count are evicted, and continues after a clear', async () => {
    const small = newJournal({ maxEntries: 2 });
    const evicting = start(small, { count: { at_least: 5 } });
    for (let index = 0; index < 3; index += 1) call(small, posts);
    expect(await resultOf(evicting)).toBeUndefined();
    for (let index = 0; index < 2; index += 1) call(small, posts);
    expect(await resultOf(evicting)).toBe('evicted');

    const journal = newJournal();
    const waiting = start(journal, { count: { at_least: 2 } });
    call(journal, posts);
    journal.clear();
    call(journal, posts);
    expect(await resultOf(waiting)).toBeUndefined();
    call(journal, posts);
    expect(await resultOf(waiting)).toEqual([true, 2]);
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
