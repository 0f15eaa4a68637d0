// What generators and linters need from a document, beyond JSON Schema: many of them take only a part of it.
import { describe, expect, test } from 'vitest';
import { assumptionIds, assumptionRegister, type Choices } from '../../../src/contract/assumptions.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { operationList } from '../../../src/contract/operations.ts';
import { allOffered } from '../../cases/common.ts';
import { operationIn, operationsIn } from '../../support/openapi-document.ts';
import { documentBy, type Json, publishedControl } from '../../support/published-documents.ts';

/** Documents that together have each choice of each assumption. */
const most = Math.max(...assumptionIds.map((id) => assumptionRegister[id].choices.length));
const choicesAt = (round: number): Partial<Choices> =>
  Object.fromEntries(
    assumptionIds.map((id) => {
      const { choices } = assumptionRegister[id];
      return [id, choices[round % choices.length]?.[0]];
    }),
  );
const documents: readonly (readonly [string, () => Json])[] = [
  ['the control API', () => publishedControl().document],
  ['the service', () => documentBy()],
  ...Array.from({ length: most }, (_, round): readonly [string, () => Json] => [
    `the service with choices number ${round}`,
    () => documentBy({ ...choicesAt(round), ...allOffered }),
  ]),
];

/** Keywords of a schema that hold a schema, a list of them, or schemas by name. */
const nested = ['items', 'not', 'additionalProperties', 'propertyNames', 'allOf', 'anyOf', 'oneOf', 'properties'];

/** Calls `visit` with each schema of the document and its place. */
function visitSchemas(value: unknown, place: string, visit: (schema: Json, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const at = `${place}/${key}`;
    if (key === 'schema') visitSchema(item, at, visit);
    else if (key === 'schemas')
      for (const [name, one] of Object.entries(item)) visitSchema(one, `${at}/${name}`, visit);
    else if (key !== 'example' && key !== 'examples') visitSchemas(item, at, visit);
  }
}

function visitSchema(schema: Json, place: string, visit: (schema: Json, place: string) => void): void {
  visit(schema, place);
  if (typeof schema !== 'object' || schema === null) return;
  for (const keyword of nested.filter((one) => one in schema)) {
    const { [keyword]: held } = schema;
    // `additionalProperties: false` is the one boolean that every tool knows.
    if (typeof held === 'boolean' && keyword === 'additionalProperties') continue;
    const inner = Array.isArray(held) || keyword === 'properties' ? Object.entries(held) : [['', held]];
    for (const [name, one] of inner) visitSchema(one, `${place}/${keyword}/${name}`, visit);
  }
}

/** The places of the schemas that `isWrong` finds. */
function wrongIn(document: Json, isWrong: (schema: Json) => boolean): string[] {
  const found: string[] = [];
  let count = 0;
  visitSchemas(document, '', (schema, place) => {
    count += 1;
    if (isWrong(schema)) found.push(place);
  });
  expect(count).toBeGreaterThan(100);
  return found;
}

describe.each(documents)('the document of %s', (_, documentOf) => {
  const document = documentOf();

  test('has no boolean as a schema', () => {
    expect(wrongIn(document, (schema) => typeof schema === 'boolean')).toEqual([]);
  });

  test('has a type beside each const and enum', () => {
    expect(wrongIn(document, (schema) => ('const' in schema || 'enum' in schema) && !('type' in schema))).toEqual([]);
  });

  test('has no escaped slash in a pattern', () => {
    expect(wrongIn(document, ({ pattern = '' }) => pattern.includes('\\/'))).toEqual([]);
  });

  test('has no schema whose name differs from that of an operation only in case: it names the same file', () => {
    const names = Object.keys(document.components.schemas).map((name) => name.toLowerCase());
    const ids = operationsIn(document).map(({ shown }) => shown.operationId.toLowerCase());
    expect(ids.filter((id) => names.includes(id))).toEqual([]);
  });

  test('has a literal URL of its server', () => {
    expect(document.servers).toEqual([{ url: 'http://localhost:4010', description: expect.any(String) }]);
  });

  test('names its publisher, and each operation has a description', () => {
    expect(document.info.contact).toEqual({ name: 'Sachet' });
    for (const { path, shown } of operationsIn(document)) expect(shown.description, path).toMatch(/\w/);
  });

  test('has each error by its status', () => {
    for (const { path, shown } of operationsIn(document))
      expect(
        Object.keys(shown.responses).filter((status) => !/^[2-5]\d\d$/.test(status)),
        path,
      ).toEqual([]);
  });
});

describe('an operationId', () => {
  test.each<[string, readonly { readonly id: string; readonly operationId: string }[]]>([
    ['service', operationList],
    ['control API', controlOperationList],
  ])('of the %s is a name in camelCase, and no other operation has it', (_, operations) => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  test('is beside the id that the journal, faults and matches have', () => {
    const { shown } = operationIn(documentBy(), 'orders.create');
    expect([shown.operationId, shown['x-operation']]).toEqual(['createOrder', 'orders.create']);
  });
});

describe('an operation lists the statuses that its rules give', () => {
  const statusesOf = (id: string, choices: Partial<Choices> = {}): string[] =>
    Object.keys(operationIn(documentBy(choices), id).shown.responses);

  test.each<[string, Partial<Choices>, string[]]>([
    ['products.list', {}, ['200', '401', '403', '429', '500']],
    ['products.list', { permissions: 'all' }, ['200', '401', '429', '500']],
    ['orders.create', {}, ['201', '400', '401', '403', '422', '429', '500']],
    ['orders.create', { order_created_status: '200' }, ['200', '400', '401', '403', '422', '429', '500']],
    ['orders.create', { business_rule_status: 'per_kind' }, ['201', '400', '401', '403', '404', '422', '429', '500']],
    ['authentication.token', { bad_credentials: '403' }, ['200', '400', '403', '422', '429', '500']],
    ['fulfillments.get', { malformed_path_id: '422' }, ['200', '400', '401', '403', '404', '422', '429', '500']],
  ])('%s with %j: %j', (id, choices, statuses) => {
    expect(statusesOf(id, choices)).toEqual(statuses);
  });
});

describe('a schema has the bounds of the server', () => {
  const request = (id: string): Json => operationIn(documentBy(), id).shown;
  const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

  test('for numbers that a double holds exactly', () => {
    const { schemas } = documentBy().components;
    expect(schemas.OrderLine.properties.duration).toMatchObject({ type: 'number', ...safe });
    expect(schemas.ContentItem.properties.serving_size).toMatchObject({ type: 'number', ...safe });
    const withText = documentBy({ numeric_strings: 'accept' }).components.schemas;
    expect(withText.OrderLine.properties.duration).toMatchObject({ type: ['number', 'string'], ...safe });
  });

  test('for the limit of a page', () => {
    const limit = request('fulfillments.list').parameters.find(({ name }: Json) => name === 'limit');
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
  });

  test('for texts and names of the control API', () => {
    const { document } = publishedControl();
    const create = operationIn(document, 'sandboxes.create').shown;
    const { random_seed } = create.requestBody.content['application/json'].schema.properties;
    expect(random_seed.anyOf[0]).toMatchObject({ type: 'string', minLength: 1, maxLength: 1000 });
    const [sandbox] = operationIn(document, 'sandboxes.get').shown.parameters;
    expect(sandbox.schema).toEqual({ type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{0,62}$' });
    const times = operationIn(document, 'singles.administration_times.get').shown.responses['200'];
    expect(times.content['application/json'].schema.properties.values).toMatchObject({
      maxItems: 100,
      items: { maxLength: 60 },
    });
  });
});
