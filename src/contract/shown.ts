// What a schema shows in an OpenAPI document where JSON Schema cannot see what it checks: metadata, or an `override` in it.

import { numericText } from './numeric-text.ts';

/** A number that may come as a text. */
export function docNumberOrText({ jsonSchema, io }: { readonly jsonSchema: object; readonly io?: string }): void {
  if (io === 'input') Object.assign(jsonSchema, { type: ['number', 'string'], pattern: numericText.source });
}

/** Metadata of an object that has at least one of these fields. Within `allOf`, as generators of types lose the object beside an `anyOf`. */
export const docAtLeastOne = (fields: readonly string[]) => ({
  allOf: [{ anyOf: fields.map((field) => ({ required: [field] })) }],
});

interface ShownObject {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  additionalProperties?: unknown;
}

/** What is said of some fields of an object, beside what holds of all; `false` for one that may not be there. */
interface Variant {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

/** An object of exactly one of these variants. Each is a schema of its own, so that generators of types see that they exclude each other. */
export function docVariants(variants: readonly Variant[]) {
  return ({ jsonSchema }: { readonly jsonSchema: ShownObject }): void => {
    const { type, properties, required = [], additionalProperties } = jsonSchema;
    const closed = additionalProperties === undefined ? {} : { additionalProperties };
    const oneOf = variants.map((variant) => ({
      type,
      properties: { ...properties, ...variant.properties },
      required: [...required, ...variant.required],
      ...closed,
    }));
    for (const keyword of ['type', 'properties', 'required', 'additionalProperties'] as const)
      delete jsonSchema[keyword];
    Object.assign(jsonSchema, { oneOf });
  };
}

const never = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, false]));

/** An object whose fields stand together in one of these ways, and in no other. */
export const docWays = (ways: readonly (readonly string[])[]) =>
  docVariants(
    ways.map((way) => ({ properties: never(ways.flat().filter((field) => !way.includes(field))), required: way })),
  );

/** An object that has one of these two fields, or both. */
export const docOneOrBoth = (one: string, other: string) =>
  docVariants([
    { properties: {}, required: [one] },
    { properties: never([one]), required: [other] },
  ]);

/** An object that has one of these two fields, or neither. */
export const docAtMostOne = (one: string, other: string) =>
  docVariants([
    { properties: never([other]), required: [] },
    { properties: never([one]), required: [other] },
  ]);

/** Components that are referred to by name alone; a document must have each. */
export type ComponentName = 'ExistingConsumer' | 'NewConsumer';

/** A component of the document. */
export const componentRef = (component: ComponentName): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${component}`,
});
