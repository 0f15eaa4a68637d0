// What a schema shows in an OpenAPI document where JSON Schema cannot see what it checks: values for `override` of its metadata.

import { numericText } from './numeric-text.ts';

/** A number that may come as a text. */
export function shownNumberOrText({ jsonSchema, io }: { readonly jsonSchema: object; readonly io: string }): void {
  if (io === 'input') Object.assign(jsonSchema, { type: ['number', 'string'], pattern: numericText.source });
}

/** An object that has one of these fields, or several. Within `allOf`, as generators of types lose the object beside an `anyOf`. */
export const shownAtLeastOne = (fields: readonly string[]) => ({
  allOf: [{ anyOf: fields.map((field) => ({ required: [field] })) }],
});

interface ShownObject {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  additionalProperties?: unknown;
}

/**
 * An object whose fields stand together in one of these ways, and in no other. Each way is a schema of its own, so that generators of types
 * see that they exclude each other.
 */
export function shownWays(ways: readonly (readonly string[])[]) {
  return ({ jsonSchema }: { readonly jsonSchema: ShownObject }): void => {
    const { type, properties, required = [], additionalProperties } = jsonSchema;
    const oneOf = ways.map((way) => {
      const others = ways.flat().filter((field) => !way.includes(field));
      const never = Object.fromEntries(others.map((field) => [field, false]));
      const closed = additionalProperties === undefined ? {} : { additionalProperties };
      return { type, properties: { ...properties, ...never }, required: [...required, ...way], ...closed };
    });
    for (const keyword of ['type', 'properties', 'required', 'additionalProperties'] as const)
      delete jsonSchema[keyword];
    Object.assign(jsonSchema, { oneOf });
  };
}

/** Components that are referred to by name alone; a document must have each. */
export type ShownName = 'ExistingConsumer' | 'NewConsumer';

/** A component of the document. */
export const shownAs = (component: ShownName): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${component}`,
});
