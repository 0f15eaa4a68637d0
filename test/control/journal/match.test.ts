// Which calls a match selects where faults and journal-verify of test/http cannot see it.
import { expect, test } from 'vitest';
import { match as schema } from '../../../src/contract/control/match.ts';
import { type CallFacts, matches } from '../../../src/journal/match.ts';

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
