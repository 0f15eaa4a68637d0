// The service as an OpenAPI 3.1 document, by the readings of a sandbox: a pure function of the contract.
import type { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { bearerScheme } from '../authentication.ts';
import { existingConsumer, shownNewConsumer } from '../consumer-pattern.ts';
import { debugHeaderNames } from '../debug-headers.ts';
import { isOffered } from '../operation.ts';
import { operationList, type ServiceOperation } from '../operations.ts';
import type { ShownName } from '../shown.ts';
import type { Terms } from '../terms.ts';
import { shownAssumptions } from './assumption-extension.ts';
import { license, type OpenApiDocument, pathsOf, serverAt, tidied } from './document.ts';
import { operationObject, tagOf } from './operation-object.ts';
import { sharedErrorResponses } from './refusal-responses.ts';
import { shownRules } from './rule-extension.ts';
import type { Illustrated } from './samples.ts';

export interface ServiceDocumentOptions extends Illustrated {
  /** The readings that it follows, and the fixtures' closed lists. */
  readonly terms: Terms;
  /** {base_url} of the sandbox. */
  readonly baseUrl: string;
  /** Of Sachet. */
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

This document is made by Sachet, a sandbox of the service, of the rules of the service's contract: they stand in its JSON under \`x-rules\`. Examples of errors are named by the rule that they
break. What the contract does not show is assumed: \`x-assumptions\` of the JSON has each question with its readings, and that of an operation the readings in force that shape its answers.

Answers of the sandbox carry headers that the service has not: \`${debugHeaderNames.rule}\`, \`${debugHeaderNames.assumption}\`, \`${debugHeaderNames.fault}\` and \`${debugHeaderNames.requestId}\`.`;

/** The version is part of the path. */
const contractVersion = 'v2';

/** @example serviceDocument({ terms, baseUrl: 'http://localhost:4010', version: '0.1.0', samples, answers: {} }) */
export function serviceDocument({ terms, baseUrl, version, ...illustrated }: ServiceDocumentOptions): OpenApiDocument {
  const offered = operationList.filter((operation) => isOffered(operation, terms));
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Order and Fulfillment Service',
        version: contractVersion,
        description,
        license,
      },
      servers: [serverAt(baseUrl, 'This sandbox: {base_url} of the contract')],
      tags: tagsOf(offered),
      security: [{ [bearerScheme]: [] }],
      paths: pathsOf(offered, (operation) => operationObject(operation, terms, illustrated)),
      components: {
        schemas: shownSchemas(terms),
        responses: sharedErrorResponses(terms, illustrated.samples),
        securitySchemes: {
          [bearerScheme]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: bearerDescription },
        },
      },
      'x-generator': `Sachet ${version}`,
      'x-rules': shownRules,
      'x-assumptions': shownAssumptions(terms),
    },
    tidied,
  );
}

const shownSchemas = (terms: Terms): Record<ShownName, z.ZodType> => ({
  ExistingConsumer: existingConsumer(terms),
  NewConsumer: shownNewConsumer(terms),
});

const bearerDescription = 'The `access_token` of a login, valid for `expires_in` seconds.';

const tagsOf = (offered: readonly ServiceOperation[]) =>
  Object.entries(tags)
    .filter(([name]) => offered.some(({ id }) => tagOf(id) === name))
    .map(([name, description]) => ({ name, description }));
