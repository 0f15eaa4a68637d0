// The control API as an OpenAPI 3.1 document.
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { namesIn, sandboxName, stage } from '../contract/addresses.ts';
import { clockSchema } from '../contract/control/clock.ts';
import {
  type ControlOperation,
  type ControlStatus,
  controlStatusNames,
  idempotencyKey,
  keyScheme,
  takesIdempotencyKey,
} from '../contract/control/control-operation.ts';
import { recordName } from '../contract/control/data.ts';
import { labelMatch, match, operationId, requestMatch, ruleId } from '../contract/control/match.ts';
import { controlOperationList } from '../contract/control/operations.ts';
import { choicesPatch, choicesSchema, faultSchema, scenarioSchema } from '../contract/control/overrides.ts';
import { requestSchema, verified } from '../contract/control/requests.ts';
import { claimedSandbox, createdSandbox, sandboxSchema, snapshot } from '../contract/control/sandboxes.ts';
import { stateDocument } from '../contract/control/state.ts';
import { fault, switchesPatch, switchesSchema } from '../contract/control/switches.ts';
import { collectionNames, collections, timelineStep } from '../contract/records.ts';
import { errorBody } from '../contract/refusal.ts';
import { type OpenApiDocument, pathsOf, sachetInfo, tidied } from './document.ts';
import type { ControlExamples } from './samples.ts';

/** The error responses in `components/responses`. */
const errorDescriptions: Partial<Record<ControlStatus, string>> = {
  400: 'The body, query, Idempotency-Key or Host header is malformed or missing.',
  401: 'The key is missing, or is not valid for this sandbox.',
  403: 'The host is not allowed, or the request comes from a page of another origin.',
  404: 'No resource has this name or id.',
  409:
    'The name is taken, the journal has dropped requests that could decide the result, or the sandbox was reset ' +
    'during the request.',
  410: 'The invite link was used already, or has expired.',
  413: 'The body is too large.',
  415: 'The body is not sent as `application/json`.',
  422: 'The request is invalid or impossible now. The message says which values or states are allowed.',
  429: 'Too many calls of a guest, or too many wrong tokens. `Retry-After` says when to try again.',
  500: 'A bug, a failing store, or not enough memory.',
};
const responseName = (status: ControlStatus): string => controlStatusNames[status].replaceAll(' ', '');

const errorResponses: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  Object.entries(errorDescriptions).map(([status, description]) => [
    responseName(Number(status) as ControlStatus),
    { description, content: { 'application/json': { schema: errorBody } } },
  ]),
);

function errorStatusesOf({ method, path, body, responses, isPublic }: ControlOperation): ControlStatus[] {
  // The number of event streams is limited.
  const changesOrFollows = method !== 'GET' || responses[200] === null;
  return [
    400,
    ...(isPublic ? [] : [401 as const]),
    403,
    ...(path.includes('{') || body ? [404 as const, 409 as const] : []),
    ...(isPublic ? [410 as const] : []),
    ...(body ? [413 as const, 415 as const] : []),
    ...(changesOrFollows ? [422 as const] : []),
    ...(isPublic || path.includes('{sandbox}') ? [429 as const] : []),
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

/** A tag: a group of operations. */
interface ControlTag {
  readonly name: string;
  readonly description: string;
  /** The first parts of its operations' ids. */
  readonly resources: readonly string[];
}

const controlTags: readonly ControlTag[] = [
  {
    name: 'Sandboxes',
    description: 'Isolated copies of the service, and their snapshots.',
    resources: ['sandboxes', 'snapshots', 'state'],
  },
  {
    name: 'Clock',
    description: "The sandbox's time, which every expiry, timestamp and rate window uses.",
    resources: ['clock'],
  },
  { name: 'Switches', description: 'Named changes of behavior, such as expired tokens.', resources: ['switches'] },
  {
    name: 'Faults',
    description: 'Rules that give matching requests a status, a delay or a broken connection.',
    resources: ['faults'],
  },
  {
    name: 'Scenarios',
    description: 'Named sets of switches, faults, assumptions and data, applied and removed together.',
    resources: ['scenarios'],
  },
  {
    name: 'Assumptions',
    description:
      'Open questions of the contract, the choice that the sandbox makes for each, and what recordings of the ' +
      'service show of them.',
    resources: ['assumptions', 'observations'],
  },
  {
    name: 'Journal',
    description: 'The requests that the sandbox received, its responses, and why.',
    resources: ['requests', 'events'],
  },
  {
    name: 'Conduct',
    description: 'The rules that a correct client keeps, and whether this client kept them.',
    resources: ['report'],
  },
  {
    name: 'Operator',
    description: "Actions of the service's own staff on orders and packages.",
    resources: ['orders', 'fulfillments'],
  },
  { name: 'Data', description: 'The records of a sandbox.', resources: ['records', 'singles'] },
];

function tagOf(id: string): string {
  const [resource = ''] = id.split('.');
  const tag = controlTags.find(({ resources }) => resources.includes(resource));
  if (!tag) throw new Error(`no tag of the control API includes the operation ${id}`);
  return tag.name;
}

function operationObject(operation: ControlOperation, { bodies, ids }: ControlExamples): ZodOpenApiOperationObject {
  const { id, operationId, summary, description, body, query } = operation;
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
    operationId,
    tags: [tagOf(id)],
    summary,
    description,
    'x-operation': id,
    ...(operation.isPublic ? { security: [] } : {}),
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
    schema: { type: 'string', ...(name === 'sandbox' ? { pattern: sandboxName.source } : { minLength: 1 }) },
    ...exampleOf({ sandbox: stage, id }[name]),
  }));

const keyParameter = {
  in: 'header',
  name: idempotencyKey.header,
  required: false,
  description:
    'Makes a call safe to repeat: a repeated call with the same key changes nothing and gets the first response.',
  schema: { type: 'string', pattern: idempotencyKey.form.source },
};

const exampleOf = (example: string | undefined) => (example === undefined ? {} : { example });

const namedExamples = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { summary: name === 'sample' ? 'A valid request' : name.replaceAll('_', ' '), value },
    ]),
  );

const description = `Controls sandboxes, their clocks, switches, faults, scenarios, assumptions and data,
and reads the journal of the requests that they received.

Send the admin key as a bearer token with every call. On the routes of a sandbox, its own key works, too. Only a
claim needs no key.`;

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
      info: { title: 'Sachet control API', version, description, ...sachetInfo },
      servers: [{ url, description: 'The server' }],
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
              'The admin key: set it with `--admin-key` or `SACHET_ADMIN_KEY`, or copy it from the output of the ' +
              "server. On the routes of a sandbox, the sandbox's own key works, too.",
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
  ClaimedSandbox: claimedSandbox,
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
  LabelMatch: labelMatch,
  ReceivedRequest: requestSchema,
  Verification: verified,
  State: stateDocument,
  TimelineStep: timelineStep(),
  ...Object.fromEntries(collectionNames.map((name) => [recordName(name), collections[name]])),
};
