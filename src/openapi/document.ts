// What both OpenAPI documents share: server, paths, license, and how schemas look.
import { z } from 'zod';
import type {
  CreateDocumentOptions,
  createDocument,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
} from 'zod-openapi';
import { withoutFields } from '../contract/schema.ts';

/** An OpenAPI document, as JSON. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

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

/** What both documents say about Sachet. */
export const sachetInfo = { contact: { name: 'Sachet' }, license: { name: 'MIT', identifier: 'MIT' } };

/** Replaces patterns by formats, and leaves forbidden fields out. */
export const tidied: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema }) => {
    if (zodSchema instanceof z.ZodGUID) {
      jsonSchema.format = 'uuid';
      delete jsonSchema.allOf;
    }
    const forbidden = Object.entries(jsonSchema.properties ?? {})
      .filter(([, schema]) => JSON.stringify(schema) === '{"not":{}}')
      .map(([name]) => name);
    if (forbidden.length > 0) Object.assign(jsonSchema, withoutFields(jsonSchema, forbidden));
    // Other tools know zod's other formats only as patterns.
    if (jsonSchema.format && !formats.includes(jsonSchema.format)) delete jsonSchema.format;
    if (jsonSchema.format) delete jsonSchema.pattern;
    // A slash needs no escape outside of JavaScript, and some tools escape it twice.
    if (jsonSchema.pattern) jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
  },
};

const formats: readonly string[] = ['uuid', 'date-time', 'uri', 'email'];
