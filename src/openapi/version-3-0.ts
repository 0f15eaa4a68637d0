// An OpenAPI 3.1 document in the form of 3.0, for tools that take no other. Its schemas are of an older JSON Schema:
// no `null` type, no `const`, and booleans as exclusive bounds.
import type { OpenApiDocument } from './document.ts';

type Json = Readonly<Record<string, unknown>>;

/** A new document; the given one stays as it is. */
export function openApi30({ openapi: _, info, ...rest }: OpenApiDocument): object {
  const { identifier: _identifier, ...license } = info.license ?? { name: '' };
  return { openapi: '3.0.3', info: { ...info, license }, ...(converted(rest) as Json) };
}

/** Converts the schemas in any part of a document. Examples and extensions stay as they are. */
function converted(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(converted);
  if (!isObject(part)) return part;
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
  if (!isObject(schema)) return schema;
  const inner = mapValues(withoutNull(schema), (value, key) => {
    if (key === 'properties') return mapValues(value as Json, schema30);
    return nested.includes(key) ? schema30(value) : value;
  });
  return [withoutConst, withExclusiveFlags, withoutDependents, withoutSiblings].reduce(
    (one, change) => change(one),
    inner,
  );
}

/** `{ "type": ["string", "null"] }`, `{ "anyOf": [X, { "type": "null" }] }` → `nullable`; other lists of types → `anyOf` */
function withoutNull({ type, anyOf, ...rest }: Json): Json {
  const types = [type ?? []].flat();
  const variants = anyOf as readonly Json[] | undefined;
  const others = variants?.filter((one) => one.type !== 'null');
  const isNullable = types.includes('null') || others?.length !== variants?.length;
  const left = types.filter((one) => one !== 'null');
  const choices = left.length > 1 ? left.map((one) => ({ type: one })) : others;
  const [only] = choices ?? [];
  const narrowed =
    choices?.length === 1 ? (only && '$ref' in only ? { allOf: [only] } : only) : choices && { anyOf: choices };
  const result = { ...(left.length === 1 ? { type: left[0] } : {}), ...narrowed, ...rest } as Json;
  if (!isNullable) return result;
  const values = result.enum ?? ('const' in result ? [result.const] : undefined);
  const { const: _, ...nullable } = result;
  return { ...nullable, ...(values ? { enum: [...(values as readonly unknown[]), null] } : {}), nullable: true };
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

/** `dependentRequired` as "not the one, or the others"; `propertyNames` has no form in 3.0. */
function withoutDependents({ dependentRequired, propertyNames: _, ...rest }: Json): Json {
  const { allOf = [], ...others } = rest;
  const dependents = Object.entries((dependentRequired ?? {}) as Json).map(([name, required]) => ({
    anyOf: [{ not: { required: [name] } }, { required }],
  }));
  return dependents.length === 0 ? rest : { ...others, allOf: [...(allOf as readonly unknown[]), ...dependents] };
}

/** In 3.0 nothing beside a `$ref` counts. */
function withoutSiblings({ $ref, ...rest }: Json): Json {
  if ($ref === undefined) return rest;
  const { allOf = [], ...others } = rest;
  return Object.keys(rest).length === 0 ? { $ref } : { ...others, allOf: [{ $ref }, ...(allOf as readonly unknown[])] };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
