// The wire form of the journal: every answer is one that the control API declares.
import { describe, expect, test } from 'vitest';
import {
  type RequestsJson,
  requestOperations,
  requestSchema,
  requestsQuery,
  requestsSchema,
} from '../../../src/contract/control/requests.ts';
import { Refusal } from '../../../src/contract/refusal.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { presentEntry, presentList, presentVerified } from '../../../src/journal/present.ts';
import { verify } from '../../../src/journal/verify.ts';
import { call, newJournal, noon, received } from './calls.ts';

const list = (journal: Journal, query: Record<string, string> = {}): RequestsJson =>
  requestsSchema.parse(presentList(journal, requestsQuery.parse(query)));

describe('an entry', () => {
  test('shows what came and what was answered, without secrets', () => {
    const journal = newJournal();
    const entry = call(
      journal,
      {
        id: 'abc',
        method: 'POST',
        path: '/v2/authentication/token',
        query: '?x=1',
        operation: 'authentication.token',
        headers: ['content-type', 'application/json', 'x-api-key', 'k'],
        body: '{"username":"demo","password":"p4ss"}',
      },
      {
        status: 401,
        headers: { 'content-type': 'application/json' },
        body: '{"statusCode":401}',
        durationMilliseconds: 1.5,
        caller: null,
        outcome: { stage: 'operation', refusal: new Refusal('bad_credentials') },
      },
    );
    const tag = expect.stringMatching(/^\[redacted [0-9a-f]{8}\]$/);
    expect(requestSchema.parse(presentEntry(entry))).toEqual({
      id: 'abc',
      received_at: '2026-11-20T12:00:00.000Z',
      completed: true,
      operation: 'authentication.token',
      method: 'POST',
      path: '/v2/authentication/token',
      query: '?x=1',
      status: 401,
      rules: ['bad_credentials'],
      duration_ms: 1.5,
      caller: null,
      request: {
        headers: { 'content-type': 'application/json', 'x-api-key': tag },
        body: { username: 'demo', password: tag },
      },
      response: { headers: { 'content-type': 'application/json' }, body: { statusCode: 401 } },
      decision: expect.objectContaining({ stage: 'operation', rules: ['bad_credentials'] }),
    });
  });

  test('under way shows what came', () => {
    const shown = requestSchema.parse(presentEntry(newJournal().receive(received())));
    const { completed, status, rules, duration_ms, response, decision } = shown;
    expect([completed, status, rules, duration_ms, response, decision]).toEqual([false, null, [], null, null, null]);
  });

  test('whose connection was broken is completed without a status', () => {
    const shown = requestSchema.parse(presentEntry(call(newJournal(), {}, { status: null })));
    expect([shown.completed, shown.status, shown.response]).toEqual([true, null, { headers: {}, body: null }]);
  });

  test.each([
    [null, null],
    ['', ''],
    ['{"a":[1]}', { a: [1] }],
    ['"text"', 'text'],
    ['{"a":', '{"a":'],
    ['[{"__proto__":1}]', JSON.parse('[{"__proto__":1}]')],
    ['['.repeat(100_000) + ']'.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('shows a body as JSON where it is JSON that can be written again', (body, expected) => {
    const shown = presentEntry(call(newJournal(), { body }, { body }));
    expect([shown.request.body, shown.response?.body]).toEqual([expected, expected]);
    expect(JSON.stringify(shown)).toContain('"body"');
  });
});

describe('the list', () => {
  const filled = (count: number, maxEntries = 1000): { journal: Journal; ids: string[] } => {
    const journal = newJournal({ maxEntries });
    return { journal, ids: Array.from({ length: count }, () => call(journal).id) };
  };
  const idsOf = ({ requests }: RequestsJson): string[] => requests.map(({ id }) => id);

  test('is whole where neither limit nor cursor is given', () => {
    const { journal, ids } = filled(50);
    const shown = list(journal);
    expect([idsOf(shown), shown.dropped, shown.oldest, 'next_cursor' in shown]).toEqual([ids, 0, ids[0], false]);
  });

  test.each([1, 7, 49, 50, 51])('is visited exactly once over pages of %i', (limit) => {
    const { journal, ids } = filled(50);
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = list(journal, { limit: String(limit), ...(cursor && { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test('has pages of twenty where only a cursor is given', () => {
    const { journal, ids } = filled(50);
    const { next_cursor: cursor = '' } = list(journal, { limit: '5' });
    expect(idsOf(list(journal, { cursor }))).toEqual(ids.slice(5, 25));
  });

  test('goes on where it can when the cursor’s entry was evicted', () => {
    const { journal } = filled(3, 3);
    const { next_cursor: cursor = '' } = list(journal, { limit: '1' });
    const later = [call(journal).id, call(journal).id, call(journal).id];
    const shown = list(journal, { cursor });
    expect([idsOf(shown), shown.dropped, shown.oldest]).toEqual([later, 3, later[0]]);
  });

  test('takes the filters of the query', () => {
    const { journal } = filled(3);
    const found = call(journal, { receivedAt: noon + 5, method: 'POST' }, { status: 404 });
    const query = { status: '404', method: 'POST', path: '/v2/products', operation: 'products.list' };
    expect(idsOf(list(journal, { ...query, since: '2026-11-20T12:00:00.005Z' }))).toEqual([found.id]);
    expect(idsOf(list(journal, { ...query, rule: 'ORD-1' }))).toEqual([]);
  });

  test.each([
    { limit: '0' },
    { limit: '1001' },
    { limit: 'x' },
    { status: '99' },
    { status: 'x' },
    { rule: 'ORD-99' },
    { operation: 'orders.remove' },
    { path: 'v2' },
    { cursor: '' },
    { cursor: 'abc' },
    { cursor: '!' },
    { cursor: 'a' },
    { cursor: btoa('before x').replaceAll('=', '') },
    { cursor: `${btoa('after abc').replaceAll('=', '')}=` },
    { unknown: 'x' },
  ])('refuses the query %j', (query) => {
    expect(requestsQuery.safeParse(query).success).toBe(false);
  });
});

test('what a verify says is shown as it is declared', () => {
  const journal = newJournal();
  const { id } = call(journal);
  const verdict = verify(journal, { match: {} });
  if (verdict === 'evicted') throw new Error('nothing was evicted');
  const shown = requestOperations['requests.verify'].responses[200].parse(presentVerified(verdict, journal));
  expect([shown.satisfied, shown.count, shown.requests[0]?.id]).toEqual([true, 1, id]);
});

test('a wait has a timeout of five seconds where none is said, and ten minutes at most', () => {
  const { body } = requestOperations['requests.wait'];
  expect(body.parse({ match: {} }).timeout_ms).toBe(5000);
  expect(body.safeParse({ match: {}, timeout_ms: 600_000 }).success).toBe(true);
  expect(body.safeParse({ match: {}, timeout_ms: 600_001 }).success).toBe(false);
});
