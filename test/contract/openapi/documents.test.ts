// The OpenAPI documents, with each choice of each assumption: valid JSON Schema, valid examples, only what generators and linters support,
// the rejections that the case table has, and schemas that accept and reject the requests that the server does.
import { describe, expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { refusalsOf } from '../../../src/contract/operation.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import { docNone } from '../../../src/contract/schema.ts';
import { openApi30 } from '../../../src/openapi/version-3-0.ts';
import { allOffered, roundsOfChoices } from '../../cases/common.ts';
import { errorBodyOf, requestOf } from '../../cases/rejected.ts';
import { goodRequests, orderWith, type TokenOperation } from '../../cases/requests.ts';
import { rows } from '../../cases/table.ts';
import {
  bodiesIn,
  complaints,
  documentBy,
  exampleIn,
  exampleNames,
  type Json,
  operationIn,
  operationsIn,
  publishedControl,
  responseAt,
  serviceDocumentOf,
} from '../../support/openapi-document.ts';
import { testSachet } from '../../support/sachet.ts';

/** Documents that together have each choice of each assumption; all but the first offer every operation. */
const services: (readonly [name: string, document: Json])[] = [];
for (const [round, choices] of [{}, ...roundsOfChoices.map((one) => ({ ...one, ...allOffered }))].entries()) {
  const document = await serviceDocumentOf(testSachet({ assumptions: choices }));
  services.push([round === 0 ? 'the default choices' : `choices ${round}`, document]);
}
const control: Json = publishedControl().document;

/** Rules that can reject only with these choices of an assumption. */
const rejectsBy: Readonly<Record<string, readonly [assumption: string, ...choices: string[]]>> = {
  'AUTH-5': ['permissions', 'per_endpoint'],
  old_token_after_refresh: ['old_token_after_refresh', 'ends'],
  foreign_resource: ['foreign_resource', '403'],
  'ORD-26': ['pouch_both', 'joi'],
  new_consumer_contact: ['new_consumer_contact', 'email', 'phone_number', 'either', 'both'],
  phone_format: ['phone_format', 'pattern'],
  unknown_fields: ['unknown_fields', 'reject'],
  empty_arrays: ['empty_arrays', 'reject'],
  time_of_administration: ['time_of_administration', 'closed'],
  pack_id: ['pack_id', 'known'],
  over_max_limit: ['over_max_limit', 'reject'],
  malformed_path_id: ['malformed_path_id', '400', '422'],
  // A document has only the operations that are offered.
  order_endpoints: ['order_endpoints'],
  consumer_endpoints: ['consumer_endpoints'],
};

describe.each(services)('the document of the service with %s', (_, document) => {
  const offered = operationsIn(document);
  const choiceOf = (id: string): string => document['x-assumptions'][id].reading;
  const successOf = (shown: Json) => Object.keys(shown.responses).find((status) => status.startsWith('2')) ?? '';

  test('has valid examples of each request, success and rejection', () => {
    const wrong = bodiesIn(document).flatMap(({ where, schema, examples }) =>
      Object.entries(examples).flatMap(([name, { value }]) =>
        complaints(document, schema, value).map((fault) => `${where} ${name}: ${fault}`),
      ),
    );
    const missing = offered.flatMap(({ shown }) =>
      [shown.requestBody, shown.responses[successOf(shown)]]
        .filter((holder) => holder && !exampleNames(holder).includes('sample'))
        .map(() => shown['x-operation']),
    );
    expect([wrong, missing, bodiesIn(document).filter(({ schema }) => !schema)]).toEqual([[], [], []]);
  });

  test('shows each rule that can reject, and no other', () => {
    const contact = choiceOf('new_consumer_contact');
    const shownRules = offered.map((operation) => {
      const errors = Object.keys(operation.shown.responses).filter((status) => !status.startsWith('2'));
      const names = errors.flatMap((status) => exampleNames(responseAt(document, operation, status)));
      return [operation.shown['x-operation'], names.sort()];
    });
    const rules = offered.map(({ shown: { 'x-operation': id } }) => {
      const all: string[] = [...refusalsOf(operations[id as keyof typeof operations]), 'LIM-1', 'HTTP-3'];
      const possible = all.filter((rule) => {
        const [assumption, ...choices] = rejectsBy[rule] ?? [];
        // A new consumer without a field lacks the contact, too; the body of an update can be empty.
        const isMasked = rule === 'OPEN-2' && contact !== 'none' && id !== 'orders.update';
        return !isMasked && (assumption === undefined || choices.includes(choiceOf(assumption)));
      });
      return [id, possible.sort()];
    });
    expect(shownRules).toEqual(rules);
  });
});

/** Every object in a document; the linter of test/workflows sees that each schema is one. */
const objectsIn = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values<Json>(value).flatMap(objectsIn)] : [];

describe.each([['the control API', control] as const, ...services])('a document for tools: %s', (_, document) => {
  test('has a type with each const and enum, and no escaped slash in a pattern', () => {
    const { paths, components } = document;
    const all = objectsIn({ paths, components });
    const constants = all.filter((one) => 'const' in one || 'enum' in one);
    expect(constants).not.toEqual([]);
    expect(constants.filter((one) => !('type' in one))).toEqual([]);
    expect(all.filter(({ pattern }) => typeof pattern === 'string' && pattern.includes('\\/'))).toEqual([]);
  });

  test('has a description of each operation, statuses, and names that differ in more than case', () => {
    const shown = operationsIn(document).map((operation) => operation.shown);
    const schemaNames = Object.keys(document.components.schemas).map((name) => name.toLowerCase());
    const wrong = shown.filter(
      ({ description, operationId, responses }) =>
        !/\w/.test(description) ||
        schemaNames.includes(operationId.toLowerCase()) ||
        Object.keys(responses).some((status) => !/^[2-5]\d\d$/.test(status)),
    );
    expect(wrong).toEqual([]);
    expect(document.info.contact).toEqual({ name: 'Sachet' });
    expect(document.servers).toEqual([{ url: 'http://localhost:4010', description: expect.any(String) }]);
  });

  test('is not changed by its form of OpenAPI 3.0, which test/workflows lints', () => {
    const before = JSON.stringify(document);
    const converted: Json = openApi30(document);
    expect([converted.openapi, converted.info.license.name]).toEqual(['3.0.3', 'MIT']);
    expect(Object.keys(converted.paths)).toEqual(Object.keys(document.paths));
    expect(JSON.stringify(document)).toBe(before);
  });
});

const ref = { $ref: '#/components/schemas/Other' };
const [none, text, number, object] = [{ type: 'null' }, { type: 'string' }, { type: 'number' }, { type: 'object' }];
const nullValue = { ...text, nullable: true, enum: [null] };
const withProperty = (schema: Json) => ({ ...object, properties: { const: schema }, default: { const: 1 } });

test.each<[string, Json, Json]>([
  ['a list of types with null', { type: ['string', 'null'], minLength: 1 }, { ...text, nullable: true, minLength: 1 }],
  ['a list of types', { type: ['number', 'string'] }, { anyOf: [number, text] }],
  [
    'a schema or null',
    { anyOf: [text, none], description: 'An id.' },
    { ...text, description: 'An id.', nullable: true },
  ],
  ['a reference or null', { anyOf: [ref, none] }, { anyOf: [ref, nullValue] }],
  ['an enum or null', { anyOf: [{ ...text, enum: ['a'] }, none] }, { anyOf: [{ ...text, enum: ['a'] }, nullValue] }],
  ['a const', { ...text, const: 'a' }, { ...text, enum: ['a'] }],
  ['a const or null', { anyOf: [{ ...number, const: 0 }, none] }, { anyOf: [{ ...number, enum: [0] }, nullValue] }],
  ['an exclusive minimum', { ...number, exclusiveMinimum: 0 }, { ...number, minimum: 0, exclusiveMinimum: true }],
  ['an exclusive maximum', { ...number, exclusiveMaximum: 9 }, { ...number, maximum: 9, exclusiveMaximum: true }],
  ['a description next to a reference', { ...ref, description: 'One.' }, { description: 'One.', allOf: [ref] }],
  ['fields that need others', { ...object, dependentRequired: { a: ['b'] } }, object],
  ['names of properties', { ...object, propertyNames: text }, object],
  ['a property named as a keyword', withProperty({ ...text, const: 'a' }), withProperty({ ...text, enum: ['a'] })],
])('OpenAPI 3.0 has %s: %j becomes %j', (_, schema, expected) => {
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas: { One: schema } } };
  const converted: Json = openApi30(document as Parameters<typeof openApi30>[0]);
  expect(converted.components.schemas.One).toEqual(expected);
});

test.each<[string, Partial<Choices>, string]>([
  ['products.list', {}, '200 401 403 429 500'],
  ['products.list', { permissions: 'all' }, '200 401 429 500'],
  ['orders.create', {}, '201 400 401 403 422 429 500'],
  ['orders.create', { order_created_status: '200' }, '200 400 401 403 422 429 500'],
  ['orders.create', { business_rule_status: 'per_kind' }, '201 400 401 403 404 422 429 500'],
  ['authentication.token', { bad_credentials: '403' }, '200 400 403 422 429 500'],
  ['fulfillments.get', { malformed_path_id: '422' }, '200 400 401 403 404 422 429 500'],
])('%s with %j has the statuses %s', (id, choices, statuses) => {
  expect(Object.keys(operationIn(documentBy(choices), id).shown.responses).join(' ')).toBe(statuses);
});

test('a schema forbids one field, or each of several', () => {
  const [a, b] = ['a', 'b'].map((name) => ({ type: 'object', required: [name], properties: { [name]: {} } }));
  expect([docNone(['a']), docNone(['a', 'b'])]).toEqual([{ not: a }, { not: { anyOf: [a, b] } }]);
});

test('a schema has the bounds of the server', () => {
  const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  const { schemas } = documentBy().components;
  expect(schemas.OrderLine.properties.duration).toMatchObject({ type: 'number', ...safe });
  expect(schemas.ContentItem.properties.serving_size).toMatchObject({ type: 'number', ...safe });
  const asText = documentBy({ numeric_strings: 'accept' }).components.schemas;
  expect(asText.OrderLine.properties.duration).toMatchObject({ type: ['number', 'string'], ...safe });
  const parameters: Json[] = operationIn(documentBy(), 'fulfillments.list').shown.parameters;
  const limit = parameters.find(({ name }) => name === 'limit').schema;
  expect(limit).toMatchObject({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

  const create = operationIn(control, 'sandboxes.create').shown.requestBody.content['application/json'].schema;
  expect(create.properties.random_seed.anyOf[0]).toMatchObject({ type: 'string', minLength: 1, maxLength: 1000 });
  const [sandbox] = operationIn(control, 'sandboxes.get').shown.parameters;
  const [journalLimit] = operationIn(control, 'requests.list').shown.parameters.filter(
    ({ name }: Json) => name === 'limit',
  );
  expect(journalLimit.schema).toMatchObject({ type: 'integer', minimum: 1 });
  expect(sandbox.schema).toEqual({ type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{0,62}$' });
  const times = operationIn(control, 'singles.administration_times.get').shown.responses['200'];
  const { values } = times.content['application/json'].schema.properties;
  expect(values).toMatchObject({ maxItems: 100, items: { maxLength: 60 } });
});

const shownBy = (choices: Partial<Choices>, id: OperationId, status: number, rule: string): Json => {
  const document = documentBy(choices);
  return exampleIn(responseAt(document, operationIn(document, id), status), rule);
};

test('the document of the service shows the exact error body of each case', () => {
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

test('the schemas of the service reject what the contract rejects because of its shape, and nothing else', () => {
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

test('the schemas of the service accept the good requests', () => {
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

test('the parameters of the service follow max_limit, over_max_limit and malformed_path_id', () => {
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
