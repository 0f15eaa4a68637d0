// The frame of a document: where the server is, operations by their paths, and how schemas look.
import { z } from 'zod';
import type {
  CreateDocumentOptions,
  createDocument,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
} from 'zod-openapi';

/** An OpenAPI document, as JSON. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** All paths are relative to the contract's {base_url}. */
export const serverAt = (baseUrl: string, description: string) => ({
  url: '{base_url}',
  description,
  variables: { base_url: { default: baseUrl } },
});

interface Routed {
  readonly method: string;
  readonly path: string;
}

/** Operations by path and method. */
export function pathsOf<O extends Routed>(
  operations: readonly O[],
  shown: (operation: O) => ZodOpenApiOperationObject,
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: shown(operation) };
  }
  return paths;
}

/** Of the documents, and of what they describe. */
export const license = { name: 'MIT', identifier: 'MIT' };

/** A format says more to a reader than the pattern that checks it, and an integer more than the bounds of the safe ones. */
export const tidied: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema }) => {
    if (zodSchema instanceof z.ZodGUID) {
      jsonSchema.format = 'uuid';
      delete jsonSchema.allOf;
    }
    // A field that may not be there: generators of types understand `false`, not `{ "not": {} }`.
    for (const [name, schema] of Object.entries(jsonSchema.properties ?? {}))
      if (isNothing(schema)) Object.assign(jsonSchema.properties ?? {}, { [name]: false });
    // What zod calls a format, others know as a pattern alone.
    if (jsonSchema.format && !formats.includes(jsonSchema.format)) delete jsonSchema.format;
    if (jsonSchema.format) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
};

const formats: readonly string[] = ['uuid', 'date-time', 'uri', 'email'];
const isNothing = (schema: unknown): boolean => JSON.stringify(schema) === '{"not":{}}';
