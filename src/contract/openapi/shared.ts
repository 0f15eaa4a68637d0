// What both documents share: where the server is, and how schemas look.
import { z } from 'zod';
import type { CreateDocumentOptions } from 'zod-openapi';

/** An OpenAPI document, as JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** All paths are relative to the contract's {base_url}. */
export const serverAt = (baseUrl: string, description: string) => ({
  url: '{base_url}',
  description,
  variables: { base_url: { default: baseUrl, description: 'What the paths stand behind.' } },
});

/** A format says more to a reader than the pattern that checks it, and an integer more than the bounds of the safe ones. */
export const tidied: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema }) => {
    if (zodSchema instanceof z.ZodGUID) jsonSchema.format = 'uuid';
    if (jsonSchema.format) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
};
