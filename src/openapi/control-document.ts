// The control API as an OpenAPI 3.1 document.
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { namesIn, stage } from '../contract/addresses.ts';
import { clockSchema } from '../contract/control/clock.ts';
import {
  type ControlOperation,
  type ControlStatus,
  controlStatusNames,
  idempotencyKey,
  keyScheme,
  takesIdempotencyKey,
} from '../contract/control/control-operation.ts';
import { match, operationId, requestMatch, ruleId } from '../contract/control/match.ts';
import { controlOperationList } from '../contract/control/operations.ts';
import { choicesPatch, choicesSchema, faultSchema, scenarioSchema } from '../contract/control/overrides.ts';
import { requestSchema, verified } from '../contract/control/requests.ts';
import { createdSandbox, sandboxSchema, snapshot } from '../contract/control/sandboxes.ts';
import { stateDocument } from '../contract/control/state.ts';
import { fault, switchesPatch, switchesSchema } from '../contract/control/switches.ts';
import { collectionNames, collections, timelineStep } from '../contract/records.ts';
import { errorBody } from '../contract/refusal.ts';
import { license, type OpenApiDocument, pathsOf, serverAt, tidied } from './document.ts';
import type { ControlExamples } from './samples.ts';

/** The error responses in `components/responses`. */
const errorDescriptions: Partial<Record<ControlStatus, string>> = {
  400: 'A body, a query or an Idempotency-Key of the wrong form, or no Host.',
  401: 'No key, or one that is not good here.',
  403: 'Another host, or a page of another origin.',
  404: 'There is none of this name or id.',
  409: 'There is one of this name already; what would decide was evicted; or the sandbox began anew meanwhile.',
  413: 'A body larger than is taken.',
  415: 'A body that is no JSON by its type.',
  422: 'Understood, and not possible. The message says what is.',
  500: 'A bug, a store that fails, or a memory that is full.',
};
const responseName = (status: ControlStatus): string => controlStatusNames[status].replaceAll(' ', '');

const errorResponses: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  Object.entries(errorDescriptions).map(([status, description]) => [
    responseName(Number(status) as ControlStatus),
    { description, content: { 'application/json': { schema: errorBody } } },
  ]),
);

function errorStatusesOf({ method, path, body, responses }: ControlOperation): ControlStatus[] {
  // The number of event streams is limited.
  const changesOrFollows = method !== 'GET' || responses[200] === null;
  return [
    400,
    401,
    403,
    ...(path.includes('{') || body ? [404 as const, 409 as const] : []),
    ...(body ? [413 as const, 415 as const] : []),
    ...(changesOrFollows ? [422 as const] : []),
    500,
  ];
}

function controlResponses(operation: ControlOperation) {
  const successes = Object.entries(operation.responses).map(([status, schema]) => [
    status,
    { description: controlStatusNames[Number(status) as ControlStatus], ...contentOf(Number(status), schema) },
  ]);
  const errors = errorStatusesOf(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${responseName(status)}` },
  ]);
  return Object.fromEntries([...successes, ...errors]);
}

/** A response without a JSON body is an event stream, or empty. */
function contentOf(status: number, schema: ControlOperation['responses'][number]) {
  if (status === 204) return {};
  const eventStream = { 'text/event-stream': { schema: { type: 'string' } } };
  return { content: schema ? { 'application/json': { schema } } : eventStream };
}

/** A group of operations. */
interface ControlTag {
  readonly name: string;
  readonly description: string;
  /** The first parts of its operations' ids. */
  readonly resources: readonly string[];
}

const controlTags: readonly ControlTag[] = [
  {
    name: 'Sandboxes',
    description: 'Worlds of their own, and snapshots of them.',
    resources: ['sandboxes', 'snapshots', 'state'],
  },
  { name: 'Clock', description: "A sandbox's time: every expiry, timestamp and window of it.", resources: ['clock'] },
  { name: 'Switches', description: 'Named changes of behavior.', resources: ['switches'] },
  { name: 'Faults', description: 'Rules that meet matching requests.', resources: ['faults'] },
  {
    name: 'Scenarios',
    description: 'Switches, faults, assumptions and data that are set together, as a layer.',
    resources: ['scenarios'],
  },
  {
    name: 'Assumptions',
    description: 'What the contract does not show, and how it is read.',
    resources: ['assumptions'],
  },
  {
    name: 'Journal',
    description: 'What the sandbox received and answered, and why.',
    resources: ['requests', 'events'],
  },
  { name: 'Conduct', description: 'What the client did right and wrong.', resources: ['report'] },
  { name: 'Operator', description: "What the service's own staff does.", resources: ['orders', 'fulfillments'] },
  { name: 'Data', description: 'The records of a sandbox.', resources: ['records', 'singles'] },
];

function tagOf(id: string): string {
  const [resource = ''] = id.split('.');
  const tag = controlTags.find(({ resources }) => resources.includes(resource));
  if (!tag) throw new Error(`no group of the control API has the operation ${id}`);
  return tag.name;
}

function operationObject(operation: ControlOperation, { bodies, ids }: ControlExamples): ZodOpenApiOperationObject {
  const { id, summary, body, query } = operation;
  const bodySchema = operation.documentedBody?.() ?? body;
  const examples = operation.examples ?? (id in bodies ? { sample: bodies[id] } : {});
  const parameters = [...pathParameters(operation, ids[id]), ...(takesIdempotencyKey(operation) ? [keyParameter] : [])];
  const content = bodySchema && {
    'application/json': {
      schema: bodySchema,
      ...(Object.keys(examples).length > 0 ? { examples: namedExamples(examples) } : {}),
    },
  };
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary,
    parameters,
    ...(query ? { requestParams: { query } } : {}),
    // A body with a default may be left out.
    ...(content ? { requestBody: { required: !body?.safeParse(undefined).success, content } } : {}),
    responses: controlResponses(operation),
  } as ZodOpenApiOperationObject;
}

const pathParameters = ({ path }: ControlOperation, id: string | undefined) =>
  namesIn(path).map((name) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
    ...exampleOf({ sandbox: stage, id }[name]),
  }));

const keyParameter = {
  in: 'header',
  name: idempotencyKey.header,
  required: false,
  description: 'A call that comes again with its key is not done again, and is answered as before.',
  schema: { type: 'string', pattern: idempotencyKey.form.source },
};

const exampleOf = (example: string | undefined) => (example === undefined ? {} : { example });

const namedExamples = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { summary: name === 'sample' ? 'A good request' : name.replaceAll('_', ' '), value },
    ]),
  );

const description = `What a tester controls: sandboxes, their clocks, switches, faults, scenarios, assumptions and data,
and the journal of what they received.

Every call carries the admin key as a bearer token, or a sandbox's own key on the routes of that sandbox.`;

export interface ControlDocumentOptions {
  /** Where the server is. */
  readonly url: string;
  readonly version: string;
  readonly examples: ControlExamples;
}

/** @example controlDocument({ url: 'http://localhost:4010', version: '0.1.0', examples: controlExamples(fixtures) }) */
export function controlDocument({ url, version, examples }: ControlDocumentOptions): OpenApiDocument {
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Sachet control API', version, description, license },
      servers: [serverAt(url, 'The server')],
      tags: controlTags.map(({ name, description }) => ({ name, description })),
      security: [{ [keyScheme]: [] }],
      paths: pathsOf(controlOperationList, (operation) => operationObject(operation, examples)),
      components: {
        schemas,
        responses: errorResponses,
        securitySchemes: {
          [keyScheme]: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The admin key: given by `--admin-key` or `SACHET_ADMIN_KEY`, else shown at the start. Or a ' +
              "sandbox's own.",
          },
        },
      },
    },
    tidied,
  );
}

/** The components that the document refers to by name. */
const schemas = {
  Sandbox: sandboxSchema,
  MadeSandbox: createdSandbox,
  Snapshot: snapshot,
  Clock: clockSchema,
  Switches: switchesSchema,
  SwitchesPatch: switchesPatch,
  Fault: fault,
  AppliedFault: faultSchema,
  Scenario: scenarioSchema,
  // Generated clients have the names of these two.
  Readings: choicesSchema,
  ReadingsPatch: choicesPatch,
  OperationId: operationId,
  RuleId: ruleId,
  Match: match,
  RequestMatch: requestMatch,
  ReceivedRequest: requestSchema,
  Verification: verified,
  State: stateDocument,
  TimelineStep: timelineStep(),
  ...Object.fromEntries(collectionNames.map((name) => [recordName(name), collections[name]])),
};

/** `fulfillment_statuses` → `FulfillmentStatusRecord` */
function recordName(collection: string): string {
  const singular = collection.replace(/(?<=s)es$|s$/, '');
  return `${singular.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Record`;
}
