// Which calls a match selects, and counts of completed calls that match, in cases that no request of test/http reaches.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { match as schema } from '../../../src/contract/control/match.ts';
import type { Verification } from '../../../src/contract/control/requests.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { type CallFacts, matches } from '../../../src/journal/match.ts';
import { verify, wait } from '../../../src/journal/verify.ts';
import { answered, call, newJournal, noon, received } from './calls.ts';

const facts: CallFacts = {
  ...{ operation: 'orders.create', method: 'POST', path: '/v2/orders', status: 422, rules: ['ORD-15', 'ORD-16'] },
  body: { consumer: { id: 'a', extra: null }, order_lines: [{ duration: 30 }, { duration: 7 }] },
};
const isMatch = (match: object, changes: Partial<CallFacts> = {}) =>
  matches(schema.parse(match), { ...facts, ...changes });

test('each condition must hold; a call without a status, rules, body or operation matches no condition on it', () => {
  const { status: _, rules: __, ...pending } = facts;
  for (const condition of [{ status: 422 }, { rule: 'ORD-16' }] as const) {
    expect([isMatch(condition), isMatch({ ...condition, method: 'GET' })]).toEqual([true, false]);
    expect([matches(condition, pending), matches(condition, { ...pending, status: null })]).toEqual([false, false]);
  }
  expect([isMatch({ status: 201 }), isMatch({ rule: 'ORD-1' })]).toEqual([false, false]);
  expect(isMatch({ body: {} }, { body: undefined })).toBe(false);
  expect(isMatch({ operation: 'orders.create' }, { operation: null })).toBe(false);
});

test('the body is read only where the match has one', () => {
  const unread = {
    ...facts,
    get body(): unknown {
      throw new Error('the body was read');
    },
  };
  expect(matches({ method: 'POST', status: 422 }, unread)).toBe(true);
});

test('more templates than the cache holds are still distinguished', () => {
  for (let index = 0; index < 2500; index += 1) {
    const path = `/v2/{id}/${index}`;
    expect(isMatch({ path }, { path: `/v2/x/${index}` })).toBe(true);
    expect(isMatch({ path }, { path: `/v2/x/${index + 1}` })).toBe(false);
  }
});

test('a body contains items in their order, and null and the names of a prototype only where it has them', () => {
  const bodies = [
    { consumer: { extra: null } },
    { order_lines: [{ duration: 30 }, {}] },
    { consumer: { absent: null } },
    { order_lines: [{ duration: 7 }, { duration: 30 }] },
  ];
  expect(bodies.map((body) => isMatch({ body }))).toEqual([true, true, false, false]);
  const inherited = JSON.parse('{"__proto__":{}}');
  expect(matches({ body: inherited }, { ...facts, body: {} })).toBe(false);
  expect(matches({ body: inherited }, { ...facts, body: JSON.parse('{"__proto__":{"a":1}}') })).toBe(true);
});

test('a body of a match has at most 1,000 values, including nested ones', () => {
  const bodyOf = (count: number) => ({ a: Array(500).fill(null), b: [{ c: Array(count - 504).fill(null) }] });
  const message = 'at most 1000 values, including nested ones';
  expect(schema.safeParse({ body: bodyOf(999) }).success).toBe(true);
  expect(schema.safeParse({ body: bodyOf(1000) }).error?.issues).toMatchObject([{ path: ['body'], message }]);
});

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
  journal.clear();
  for (let n = 0; n < 2; n += 1) call(journal, posts);
  expect(verdictSince(5)).toMatchObject({ satisfied: false });
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
