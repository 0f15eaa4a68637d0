// The control API as an OpenAPI 3.1 document.
import { createDocument } from 'zod-openapi';
import { clockShown } from '../admin/clock.ts';
import { fault } from '../admin/faults.ts';
import { keyScheme } from '../admin/key.ts';
import { faultShown, scenarioShown } from '../admin/levers.ts';
import { match, operationId, requestMatch, ruleId } from '../admin/match.ts';
import { readingsPatch, readingsShown } from '../admin/readings-patch.ts';
import { requestShown, verified } from '../admin/requests.ts';
import { madeSandbox, sandboxShown, snapshot } from '../admin/sandboxes.ts';
import { stateDocument } from '../admin/state.ts';
import { switchesPatch, switchesShown } from '../admin/switches.ts';
import { controlOperationList } from '../admin.ts';
import { collectionNames, collections, timelineStep } from '../records.ts';
import type { ControlExamples } from './control-examples.ts';
import { controlOperationObject } from './control-operation-object.ts';
import { sharedControlResponses } from './control-responses.ts';
import { controlTags } from './control-tags.ts';
import { license, type OpenApiDocument, pathsOf, serverAt, tidied } from './document.ts';

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
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Sachet control API', version, description, license },
      servers: [serverAt(url, 'The server')],
      tags: controlTags.map(({ name, description }) => ({ name, description })),
      security: [{ [keyScheme]: [] }],
      paths: pathsOf(controlOperationList, (operation) => controlOperationObject(operation, examples)),
      components: {
        schemas: named,
        responses: sharedControlResponses,
        securitySchemes: {
          [keyScheme]: {
            type: 'http',
            scheme: 'bearer',
            description:
              "The admin key: given by `--admin-key` or `SACHET_ADMIN_KEY`, else shown at the start. Or a sandbox's own.",
          },
        },
      },
    },
    tidied,
  );
}

/** Wherever one of these stands, the document refers to it by its name. */
const named = {
  Sandbox: sandboxShown,
  MadeSandbox: madeSandbox,
  Snapshot: snapshot,
  Clock: clockShown,
  Switches: switchesShown,
  SwitchesPatch: switchesPatch,
  Fault: fault,
  AppliedFault: faultShown,
  Scenario: scenarioShown,
  Readings: readingsShown,
  ReadingsPatch: readingsPatch,
  OperationId: operationId,
  RuleId: ruleId,
  Match: match,
  RequestMatch: requestMatch,
  ReceivedRequest: requestShown,
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
