// The service as an OpenAPI 3.1 document, by the readings of a sandbox: a pure function of the contract.
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { existingConsumer, shownNewConsumer } from '../consumer-pattern.ts';
import type { Operation } from '../operation.ts';
import { operationList } from '../operations.ts';
import type { Terms } from '../terms.ts';
import { shownAssumptions } from './assumption-extension.ts';
import { bearerScheme, operationObject, tagOf } from './operation-object.ts';
import { withParameterExamples } from './parameter-examples.ts';
import { sharedErrorResponses } from './refusal-responses.ts';
import type { Illustrated } from './samples.ts';
import { type OpenApiDocument, serverAt, tidied } from './shared.ts';

export interface ServiceDocumentOptions extends Illustrated {
  /** The readings that it follows, and the fixtures' closed lists. */
  readonly terms: Terms;
  /** {base_url} of the sandbox. */
  readonly baseUrl: string;
  readonly version: string;
}

const tags: Readonly<Record<string, string>> = {
  Authentication: 'OAuth 2.0 bearer tokens by username and password.',
  Products: "The client's own products.",
  Consumers: 'Whom orders are placed for.',
  Orders: 'Packs made of pouches, shipped to an address.',
  Fulfillments: 'Shipments of orders, with their tracking.',
};

const description = `Orders of personalized packs made of pouches, and their shipments exposed as fulfillments.

This document is made by Sachet, a sandbox of the service, of the rules of the service's contract. Examples of errors are named by the rule that they
break. What the contract does not show stands under \`x-assumptions\`, with the reading that this document follows.`;

/** @example serviceDocument({ terms, baseUrl: 'http://localhost:4010', version: '0.1.0', samples, answers: {} }) */
export function serviceDocument({ terms, baseUrl, version, ...illustrated }: ServiceDocumentOptions): OpenApiDocument {
  const offered = operationList.filter(({ offeredBy }) => !offeredBy || terms.readings[offeredBy] === 'assumed');
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Order and Fulfillment Service',
        version,
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [serverAt(baseUrl, 'This sandbox: {base_url} of the contract')],
      tags: tagsOf(offered),
      security: [{ [bearerScheme]: [] }],
      paths: pathsOf(offered, terms, illustrated),
      components: {
        schemas: { ExistingConsumer: existingConsumer(terms), NewConsumer: shownNewConsumer(terms) },
        responses: sharedErrorResponses(terms, illustrated.samples),
        securitySchemes: {
          [bearerScheme]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: bearerDescription },
        },
      },
      'x-assumptions': shownAssumptions(terms),
    },
    tidied,
  );
  return withParameterExamples(document as unknown as OpenApiDocument, illustrated.samples);
}

const bearerDescription = 'The `access_token` of a login, valid for `expires_in` seconds.';

const tagsOf = (offered: readonly Operation[]) =>
  Object.entries(tags)
    .filter(([name]) => offered.some(({ id }) => tagOf(id) === name))
    .map(([name, description]) => ({ name, description }));

function pathsOf(offered: readonly Operation[], terms: Terms, illustrated: Illustrated): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of offered) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, terms, illustrated) };
  }
  return paths as ZodOpenApiPathsObject;
}
