// What both OpenAPI documents share: server, paths, license, and how schemas look.
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

/** Operations by path and method. */
export function pathsOf<O extends { readonly method: string; readonly path: string }>(
  operations: readonly O[],
  objectOf: (operation: O) => ZodOpenApiOperationObject,
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: objectOf(operation) };
  }
  return paths;
}

export const license = { name: 'MIT', identifier: 'MIT' };

/** Replaces patterns by formats, and drops the bounds of safe integers. */
export const tidied: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema }) => {
    if (zodSchema instanceof z.ZodGUID) {
      jsonSchema.format = 'uuid';
      delete jsonSchema.allOf;
    }
    // A forbidden field: generators of types understand `false`, not `{ "not": {} }`.
    for (const [name, schema] of Object.entries(jsonSchema.properties ?? {}))
      if (JSON.stringify(schema) === '{"not":{}}') Object.assign(jsonSchema.properties ?? {}, { [name]: false });
    // Other tools know zod's other formats only as patterns.
    if (jsonSchema.format && !formats.includes(jsonSchema.format)) delete jsonSchema.format;
    if (jsonSchema.format) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
};

const formats: readonly string[] = ['uuid', 'date-time', 'uri', 'email'];
