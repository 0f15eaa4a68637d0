// The service's document shows the rejections that the case table has, and its schemas accept and reject the requests that the server does.
import { expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import { allOffered } from '../../cases/common.ts';
import { errorBodyOf, requestOf } from '../../cases/rejected.ts';
import { goodRequests, orderWith, type TokenOperation } from '../../cases/requests.ts';
import { rows } from '../../cases/table.ts';
import {
  complaints,
  documentBy,
  exampleIn,
  type Json,
  operationIn,
  responseAt,
} from '../../support/openapi-document.ts';

const shownBy = (choices: Partial<Choices>, id: OperationId, status: number, rule: string): Json => {
  const document = documentBy(choices);
  return exampleIn(responseAt(document, operationIn(document, id), status), rule);
};

test('it shows the exact error body of each case', () => {
  const cases = rows.filter(({ rule }) => !rule.endsWith('_endpoints'));
  const wrong = cases.filter(({ id, rule, given }) => {
    const shown = shownBy({ ...allOffered, ...given.assumptions }, id, given.rejection.status, rule);
    return JSON.stringify(shown) !== JSON.stringify(errorBodyOf(given.rejection));
  });
  expect(wrong).toEqual([]);
});

const required = '"pouches" is required';
test.each<[Partial<Choices>, rule: string, status: number, message: string, field?: string]>([
  [{ validation_placement: 'details' }, 'ORD-5', 422, 'Validation failed', 'order_lines.0.pouches'],
  [{ validation_placement: 'message' }, 'ORD-5', 422, required],
  [{ validation_placement: 'joined' }, 'ORD-5', 422, required],
  [{ field_path: 'brackets' }, 'ORD-5', 422, required, 'order_lines[0].pouches'],
  [{}, 'LIM-1', 429, 'Too Many Requests'],
  [{}, 'HTTP-3', 500, 'An internal server error occurred'],
])('with %j, %s is shown with %i %j', (choices, rule, status, message, field) => {
  const details = field ? { details: [{ field, message: required }] } : {};
  const expected = { statusCode: status, error: expect.any(String), message, ...details };
  expect(shownBy(choices, 'orders.create', status, rule)).toEqual(expected);
});

interface Sent {
  readonly path: string;
  readonly body?: unknown;
}
/** The complaints of a document about a request: its body, the names in its path, its query. */
function objections(choices: Partial<Choices>, id: OperationId, { path, body }: Sent): string[] {
  const document = documentBy(choices);
  const { shown } = operationIn(document, id);
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const pattern = new RegExp(`^${filled(operations[id].path, (name) => `(?<${name}>[^/]+)`)}$`);
  const names = pattern.exec(pathname)?.groups ?? {};
  const parameters = (shown.parameters ?? []).flatMap(({ in: part, name, schema, required: isRequired }: Json) => {
    const sent = part === 'path' ? names[name] : (searchParams.get(name) ?? undefined);
    if (sent === undefined) return isRequired ? [`${name} is missing`] : [];
    return complaints(document, schema, schema.type === 'integer' ? Number(sent) : sent);
  });
  const content = shown.requestBody?.content['application/json'];
  return [...parameters, ...(content ? complaints(document, content.schema, body) : [])];
}

// Rules on tokens, bytes and whole addresses, which no schema sees.
const unseen =
  /^(AUTH-[3-6]|.*_endpoints|unauthorized_message|missing_token_message|old_token_after_refresh|bad_.*|expired_.*|foreign_resource|malformed_(body|compression|path)|unsupported_media_type|body_too_large)$/;
const ofRecords = /^(CAT-2|FUL-[12]|ORD-(11|17|18|19|2[0-3])|pack_id)$/;

test('its schemas reject what the contract rejects because of its shape, and nothing else', () => {
  const seen = rows.filter(({ rule, given }) => !unseen.test(rule) && given.request?.raw === undefined);
  const wrong = seen.filter(({ id, rule, given }) => {
    // OpenAPI has no keyword for parameters that an operation does not have.
    const isAccepted = ofRecords.test(rule) || (rule === 'unknown_fields' && operations[id].method === 'GET');
    const found = objections({ ...allOffered, ...given.assumptions }, id, requestOf(id, given));
    return isAccepted !== (found.length === 0);
  });
  expect(seen.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test('its schemas accept the good requests', () => {
  for (const more of [{}, { new_consumer_contact: 'both', time_of_administration: 'closed' }] as const)
    for (const id of Object.keys(goodRequests) as TokenOperation[])
      expect(objections({ ...allOffered, ...more }, id, goodRequests[id]), id).toEqual([]);
});

const order = (patches: Readonly<Record<string, unknown>>): Sent => ({ path: '/v2/orders', body: orderWith(patches) });
const nameless = { consumer: { first_name: 'Ada', last_name: 'Lovelace' } };
test.each<[keyof Choices, string, string, Sent]>([
  ['numeric_strings', 'accept', 'reject', order({ 'order_lines.0.duration': '30' })],
  ['unknown_fields', 'ignore', 'reject', order({ 'consumer.gift': true })],
  ['blank_strings', 'accept', 'reject', order({ 'shipping_address.city': ' ' })],
  ['empty_arrays', 'accept', 'reject', order({ 'order_lines.0.pouches': [] })],
  ['phone_format', 'length_only', 'pattern', order({ 'consumer.phone_number': '0202555' })],
  ['time_of_administration', 'any', 'closed', order({ 'order_lines.0.pouches.0.time_of_administration': 'Tea time' })],
  ['new_consumer_contact', 'none', 'either', order(nameless)],
  ['new_consumer_contact', 'phone_number', 'email', order({ 'consumer.email': undefined })],
  ['new_consumer_contact', 'email', 'phone_number', order({ 'consumer.phone_number': undefined })],
  ['new_consumer_contact', 'either', 'both', order({ 'consumer.phone_number': undefined })],
])('%s: its schema accepts with %s what it rejects with %s', (id, accepting, rejecting, sent) => {
  expect(objections({ [id]: accepting }, 'orders.create', sent)).toEqual([]);
  expect(objections({ [id]: rejecting }, 'orders.create', sent)).not.toEqual([]);
});

test('its parameters follow max_limit, over_max_limit and malformed_path_id', () => {
  const accepts = (id: OperationId, path: string, choices: Partial<Choices>) =>
    objections(choices, id, { path }).length === 0;
  const [reject, fifty] = [{ over_max_limit: 'reject' }, { max_limit: '50', over_max_limit: 'reject' }] as const;
  const limits = [
    [1000, {}],
    [100, reject],
    [101, reject],
    [50, fifty],
    [51, fifty],
  ] as const;
  const accepted = limits.map(([n, choices]) => accepts('fulfillments.list', `/v2/fulfillments?limit=${n}`, choices));
  expect(accepted).toEqual([true, true, false, true, false]);
  const ids = (['404', '422'] as const).map((malformed_path_id) =>
    accepts('fulfillments.get', '/v2/fulfillments/42', { malformed_path_id }),
  );
  expect(ids).toEqual([true, false]);
});
