// The form of OpenAPI 3.0: the same document in the keywords that 3.0 has.
import { describe, expect, test } from 'vitest';
import { openApi30 } from '../../../src/openapi/version-3-0.ts';
import { allOffered } from '../../cases/common.ts';
import { documentBy, type Json, publishedControl } from '../../support/published-documents.ts';

const documents: readonly (readonly [string, () => Json])[] = [
  ['the control API', () => publishedControl().document],
  ['the service', () => documentBy(allOffered)],
  ['the service, numbers as texts', () => documentBy({ numeric_strings: 'accept' })],
  ['the service, open objects', () => documentBy({ unknown_fields: 'ignore' })],
  ['the service, fields omitted', () => documentBy({ absent_values: 'omitted', new_consumer_contact: 'none' })],
];

/** The keywords of a Schema Object of OpenAPI 3.0.3 that the documents use. */
const keywords =
  `title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems
minItems uniqueItems maxProperties minProperties required enum type not allOf oneOf anyOf items properties
additionalProperties description format default nullable discriminator example`.split(/\s+/);

/** What is wrong with a schema by OpenAPI 3.0.3. */
function faultsOf(schema: Json, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [`${place} is no object`];
  if ('$ref' in schema) return Object.keys(schema).length === 1 ? [] : [`${place} has more than its $ref`];
  const own = Object.keys(schema).filter((keyword) => !keywords.includes(keyword));
  const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', undefined];
  const hasGoodTypes =
    types.includes(schema.type) &&
    ['boolean', 'undefined'].includes(typeof schema.exclusiveMinimum) &&
    (schema.type !== 'array' || 'items' in schema);
  const inner = [
    ...['not', 'items'].filter((key) => key in schema).map((key) => [key, schema[key]]),
    ...['allOf', 'anyOf', 'oneOf', 'properties'].flatMap((key) => Object.entries(schema[key] ?? {})),
    ...(typeof schema.additionalProperties === 'object' ? [['additional', schema.additionalProperties]] : []),
  ] as [string, Json][];
  return [
    ...own.map((keyword) => `${place} has ${keyword}`),
    ...(hasGoodTypes ? [] : [`${place} is of the type ${JSON.stringify(schema)}`]),
    ...inner.flatMap(([key, one]) => faultsOf(one, `${place}/${key}`)),
  ];
}

function faultsIn(part: Json, place = ''): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries<Json>(part).flatMap(([key, value]) => {
    if (key === 'schema') return faultsOf(value, `${place}/schema`);
    if (key === 'schemas') return Object.entries<Json>(value).flatMap(([name, one]) => faultsOf(one, name));
    return key.startsWith('example') ? [] : faultsIn(value, `${place}/${key}`);
  });
}

describe.each(documents)('the document of %s', (_, documentOf) => {
  test('has only the keywords of 3.0', () => {
    const before: Json = JSON.parse(JSON.stringify(documentOf()));
    const document: Json = openApi30(documentOf());
    expect(document.openapi).toBe('3.0.3');
    expect(document.info.license).toEqual({ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' });
    expect(faultsIn(document)).toEqual([]);
    expect(faultsIn(before)).not.toEqual([]);
    expect(Object.keys(document.paths)).toEqual(Object.keys(before.paths));
    expect(JSON.parse(JSON.stringify(documentOf()))).toEqual(before);
  });
});

/** A schema in the form of 3.0. */
function inForm30(schema: Json): Json {
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas: { One: schema } } };
  const converted: Json = openApi30(document as Parameters<typeof openApi30>[0]);
  return converted.components.schemas.One;
}

const nullValue = { type: 'string', nullable: true, enum: [null] };
const ref = { $ref: '#/components/schemas/Other' };

test.each<[string, Json, Json]>([
  [
    'a list of types with null',
    { type: ['string', 'null'], minLength: 1 },
    { type: 'string', nullable: true, minLength: 1 },
  ],
  [
    'a list of types',
    { type: ['number', 'string'], pattern: '1' },
    { anyOf: [{ type: 'number' }, { type: 'string' }], pattern: '1' },
  ],
  [
    'a schema or null',
    { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], description: 'An id.' },
    { type: 'string', format: 'uuid', description: 'An id.', nullable: true },
  ],
  ['a reference or null', { anyOf: [ref, { type: 'null' }] }, { anyOf: [ref, nullValue] }],
  [
    'an enum or null',
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    { anyOf: [{ type: 'string', enum: ['a'] }, nullValue] },
  ],
  ['a const', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }],
  [
    'a const or null',
    { anyOf: [{ type: 'number', const: 0 }, { type: 'null' }] },
    { anyOf: [{ type: 'number', enum: [0] }, nullValue] },
  ],
  [
    'an exclusive minimum',
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [
    'an exclusive maximum',
    { type: 'number', exclusiveMaximum: 9 },
    { type: 'number', maximum: 9, exclusiveMaximum: true },
  ],
  ['what is beside a reference', { ...ref, description: 'One.' }, { description: 'One.', allOf: [ref] }],
  ['fields that need others', { type: 'object', dependentRequired: { a: ['b'] } }, { type: 'object' }],
  ['names of properties', { type: 'object', propertyNames: { type: 'string' } }, { type: 'object' }],
  [
    'a property that is named as a keyword',
    { type: 'object', properties: { const: { type: 'string', const: 'a' }, type: { type: ['string', 'null'] } } },
    {
      type: 'object',
      properties: { const: { type: 'string', enum: ['a'] }, type: { type: 'string', nullable: true } },
    },
  ],
  ['an example', { type: 'object', default: { const: 1 } }, { type: 'object', default: { const: 1 } }],
])('%s: %j becomes %j', (_, schema, expected) => {
  expect(inForm30(schema)).toEqual(expected);
});
