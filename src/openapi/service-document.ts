// The service as an OpenAPI 3.1 document, for the assumptions of a sandbox.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../contract/assumptions.ts';
import { bearerScheme } from '../contract/authentication.ts';
import { existingConsumer, newConsumerDoc } from '../contract/consumers.ts';
import { debugHeaderNames, isOffered, type Operation, type Status, statusNames } from '../contract/operation.ts';
import { type OperationId, operationList, resources, type ServiceOperation } from '../contract/operations.ts';
import { Assumptions } from '../contract/resolved-assumptions.ts';
import { numberedRules, rules } from '../contract/rules.ts';
import type { ComponentName } from '../contract/schema.ts';
import { type OpenApiDocument, pathsOf, sachetInfo, tidied } from './document.ts';
import { refusalResponses, sharedErrorResponses } from './refusal-examples.ts';
import type { DocumentExamples, SampleAnswer, SampleRequest } from './samples.ts';

/** An assumption in `x-assumptions`. */
interface AssumptionJson {
  readonly question: string;
  /** The choice in force. */
  readonly reading: string;
  readonly default: string;
  /** All choices, each with its meaning. */
  readonly readings: Readonly<Record<string, string>>;
}

/** The whole register. */
const assumptionsJson = ({ choices }: Assumptions): Readonly<Record<string, AssumptionJson>> =>
  Object.fromEntries(
    assumptionIds.map((id) => {
      const { question, choices: all } = assumptionRegister[id];
      return [id, { question, reading: choices[id], default: all[0][0], readings: Object.fromEntries(all) }];
    }),
  );

function usedChoices(assumptions: Assumptions): Readonly<Record<string, string>> {
  return Object.fromEntries([...assumptions.used].map((id) => [id, assumptions.choices[id]]));
}

const resourceOf = (id: OperationId) => id.split('.')[0] as keyof typeof resources;

/** `orders` → `Orders` */
const tagOf = (resource: string): string => resource.charAt(0).toUpperCase() + resource.slice(1);

function operationObject(
  operation: ServiceOperation,
  shared: Assumptions,
  examples: DocumentExamples,
): ZodOpenApiOperationObject {
  const { id, operationId, summary, permission, offeredBy } = operation;
  // A trace of its own: the assumptions used from here on shape this operation.
  const assumptions = new Assumptions(shared.choices, shared.administrationTimes);
  const parts = requestOf(operation, assumptions, examples.samples.requests[id]);
  const responses = {
    ...successOf(operation, assumptions, examples.answers[id]),
    ...refusalResponses(operation, assumptions, examples.samples),
  };
  const shapedBy: readonly AssumptionId[] = [
    'rate_limit',
    'rate_limit_scope',
    ...(operation.body || operation.query ? (['faults_per_field'] as const) : []),
    ...(operation.shapedBy ?? []),
    ...(offeredBy ? [offeredBy] : []),
  ];
  for (const each of shapedBy) assumptions.get(each);
  return {
    operationId,
    tags: [tagOf(resourceOf(id))],
    summary,
    description: descriptionOf(operation, assumptions),
    ...parts,
    responses,
    security: permission === null ? [] : [{ [bearerScheme]: [] }],
    'x-operation': id,
    ...(permission === null ? {} : { 'x-permission': permission }),
    'x-assumptions': usedChoices(assumptions),
  };
}

function descriptionOf({ description, permission, offeredBy }: Operation, assumptions: Assumptions): string {
  const assumed = offeredBy && `The contract does not show this endpoint. It is an assumption (\`${offeredBy}\`).`;
  return [description, assumed, permissionNote(permission, assumptions)]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

function permissionNote(permission: Operation['permission'], assumptions: Assumptions): string | undefined {
  if (permission === null) return 'Needs no token.';
  return assumptions.get('permissions') === 'per_endpoint' ? `Needs the permission \`${permission}\`.` : undefined;
}

function requestOf({ params, query, body }: Operation, assumptions: Assumptions, sample: SampleRequest): RequestParts {
  const requestParams = {
    ...(params ? { path: withExamples(params(assumptions), sample.params) } : {}),
    ...(query ? { query: withExamples(query(assumptions), sample.query) } : {}),
  };
  if (!body) return { requestParams };
  const examples = { sample: { summary: 'A valid request', value: sample.body } };
  return {
    requestParams,
    requestBody: { required: true, content: { 'application/json': { schema: body(assumptions), examples } } },
  };
}
type RequestParts = Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'>;

/** The parameters, with example values that are valid in a new sandbox. */
function withExamples(parameters: z.ZodObject, values: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  const { shape } = parameters;
  const fields = Object.entries(values).map(([name, example]) => [
    name,
    (shape[name] as z.ZodType).meta({ param: { example } }),
  ]);
  return z.object({ ...shape, ...Object.fromEntries(fields) });
}

/** The response of a success, with the answers of a new sandbox as examples. */
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

/** A rule in `x-rules`. The examples of errors have its id as name. */
interface RuleJson {
  readonly standing: 'documented' | 'assumed';
  readonly says: string;
}

const numbered: Readonly<Record<string, RuleJson>> = Object.fromEntries(
  numberedRules.map(({ id, standing, contract, requires }) => [id, { standing, says: contract ?? `${requires}.` }]),
);

/** The sandbox's own rules. A rule that an assumption decides is in `x-assumptions`. */
const ownRules: Readonly<Record<string, RuleJson>> = Object.fromEntries(
  Object.entries(rules)
    .filter(([id]) => !(id in numbered || id in assumptionRegister))
    .map(([id, { requires }]) => [id, { standing: 'assumed', says: `${requires}.` }]),
);

export interface ServiceDocumentOptions extends DocumentExamples {
  readonly assumptions: Assumptions;
  /** {base_url} of the sandbox. */
  readonly baseUrl: string;
  /** Of Sachet. */
  readonly version: string;
}

const description = `Orders of personalized packs made of pouches, and their shipments exposed as fulfillments.

Sachet, a sandbox of the service, generates this document from the rules of the contract. The JSON has the rules under
\`x-rules\`; examples of errors have the ids of the rules that they break. Where the contract leaves a gap, the sandbox
makes an assumption: \`x-assumptions\` of the document lists each question with its choices, and \`x-assumptions\` of
an operation lists the current choices that shape its responses.

Responses of the sandbox have headers that the service does not have: \`${debugHeaderNames.rule}\`,
\`${debugHeaderNames.reason}\`, \`${debugHeaderNames.assumption}\`, \`${debugHeaderNames.fault}\` and
\`${debugHeaderNames.requestId}\`.`;

/** The version in the path. */
const contractVersion = 'v2';

/**
 * @example serviceDocument({ assumptions, baseUrl: 'http://localhost:4010', version: '0.1.0', samples, answers: {} })
 */
export function serviceDocument({
  assumptions,
  baseUrl,
  version,
  ...examples
}: ServiceDocumentOptions): OpenApiDocument {
  const offered = operationList.filter((operation) => isOffered(operation, assumptions));
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Order and Fulfillment Service',
        version: contractVersion,
        description,
        ...sachetInfo,
      },
      servers: [{ url: baseUrl, description: 'This sandbox: the {base_url} of the contract' }],
      tags: tagsOf(offered),
      security: [{ [bearerScheme]: [] }],
      paths: pathsOf(offered, (operation) => operationObject(operation, assumptions, examples)),
      components: {
        schemas: namedSchemas(assumptions),
        responses: sharedErrorResponses(assumptions, examples.samples),
        securitySchemes: {
          [bearerScheme]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: bearerDescription },
        },
      },
      'x-generator': `Sachet ${version}`,
      'x-rules': { ...numbered, ...ownRules },
      'x-assumptions': assumptionsJson(assumptions),
    },
    tidied,
  );
}

const namedSchemas = (assumptions: Assumptions): Record<ComponentName, z.ZodType> => ({
  ExistingConsumer: existingConsumer(assumptions),
  NewConsumer: newConsumerDoc(assumptions),
});

const bearerDescription = 'The `access_token` of a login, valid for `expires_in` seconds.';

const tagsOf = (offered: readonly ServiceOperation[]) =>
  [...new Set(offered.map(({ id }) => resourceOf(id)))].map((resource) => ({
    name: tagOf(resource),
    description: resources[resource],
  }));
