// The journal in the responses of the control API: entries, lists, verifications, and the HAR archive.
import { describe, expect, test } from 'vitest';
import {
  harDocument,
  type RequestsJson,
  requestOperations,
  requestsQuery,
  requestsSchema,
} from '../../../src/contract/control/requests.ts';
import { harOf } from '../../../src/journal/har.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { presentEntry, presentList } from '../../../src/journal/present.ts';
import { call, newJournal, received } from './calls.ts';

test('a body is JSON where it is JSON that can be written again', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const [body, expected] of [
    [null, null],
    ['', ''],
    ['{"a":[1]}', { a: [1] }],
    ['"text"', 'text'],
    ['{"a":', '{"a":'],
    [deep, deep],
  ] as const) {
    const { request, response } = presentEntry(call(newJournal(), { body }, { body }));
    expect([request.body, response?.body]).toEqual([expected, expected]);
  }
});

describe('the list', () => {
  const list = (journal: Journal, query: Record<string, string> = {}): RequestsJson =>
    requestsSchema.parse(presentList(journal, requestsQuery.parse(query)));
  const filled = (journal: Journal, count: number) => Array.from({ length: count }, () => call(journal).id);
  const idsOf = ({ requests }: RequestsJson): string[] => requests.map(({ id }) => id);

  test('is whole without limit and cursor, and has pages of twenty with a cursor', () => {
    const journal = newJournal();
    const ids = filled(journal, 50);
    expect(list(journal)).toMatchObject({ requests: ids.map((id) => ({ id })), dropped: 0, oldest: ids[0] });
    expect(list(journal)).not.toHaveProperty('next_cursor');
    const { next_cursor: cursor = '' } = list(journal, { limit: '5' });
    expect(idsOf(list(journal, { cursor }))).toEqual(ids.slice(5, 25));
  });

  test('continues where it can when the entry of the cursor was evicted', () => {
    const journal = newJournal({ maxEntries: 3 });
    filled(journal, 3);
    const { next_cursor: cursor = '' } = list(journal, { limit: '1' });
    const later = filled(journal, 3);
    const page = list(journal, { cursor });
    expect([idsOf(page), page.dropped, page.oldest]).toEqual([later, 3, later[0]]);
  });

  test('has no invalid query', () => {
    const cursors = ['', 'abc', btoa('before x').replaceAll('=', ''), `${btoa('after abc').replaceAll('=', '')}=`];
    for (const query of [
      ...[{ limit: '0' }, { limit: '1001' }, { limit: 'x' }, ...cursors.map((cursor) => ({ cursor }))],
      ...[{ status: '99' }, { rule: 'ORD-99' }, { operation: 'orders.remove' }, { path: 'v2' }, { unknown: 'x' }],
    ])
      expect(requestsQuery.safeParse(query).success, JSON.stringify(query)).toBe(false);
  });
});

test('a wait has 5 seconds by default and at most 10 minutes', () => {
  const { body } = requestOperations['requests.wait'];
  expect(body.parse({ match: {} }).timeout_ms).toBe(5000);
  const isValid = (timeout_ms: number) => body.safeParse({ match: {}, timeout_ms }).success;
  expect([isValid(600_000), isValid(600_001)]).toEqual([true, false]);
});

test('the archive has completed calls, the size of each body as it was sent, and the status 0 for a cut connection', () => {
  const journal = newJournal();
  const body = '{"access_token":"s3cret","name":"Zoë 🌱"}';
  call(journal, {}, { body });
  call(journal, {}, { body: null, bodyBytes: 1234 });
  call(journal, {}, { status: null, outcome: { stage: 'admission', faults: ['lost'] } });
  const pending = presentEntry(journal.receive(received()));
  expect(pending).toMatchObject({ completed: false, status: null, rules: [], duration_ms: null, response: null });
  const har = harOf(journal.list(), 'http://localhost:4010', { name: 'sachet', version: '1.2.3' });
  const { entries } = harDocument.parse(har).log;
  expect(entries.map(({ response }) => response.content.size)).toEqual([Buffer.byteLength(body), 1234, 0]);
  const { response, comment } = entries[2] ?? {};
  expect([response?.status, response?.statusText, response?.content.text]).toEqual([0, '', undefined]);
  expect(comment).toBe('Connection cut by the fault lost.');
});
