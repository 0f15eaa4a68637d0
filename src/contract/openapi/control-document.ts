// The control API as an OpenAPI 3.1 document.
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { stage } from '../addresses.ts';
import type { ControlOperation } from '../admin/control-operation.ts';
import { fault } from '../admin/faults.ts';
import { match, requestMatch } from '../admin/match.ts';
import { readingsPatch } from '../admin/readings-patch.ts';
import { requestShown } from '../admin/requests.ts';
import { sandboxShown } from '../admin/sandboxes.ts';
import { stateDocument } from '../admin/state.ts';
import { switchesPatch, switchesShown } from '../admin/switches.ts';
import { controlOperationList } from '../admin.ts';
import { collectionNames, collections } from '../records.ts';
import type { ControlExamples } from './control-examples.ts';
import { controlResponses, sharedControlResponses } from './control-responses.ts';
import { controlTags, tagOfControl } from './control-tags.ts';
import { type OpenApiDocument, serverAt, tidied } from './shared.ts';

/** The name of the control API's security scheme. */
const keyScheme = 'adminKey';

const description = `What a tester bends: sandboxes, their clocks, switches, faults, scenarios, assumptions and data, and the journal of what they received.

Every call carries the admin key as a bearer token, or a sandbox's own key on the routes of that sandbox.`;

export interface ControlDocumentOptions {
  /** Where the server is. */
  readonly url: string;
  readonly version: string;
  readonly examples: ControlExamples;
}

/** @example controlDocument({ url: 'http://localhost:4010', version: '0.1.0', examples: controlExamples(fixtures) }) */
export function controlDocument({ url, version, examples }: ControlDocumentOptions): OpenApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Sachet control API', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [serverAt(url, 'The server')],
      tags: controlTags.map(({ name, description }) => ({ name, description })),
      security: [{ [keyScheme]: [] }],
      paths: pathsOf(controlOperationList, examples),
      components: {
        schemas: named,
        responses: sharedControlResponses,
        securitySchemes: {
          [keyScheme]: {
            type: 'http',
            scheme: 'bearer',
            description: 'The admin key, as the start of the server tells it.',
          },
        },
      },
    },
    tidied,
  );
  return document as unknown as OpenApiDocument;
}

/** Wherever one of these stands, the document refers to it by its name. */
const named = {
  Sandbox: sandboxShown,
  Switches: switchesShown,
  SwitchesPatch: switchesPatch,
  Fault: fault,
  Match: match,
  RequestMatch: requestMatch,
  AssumptionsPatch: readingsPatch,
  Request: requestShown,
  State: stateDocument,
  ...Object.fromEntries(collectionNames.map((name) => [recordName(name), collections[name]])),
};

/** `fulfillment_statuses` → `FulfillmentStatus` */
function recordName(collection: string): string {
  const singular = collection.replace(/(?<=s)es$|s$/, '');
  return singular.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function pathsOf(all: readonly ControlOperation[], examples: ControlExamples): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of all) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, examples) };
  }
  return paths as ZodOpenApiPathsObject;
}

function operationObject(operation: ControlOperation, { bodies, ids }: ControlExamples): ZodOpenApiOperationObject {
  const { id, summary, body, shownBody = body, query, example = bodies[id] } = operation;
  const parameters = pathParameters(operation, ids[id]);
  const content = shownBody && {
    'application/json': {
      schema: shownBody,
      ...(example === undefined ? {} : { examples: { sample: { summary: 'A good request', value: example } } }),
    },
  };
  return {
    operationId: id,
    tags: [tagOfControl(id)],
    summary,
    parameters,
    ...(query ? { requestParams: { query } } : {}),
    // A body with a default may be left out.
    ...(content ? { requestBody: { required: !body?.safeParse(undefined).success, content } } : {}),
    responses: controlResponses(operation),
  } as ZodOpenApiOperationObject;
}

/** Names of the path; `stage` is there from the start. */
const pathParameters = ({ path }: ControlOperation, id: string | undefined) =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
    ...exampleOf({ sandbox: stage, id }[name]),
  }));

const exampleOf = (example: string | undefined) => (example === undefined ? {} : { example });
