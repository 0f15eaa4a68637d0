// An OpenAPI 3.1 document in the form of 3.0, for tools that take no other. Its schemas are of an older JSON Schema:
// no `null` type, no `const`, and booleans as exclusive bounds.
import { isRecord } from '../contract/schema.ts';
import { type OpenApiDocument, sachetInfo } from './document.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns a new document. The given one is unchanged. @example openApi30(serviceDocument(options)) */
export function openApi30({ openapi: _, info, ...rest }: OpenApiDocument): object {
  const { name, identifier } = sachetInfo.license;
  const license = { name, url: `https://spdx.org/licenses/${identifier}.html` };
  return { openapi: '3.0.3', info: { ...info, license }, ...(converted(rest) as Json) };
}

/** Converts the schemas in any part of a document. Examples and extensions are unchanged. */
function converted(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(converted);
  if (!isRecord(part)) return part;
  return mapValues(part, (value, key) => {
    if (key === 'schema') return schema30(value);
    if (key === 'schemas') return mapValues(value as Json, schema30);
    return key === 'example' || key === 'examples' || key.startsWith('x-') ? value : converted(value);
  });
}

/** Keywords that hold a schema, or a list of them. */
const nested = ['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf'];

function schema30(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schema30);
  if (!isRecord(schema)) return schema;
  const inner = mapValues(withoutNull(withoutTypeLists(schema)), (value, key) => {
    if (key === 'properties') return mapValues(value as Json, schema30);
    return nested.includes(key) ? schema30(value) : value;
  });
  return [withoutConst, withExclusiveFlags, withoutNewKeywords, withoutSiblings].reduce(
    (one, change) => change(one),
    inner,
  );
}

/** In 3.0 `nullable` needs a type in the same schema. openapi-zod-client knows this form only for strings. */
const nullValue = { type: 'string', nullable: true, enum: [null] };

/** `{ "type": ["string", "null"] }` → `nullable`; other lists of types → `anyOf` */
function withoutTypeLists(schema: Json): Json {
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...rest } = schema as { readonly type: readonly string[] };
  const [first, ...others] = type.filter((one) => one !== 'null');
  if (others.length > 0) return { ...rest, anyOf: type.map((one) => ({ type: one })) };
  return { type: first, ...rest, nullable: true };
}

/** `{ "anyOf": [X, { "type": "null" }] }` → X with `nullable`, if X is a type without a list of values */
function withoutNull(schema: Json): Json {
  const variants = (schema.anyOf ?? []) as readonly Json[];
  const others = variants.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (others.length === variants.length) return schema;
  if (!only?.type || only.enum || 'const' in only || others.length > 1)
    return { ...schema, anyOf: [...others, nullValue] };
  const { anyOf: _, ...rest } = schema;
  return { ...only, ...rest, nullable: true };
}

const withoutConst = ({ const: value, ...rest }: Json): Json =>
  value === undefined ? rest : { ...rest, enum: [value] };

function withExclusiveFlags({ exclusiveMinimum, exclusiveMaximum, ...rest }: Json): Json {
  return {
    ...rest,
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum === undefined ? {} : { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  };
}

/** 3.0 has no words for these, so its schemas allow more. */
const withoutNewKeywords = ({ dependentRequired: _, propertyNames: _names, ...rest }: Json): Json => rest;

/** In 3.0 a schema with a `$ref` has no other keyword. */
function withoutSiblings({ $ref, ...rest }: Json): Json {
  if ($ref === undefined) return rest;
  const { allOf = [], ...others } = rest;
  return Object.keys(rest).length === 0 ? { $ref } : { ...others, allOf: [{ $ref }, ...(allOf as readonly unknown[])] };
}

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
