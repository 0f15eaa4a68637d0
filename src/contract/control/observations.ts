// What recordings of the service show, kept with a sandbox: read from a HAR document, shown, and forgotten.
import { z } from 'zod';
import { learnedReport } from '../observations.ts';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';

const expected =
  'a HAR document, {"log": {"entries": […]}}, with at least one entry; browsers save one in their network tab';

/** Its entries are read one by one: recorders leave out or add fields, and a malformed one does not spoil the others. */
const recording = z.looseObject(
  { log: z.looseObject({ entries: z.array(z.unknown(), expected).min(1, expected) }, expected) },
  expected,
);

const sample = {
  log: {
    version: '1.2',
    creator: { name: 'browser', version: '1' },
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        request: { method: 'GET', url: 'https://service.example/v2/products', headers: [] },
        response: {
          status: 401,
          headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }],
          content: { text: '{"statusCode":401,"error":"Unauthorized","message":"Missing authentication"}' },
        },
      },
    ],
  },
};

const path = '/observations';

export const observationOperations = {
  'observations.get': sandboxOperation('GET', path, 'Get what a recording showed of the service', {
    operationId: 'getObservations',
    description:
      'For each assumption the choices that the recorded answers allow, with the evidence; and the answers that ' +
      'contradict every choice or a rule. Without a recording, all choices are allowed.',
    responses: { 200: learnedReport() },
  }),
  'observations.learn': sandboxOperation('POST', path, 'Read a recording of the service (HAR)', {
    operationId: 'learnObservations',
    description:
      'Reads the calls of the service in a HAR document, in the order of their time, and keeps the result in place ' +
      'of the previous one. Changes no assumption. Secrets in findings are redacted.',
    query: z.strictObject({
      source: z.string().min(1).max(200).default('upload.har').describe('name of the file, for the evidence'),
    }),
    body: recording,
    bodyBytes: bounds.stateBytes,
    largerBody: 'read larger recordings with `sachet learn`',
    examples: { sample },
    responses: { 200: learnedReport() },
  }),
  'observations.clear': sandboxOperation('DELETE', path, 'Forget what a recording showed', {
    operationId: 'clearObservations',
    description: 'Deletes the observations. The choices of the assumptions stay.',
    responses: { 204: null },
  }),
} as const;
