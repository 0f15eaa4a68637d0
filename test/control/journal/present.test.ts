// The journal in the responses of the control API: entries, lists, verifications, and the HAR archive.
import { describe, expect, test } from 'vitest';
import {
  type HarDocument,
  harDocument,
  type RequestsJson,
  requestOperations,
  requestSchema,
  requestsQuery,
  requestsSchema,
} from '../../../src/contract/control/requests.ts';
import { Refusal } from '../../../src/contract/refusal.ts';
import { harOf } from '../../../src/journal/har.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { presentEntry, presentList, presentVerified } from '../../../src/journal/present.ts';
import { verify } from '../../../src/journal/verify.ts';
import { call, newJournal, noon, received } from './calls.ts';

describe('an entry', () => {
  test('has the request and the response, without secrets', () => {
    const [headers, json] = [
      ['content-type', 'application/json', 'x-api-key', 'k'],
      { 'content-type': 'application/json' },
    ];
    const login = { operation: 'authentication.token', method: 'POST', path: '/v2/authentication/token' } as const;
    const entry = call(
      newJournal(),
      { id: 'abc', ...login, query: '?x=1', headers, body: '{"username":"demo","password":"p4ss"}' },
      {
        ...{ status: 401, headers: json, body: '{"statusCode":401}', durationMilliseconds: 1.5, caller: null },
        outcome: { stage: 'operation', refusal: new Refusal('bad_credentials') },
      },
    );
    const tag = expect.stringMatching(/^\[redacted [0-9a-f]{8}\]$/);
    expect(requestSchema.parse(presentEntry(entry))).toEqual({
      ...{ id: 'abc', received_at: '2026-11-20T12:00:00.000Z', completed: true, ...login, query: '?x=1' },
      ...{ status: 401, rules: ['bad_credentials'], duration_ms: 1.5, caller: null },
      request: { headers: { ...json, 'x-api-key': tag }, body: { username: 'demo', password: tag } },
      response: { headers: json, body: { statusCode: 401 } },
      decision: expect.objectContaining({ stage: 'operation', rules: ['bad_credentials'] }),
    });
  });

  test('in progress has no response; one whose connection was cut has no status', () => {
    const pending = requestSchema.parse(presentEntry(newJournal().receive(received())));
    const empty = { status: null, rules: [], duration_ms: null, response: null, decision: null };
    expect(pending).toMatchObject({ completed: false, ...empty });
    const cut = requestSchema.parse(presentEntry(call(newJournal(), {}, { status: null })));
    expect(cut).toMatchObject({ completed: true, status: null, response: { headers: {}, body: null } });
  });

  test.each([
    [null, null],
    ['', ''],
    ['{"a":[1]}', { a: [1] }],
    ['"text"', 'text'],
    ['{"a":', '{"a":'],
    ['['.repeat(100_000) + ']'.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('has a body as JSON where it is JSON that can be written again', (body, expected) => {
    const { request, response } = presentEntry(call(newJournal(), { body }, { body }));
    expect([request.body, response?.body]).toEqual([expected, expected]);
    expect(() => JSON.stringify(request)).not.toThrow();
  });
});

describe('the list', () => {
  const list = (journal: Journal, query: Record<string, string> = {}): RequestsJson =>
    requestsSchema.parse(presentList(journal, requestsQuery.parse(query)));
  const filled = (count: number, maxEntries = 1000): { journal: Journal; ids: string[] } => {
    const journal = newJournal({ maxEntries });
    return { journal, ids: Array.from({ length: count }, () => call(journal).id) };
  };
  const idsOf = ({ requests }: RequestsJson): string[] => requests.map(({ id }) => id);

  test('is whole without limit and cursor, and has pages of twenty with a cursor', () => {
    const { journal, ids } = filled(50);
    const whole = list(journal);
    expect([idsOf(whole), whole.dropped, whole.oldest, 'next_cursor' in whole]).toEqual([ids, 0, ids[0], false]);
    const { next_cursor: cursor = '' } = list(journal, { limit: '5' });
    expect(idsOf(list(journal, { cursor }))).toEqual(ids.slice(5, 25));
  });

  test.each([7, 49, 50, 51])('contains each entry once over pages of %i', (limit) => {
    const { journal, ids } = filled(50);
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = list(journal, { limit: String(limit), ...(cursor && { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test('continues where it can when the entry of the cursor was evicted', () => {
    const { journal } = filled(3, 3);
    const { next_cursor: cursor = '' } = list(journal, { limit: '1' });
    const later = [call(journal).id, call(journal).id, call(journal).id];
    const page = list(journal, { cursor });
    expect([idsOf(page), page.dropped, page.oldest]).toEqual([later, 3, later[0]]);
  });

  test('takes the filters of the query, and rejects invalid ones', () => {
    const { journal } = filled(3);
    const found = call(journal, { receivedAt: noon + 5, method: 'POST' }, { status: 404 });
    const query = { status: '404', method: 'POST', path: '/v2/products', operation: 'products.list' };
    expect(idsOf(list(journal, { ...query, since: '2026-11-20T12:00:00.005Z' }))).toEqual([found.id]);
    expect(idsOf(list(journal, { ...query, rule: 'ORD-1' }))).toEqual([]);
    const invalid = [
      ...['0', '1001', 'x'].map((limit) => ({ limit })),
      ...['', 'abc', '!', btoa('before x').replaceAll('=', ''), `${btoa('after abc').replaceAll('=', '')}=`].map(
        (cursor) => ({ cursor }),
      ),
      ...[{ status: '99' }, { rule: 'ORD-99' }, { operation: 'orders.remove' }, { path: 'v2' }, { unknown: 'x' }],
    ];
    for (const one of invalid) expect(requestsQuery.safeParse(one).success, JSON.stringify(one)).toBe(false);
  });
});

test('a verification is presented as declared; a wait has 5 seconds by default and at most 10 minutes', () => {
  const journal = newJournal();
  const { id } = call(journal);
  const verdict = verify(journal, { match: {} });
  if (verdict === 'evicted') throw new Error('nothing was evicted');
  const shown = requestOperations['requests.verify'].responses[200].parse(presentVerified(verdict, journal));
  expect([shown.satisfied, shown.count, shown.requests[0]?.id]).toEqual([true, 1, id]);
  const { body } = requestOperations['requests.wait'];
  expect(body.parse({ match: {} }).timeout_ms).toBe(5000);
  const isValid = (timeout_ms: number) => body.safeParse({ match: {}, timeout_ms }).success;
  expect([isValid(600_000), isValid(600_001)]).toEqual([true, false]);
});

describe('the archive', () => {
  const creator = { name: 'sachet', version: '1.2.3' };
  const exported = (journal: Journal): HarDocument['log'] =>
    harDocument.parse(harOf(journal.list(), 'http://localhost:4010/sandboxes/w7', creator)).log;

  test('has the completed calls, oldest first, in the form of HAR 1.2', () => {
    const journal = newJournal();
    call(journal, { method: 'GET', path: '/v2/fulfillments', query: '?limit=5&limit=6' });
    journal.receive(received());
    const { version, creator: by, entries } = exported(journal);
    expect([version, by, entries.length]).toEqual(['1.2', creator, 1]);
    expect(entries[0]?.startedDateTime).toBe('2026-11-20T12:00:00.000Z');
    expect(entries[0]?.request).toMatchObject({
      method: 'GET',
      url: 'http://localhost:4010/sandboxes/w7/v2/fulfillments?limit=5&limit=6',
      queryString: ['5', '6'].map((value) => ({ name: 'limit', value })),
    });
    expect(entries[0]?.request).not.toHaveProperty('postData');
  });

  test('has requests and responses with their explanation, without secrets', () => {
    const journal = newJournal();
    const headers = ['Content-Type', 'application/json', 'authorization', 'Bearer s3cret'];
    const sent = { method: 'POST', path: '/v2/orders', operation: 'orders.create' } as const;
    const json = { 'content-type': 'application/json' };
    call(
      journal,
      { ...sent, query: '?password=s3cret', headers, body: '{"key":"s3cret"}' },
      { status: 201, headers: json, body: '{"order":{}}', durationMilliseconds: 2.5 },
    );
    const log = exported(journal);
    expect(JSON.stringify(log)).not.toContain('s3cret');
    expect(log.entries[0]).toMatchObject({
      ...{ time: 2.5, timings: { wait: 2.5 }, comment: 'Answered with 201 by orders.create.' },
      request: { postData: { mimeType: 'application/json' } },
      response: {
        ...{ status: 201, statusText: 'Created', headers: [{ name: 'content-type', value: 'application/json' }] },
        content: { mimeType: 'application/json', text: '{"order":{}}' },
      },
    });
  });

  test('has the size of each body as it was sent, and the status 0 for a cut connection', () => {
    const journal = newJournal();
    const body = '{"access_token":"s3cret","name":"Zoë 🌱"}';
    call(journal, {}, { body });
    call(journal, {}, { body: null, bodyBytes: 1234 });
    call(journal, {}, { status: null, outcome: { stage: 'admission', faults: ['lost'] } });
    const { entries } = exported(journal);
    expect(entries.map(({ response }) => response.content.size)).toEqual([Buffer.byteLength(body), 1234, 0]);
    const { response, comment } = entries[2] ?? {};
    expect([response?.status, response?.statusText, response?.content.text]).toEqual([0, '', undefined]);
    expect(comment).toBe('Connection cut by the fault lost.');
  });
});
