// The requests that a document lets be sent: it takes the good ones, and refuses what the contract refuses by its shape alone.
import { describe, expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import { allOffered } from '../../cases/common.ts';
import { goodRequests, orderWith, type TokenOperation } from '../../cases/requests.ts';
import { rows } from '../../cases/table.ts';
import { complaints, operationIn } from '../../support/openapi-document.ts';
import { documentBy, type Json } from '../../support/published-documents.ts';
import { requestOf } from '../../support/refused.ts';

interface Sent {
  readonly path: string;
  readonly body?: unknown;
}

/** What a document says against a request: its body, the names in its path, its query. */
function objections(document: Json, id: OperationId, { path, body }: Sent): string[] {
  const { shown } = operationIn(document, id);
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const names =
    new RegExp(`^${filled(operations[id].path, (name) => `(?<${name}>[^/]+)`)}$`).exec(pathname)?.groups ?? {};
  const parameters = (shown.parameters ?? []).flatMap(({ in: part, name, schema, required }: Json) => {
    const came = part === 'path' ? names[name] : (searchParams.get(name) ?? undefined);
    if (came === undefined) return required ? [`${name} is missing`] : [];
    return complaints(document, schema, schema.type === 'integer' ? Number(came) : came);
  });
  const content = shown.requestBody?.content['application/json'];
  return [...parameters, ...(content ? complaints(document, content.schema, body) : [])];
}

/** Rules on what no schema sees: tokens, bytes, records, whole addresses. */
const unseen =
  /^(AUTH-[3-6]|LIM-.*|.*_endpoints|unauthorized_message|missing_token_message|old_token_after_refresh|bad_.*|expired_.*|foreign_resource)$/;
const ofBytes = [
  'malformed_body',
  'unsupported_media_type',
  'malformed_compression',
  'body_too_large',
  'malformed_path',
];
const ofRecords = [
  'CAT-2',
  'FUL-1',
  'FUL-2',
  'ORD-11',
  'ORD-17',
  'ORD-18',
  'ORD-19',
  'ORD-20',
  'ORD-21',
  'ORD-22',
  'ORD-23',
  'pack_id',
];
const ofShape = rows.filter(({ rule }) => !unseen.test(rule) && ![...ofBytes, ...ofRecords].includes(rule));

/** OpenAPI has no word for parameters that an operation does not have. */
const isUnsaid = ({ id, rule }: (typeof rows)[number]): boolean =>
  rule === 'unknown_fields' && operations[id].method === 'GET';

describe('a document lets no request be sent that breaks', () => {
  test.each(ofShape.filter((row) => !isUnsaid(row)))('$rule, to $id', ({ id, given }) => {
    expect(objections(documentBy(given.assumptions), id, requestOf(id, given))).not.toEqual([]);
  });
});

describe('a document says nothing against', () => {
  test.each(Object.keys(goodRequests) as TokenOperation[])('a good request to %s', (id) => {
    for (const more of [{}, { new_consumer_contact: 'both', time_of_administration: 'closed' }] as const)
      expect(objections(documentBy({ ...allOffered, ...more }), id, goodRequests[id])).toEqual([]);
  });

  test('the requests that no schema of it can refuse', () => {
    const left = ofShape.filter(isUnsaid);
    expect(left.map(({ id, rule }) => `${id} ${rule}`)).toEqual(expect.arrayContaining(['orders.list unknown_fields']));
    for (const { id, given } of left)
      expect(objections(documentBy(given.assumptions), id, requestOf(id, given))).toEqual([]);
  });

  test('the requests that records and tokens decide on', () => {
    const others = rows.filter(({ rule, given }) => ofRecords.includes(rule) && given.request?.raw === undefined);
    expect(others.length).toBeGreaterThan(20);
    for (const { id, given } of others)
      expect(objections(documentBy({ ...allOffered, ...given.assumptions }), id, requestOf(id, given))).toEqual([]);
  });
});

describe('a document takes and refuses by its readings', () => {
  const order = (patches: Readonly<Record<string, unknown>>): Sent => ({
    path: '/v2/orders',
    body: orderWith(patches),
  });
  const line = 'order_lines.0';
  const nameless = { consumer: { first_name: 'Ada', last_name: 'Lovelace' } };

  test.each<[keyof Choices, string, string, Sent]>([
    ['numeric_strings', 'accept', 'reject', order({ [`${line}.duration`]: '30' })],
    ['unknown_fields', 'ignore', 'reject', order({ gift: true })],
    ['unknown_fields', 'ignore', 'reject', order({ 'consumer.gift': true })],
    ['blank_strings', 'accept', 'reject', order({ 'shipping_address.city': ' ' })],
    ['empty_arrays', 'accept', 'reject', order({ [`${line}.pouches`]: [] })],
    ['phone_format', 'length_only', 'pattern', order({ 'consumer.phone_number': '0202555' })],
    ['time_of_administration', 'any', 'closed', order({ [`${line}.pouches.0.time_of_administration`]: 'Tea time' })],
    ['new_consumer_contact', 'none', 'either', order(nameless)],
    ['new_consumer_contact', 'phone_number', 'email', order({ 'consumer.email': undefined })],
    ['new_consumer_contact', 'email', 'phone_number', order({ 'consumer.phone_number': undefined })],
    ['new_consumer_contact', 'either', 'both', order({ 'consumer.phone_number': undefined })],
  ])('%s: it takes by %s what it refuses by %s', (id, taking, refusing, sent) => {
    const by = (choice: string) => objections(documentBy({ [id]: choice }), 'orders.create', sent);
    expect(by(taking)).toEqual([]);
    expect(by(refusing)).not.toEqual([]);
  });

  test('max_limit where over_max_limit refuses', () => {
    const at = (limit: number, more: Partial<Choices>) =>
      objections(documentBy(more), 'fulfillments.list', { path: `/v2/fulfillments?limit=${limit}` });
    expect([at(1000, {}), at(50, { max_limit: '50', over_max_limit: 'reject' })]).toEqual([[], []]);
    expect(at(51, { max_limit: '50', over_max_limit: 'reject' })).not.toEqual([]);
    expect(at(101, { over_max_limit: 'reject' })).not.toEqual([]);
  });

  test('an id that is none in a path, where it is as an unknown one', () => {
    const sent = { path: '/v2/fulfillments/42' };
    expect(objections(documentBy({ malformed_path_id: '404' }), 'fulfillments.get', sent)).toEqual([]);
    expect(objections(documentBy({ malformed_path_id: '422' }), 'fulfillments.get', sent)).not.toEqual([]);
  });
});

describe('a pouch and a consumer are one of two patterns, whole', () => {
  const faultsOf = (name: string, value: unknown, choices: Partial<Choices> = {}): string[] =>
    complaints(documentBy(choices), { $ref: `#/components/schemas/${name}` }, value);
  const contents = [{ client_product_id: '20000000-0000-4000-8000-000000000001' }];

  test.each([
    [{ contents }, true],
    [{ pack_id: 'PACK-1' }, true],
    [{ pack_id: 7 }, true],
    [{ contents, pack_id: 'PACK-1' }, false],
    [{}, false],
    [{ pack_id: '' }, false],
  ])('a pouch of %j: %s', (pouch, good) => {
    expect(faultsOf('Pouch', pouch).length === 0).toBe(good);
  });

  const id = '40000000-0000-4000-8000-000000000001';
  test.each([
    [{ id }, true],
    [{ first_name: 'Ada', last_name: 'Lovelace' }, true],
    [{ last_name: 'Lovelace' }, true],
    [{ email: 'ada@example.com' }, true],
    [{ first_name: 'Ada' }, false],
    [{ id, last_name: 'Lovelace' }, false],
    [{ id: '7' }, false],
    [{}, false],
  ])('the consumer %j of an order: %s', (consumer, good) => {
    const sent = { path: '/v2/orders', body: orderWith({ consumer }) };
    for (const unknown_fields of ['reject', 'ignore'] as const)
      expect(objections(documentBy({ unknown_fields }), 'orders.create', sent).length === 0, unknown_fields).toBe(good);
  });
});
