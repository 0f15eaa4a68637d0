// The service as an OpenAPI 3.1 document, by the readings of a sandbox: a pure function of the contract.

import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../contract/assumptions.ts';
import { bearerScheme } from '../contract/authentication.ts';
import { existingConsumer, newConsumerDoc } from '../contract/consumers.ts';
import { debugHeaderNames, isOffered, type Operation, type Status, statusNames } from '../contract/operation.ts';
import { operationList, type ServiceOperation } from '../contract/operations.ts';
import { Assumptions } from '../contract/resolved-assumptions.ts';
import { numberedRules, rules } from '../contract/rules.ts';
import type { ComponentName } from '../contract/schema.ts';
import { license, type OpenApiDocument, pathsOf, serverAt, tidied } from './document.ts';
import { refusalResponses, sharedErrorResponses } from './refusal-examples.ts';
import type { Illustrated, SampleAnswer, SampleRequest } from './samples.ts';

// `x-assumptions`: what a document says of what the contract does not show.

interface ShownAssumption {
  readonly question: string;
  /** The one in force. */
  readonly reading: string;
  readonly default: string;
  /** All there are, each with what it means. */
  readonly readings: Readonly<Record<string, string>>;
}

/** The whole register, by id, with the readings in force. */
function shownAssumptions({ choices }: Assumptions): Readonly<Record<AssumptionId, ShownAssumption>> {
  const shown = assumptionIds.map((id): [AssumptionId, ShownAssumption] => {
    const { question, choices: all } = assumptionRegister[id];
    return [id, { question, reading: choices[id], default: all[0][0], readings: Object.fromEntries(all) }];
  });
  return Object.fromEntries(shown) as Record<AssumptionId, ShownAssumption>;
}

/** The readings in force that were asked for, by id. */
function askedChoices(assumptions: Assumptions): Readonly<Record<string, string>> {
  return Object.fromEntries([...assumptions.used].map((id) => [id, assumptions.choices[id]]));
}

// An operation of the service as an OpenAPI document shows it.

/** `orders.create` → `Orders` */
const tagOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1, id.indexOf('.'));

function operationObject(
  operation: ServiceOperation,
  given: Assumptions,
  illustrated: Illustrated,
): ZodOpenApiOperationObject {
  const { id, summary, permission, offeredBy } = operation;
  // Terms of its own, so that what is asked for from here on is what shapes this operation.
  const assumptions = new Assumptions(given.choices, given.administrationTimes);
  const parts = requestOf(operation, assumptions, illustrated.samples.requests[id]);
  const responses = {
    ...successOf(operation, assumptions, illustrated.answers[id]),
    ...refusalResponses(operation, assumptions, illustrated.samples),
  };
  const beside = ['rate_limit', ...(operation.shapedBy ?? []), ...(offeredBy ? [offeredBy] : [])] as const;
  for (const asked of beside) assumptions.get(asked);
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary,
    description: descriptionOf(operation, assumptions),
    ...parts,
    responses,
    security: permission === null ? [] : [{ [bearerScheme]: [] }],
    ...(permission === null ? {} : { 'x-permission': permission }),
    'x-assumptions': askedChoices(assumptions),
  };
}

function descriptionOf({ description, permission, offeredBy }: Operation, assumptions: Assumptions): string {
  const assumed = offeredBy && `The contract does not show this endpoint: it is assumed (\`${offeredBy}\`).`;
  return [description, assumed, neededFor(permission, assumptions)].filter((part) => part !== undefined).join('\n\n');
}

function neededFor(permission: Operation['permission'], assumptions: Assumptions): string | undefined {
  if (permission === null) return 'Needs no token.';
  return assumptions.get('permissions') === 'per_endpoint' ? `Needs the permission \`${permission}\`.` : undefined;
}

function requestOf({ params, query, body }: Operation, assumptions: Assumptions, sample: SampleRequest): RequestParts {
  const requestParams = {
    ...(params ? { path: withExamples(params(assumptions), sample.params) } : {}),
    ...(query ? { query: withExamples(query(assumptions), sample.query) } : {}),
  };
  if (!body) return { requestParams };
  const examples = { sample: { summary: 'A good request', value: sample.body } };
  return {
    requestParams,
    requestBody: { required: true, content: { 'application/json': { schema: body(assumptions), examples } } },
  };
}
type RequestParts = Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'>;

/** The parameters, each with a value that is good in a new sandbox, where there is one. */
function withExamples(parameters: z.ZodObject, values: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  const { shape } = parameters;
  const fields = Object.entries(values).map(([name, example]) => [
    name,
    (shape[name] as z.ZodType).meta({ param: { example } }),
  ]);
  return z.object({ ...shape, ...Object.fromEntries(fields) });
}

/** The success that the readings choose, with what a new sandbox answers. */
function successOf(operation: Operation, assumptions: Assumptions, answers: readonly SampleAnswer[] = []) {
  const [only = '200'] = Object.keys(operation.responses);
  const status = operation.answersWith?.(assumptions) ?? Number(only);
  const schema = operation.responses[status]?.(assumptions);
  const headers = Object.entries(operation.headers?.(assumptions) ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  const examples = answers
    .filter((answer) => answer.status === status)
    .map(({ name, summary, body }) => [name, { summary, value: body }]);
  return {
    [status]: {
      description: statusNames[status as Status],
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: {
        'application/json': { schema, ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}) },
      },
    },
  };
}

// `x-rules`: the rules of the contract by their ids, which the examples of errors are named by.

interface ShownRule {
  /** Whether the contract's document says it, or is silent, and this is the sandbox's answer. */
  readonly standing: 'documented' | 'assumed';
  readonly says: string;
}

const required = (what = ''): string => `Required: ${what}.`;

const numbered: Readonly<Record<string, ShownRule>> = Object.fromEntries(
  numberedRules.map(({ id, standing, contract, requires }) => [id, { standing, says: contract ?? required(requires) }]),
);

/** The sandbox's own rules. A rule that an assumption decides is in `x-assumptions`. */
const ownRules: Readonly<Record<string, ShownRule>> = Object.fromEntries(
  Object.entries(rules)
    .filter(([id]) => !(id in numbered || id in assumptionRegister))
    .map(([id, { requires }]) => [id, { standing: 'assumed', says: required(requires) }]),
);

export interface ServiceDocumentOptions extends Illustrated {
  /** The readings that it follows, and the fixtures' closed lists. */
  readonly assumptions: Assumptions;
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
export function serviceDocument({
  assumptions,
  baseUrl,
  version,
  ...illustrated
}: ServiceDocumentOptions): OpenApiDocument {
  const offered = operationList.filter((operation) => isOffered(operation, assumptions));
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
      paths: pathsOf(offered, (operation) => operationObject(operation, assumptions, illustrated)),
      components: {
        schemas: shownSchemas(assumptions),
        responses: sharedErrorResponses(assumptions, illustrated.samples),
        securitySchemes: {
          [bearerScheme]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: bearerDescription },
        },
      },
      'x-generator': `Sachet ${version}`,
      'x-rules': { ...numbered, ...ownRules },
      'x-assumptions': shownAssumptions(assumptions),
    },
    tidied,
  );
}

const shownSchemas = (assumptions: Assumptions): Record<ComponentName, z.ZodType> => ({
  ExistingConsumer: existingConsumer(assumptions),
  NewConsumer: newConsumerDoc(assumptions),
});

const bearerDescription = 'The `access_token` of a login, valid for `expires_in` seconds.';

const tagsOf = (offered: readonly ServiceOperation[]) =>
  Object.entries(tags)
    .filter(([name]) => offered.some(({ id }) => tagOf(id) === name))
    .map(([name, description]) => ({ name, description }));
