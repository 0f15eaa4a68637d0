// The journal over the control API: requests, responses and the reasons for them, as JSON, as HTTP Archive (HAR) and as
// live events.
import { z } from 'zod';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';
import { asAnswerStatus, count, match, operationId, ruleId } from './match.ts';
import { idCursor, wholeNumber } from './paging.ts';

const pair = z.strictObject({ name: z.string(), value: z.string() });
const httpVersion = z.literal('HTTP/1.1');
/** -1 if it was not measured. */
const size = z.int().min(-1);

const harMessage = { httpVersion, cookies: z.array(pair), headers: z.array(pair), headersSize: size, bodySize: size };

const request = z.strictObject({
  method: z.string(),
  url: z.url(),
  ...harMessage,
  queryString: z.array(pair),
  postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
});

const response = z.strictObject({
  /** 0 if the connection was broken. */
  status: z.int(),
  statusText: z.string(),
  ...harMessage,
  content: z.strictObject({ size, mimeType: z.string(), text: z.string().optional() }),
  redirectURL: z.string(),
});

/** HAR 1.2, as far as the journal has the values: http://www.softwareishard.com/blog/har-12-spec/. */
export const harDocument = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.strictObject({
        startedDateTime: z.iso.datetime({ precision: 3 }),
        time: z.number().min(0),
        request,
        response,
        cache: z.strictObject({}),
        timings: z.strictObject({ send: z.number(), wait: z.number(), receive: z.number() }),
        /** The reason for the response. */
        comment: z.string(),
      }),
    ),
  }),
});
export type HarDocument = z.output<typeof harDocument>;

const defaultWaitMilliseconds = 5000;

const rules = z.array(ruleId);
/** The parsed JSON, or the text if it is not JSON; null without a body. */
const body = z.unknown();
const message = z.strictObject({ headers: z.record(z.string(), z.string()), body });

const decision = z.strictObject({
  /** The stage that gave the answer. */
  stage: z.string(),
  rules,
  /** The assumptions that the answer depends on, with their choices. */
  assumptions: z.record(z.string(), z.string()),
  /** The ids of the faults that affected the call. */
  faults: z.array(z.string()),
  details: z.array(
    z.strictObject({
      rule: ruleId,
      /** null if the refusal is not about a field. */
      field: z.string().nullable(),
      came: z.string().nullable(),
      allowed: z.string(),
    }),
  ),
  /** In short, without rules and status: `address1 has 121 characters (max 99)`. null if nothing affected the call. */
  reason: z.string().nullable(),
  sentence: z.string(),
});

/** An entry. Status, duration, response and decision are null until the call is completed. */
export const requestSchema = z.strictObject({
  id: z.string(),
  /** Sandbox time. */
  received_at: z.iso.datetime({ precision: 3 }),
  completed: z.boolean(),
  operation: operationId.nullable(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  /** Also null if a fault broke the connection before a response. */
  status: z.int().nullable(),
  rules,
  duration_ms: z.number().nullable(),
  caller: z.string().nullable(),
  request: message,
  response: message.nullable(),
  decision: decision.nullable(),
});
export type RequestJson = z.output<typeof requestSchema>;

/** The id of an entry: selects later ones. Or an instant of sandbox time: selects those received since then. */
const since = z.string().min(1).optional();

/** Without limit and cursor the response has all entries. */
export const requestsQuery = z.strictObject({
  ...match.pick({ operation: true, method: true, path: true, rule: true }).shape,
  status: asAnswerStatus(wholeNumber(100, 599)).optional(),
  since,
  limit: wholeNumber(1, bounds.pageItems).optional(),
  /** The id of the last entry shown. */
  cursor: idCursor.optional(),
});
export type RequestsQuery = z.output<typeof requestsQuery>;

/** How much of the journal is kept. */
const completeness = {
  /** Entries evicted since the last clear. */
  dropped: z.int(),
  /** The id of the oldest entry kept. */
  oldest: z.string().nullable(),
};

export const requestsSchema = z.strictObject({
  requests: z.array(requestSchema),
  ...completeness,
  /** Missing on the last page. */
  next_cursor: z.string().optional(),
});
export type RequestsJson = z.output<typeof requestsSchema>;

const ordered = { match: { operation: 'orders.create', status: 201 }, count: { at_least: 1 } };
/** Without a count: at least one request. */
const verification = z.strictObject({ match, count: count.optional(), since });
export type Verification = z.output<typeof verification>;
export const verified = z.strictObject({
  satisfied: z.boolean(),
  count: z.int(),
  requests: z.array(requestSchema),
  ...completeness,
});
export type VerifiedJson = z.output<typeof verified>;

const path = '/requests';

export const requestOperations = {
  'requests.list': sandboxOperation('GET', path, 'List the requests that the sandbox received, oldest first', {
    operationId: 'listRequests',
    description:
      'Requests to the service and the object storage, with their responses and the reason for each response. ' +
      'Secrets are redacted. The query selects requests. Without `limit`, the response has all of them.',
    query: requestsQuery,
    responses: { 200: requestsSchema },
  }),
  'requests.clear': sandboxOperation('DELETE', path, 'Clear the requests', {
    operationId: 'clearRequests',
    description: 'Deletes all entries of the journal. The conduct report starts again.',
    responses: { 204: null },
  }),
  'requests.get': sandboxOperation('GET', `${path}/{id}`, 'Get a request', {
    operationId: 'getRequest',
    description:
      'One request with its response, and the reason for the response: the stage, the rules and the assumptions ' +
      'that decided it.',
    responses: { 200: requestSchema },
  }),
  'requests.har': sandboxOperation('GET', `${path}.har`, 'Get the completed requests as an HTTP Archive (HAR 1.2)', {
    operationId: 'exportHar',
    description:
      'The completed requests in a file format that browsers and other tools open. The comment of each entry has ' +
      'the reason for the response.',
    responses: { 200: harDocument },
  }),
  'requests.verify': sandboxOperation(
    'POST',
    `${path}/verify`,
    'Check whether the expected requests arrived; 409 if the journal has dropped requests that could decide it',
    {
      operationId: 'verifyRequests',
      description:
        'Counts the requests that match and compares the number with `count`, which is at least 1 by default. ' +
        '409 if the journal has dropped requests that could decide the result.',
      body: verification,
      isReadOnly: true,
      examples: { sample: ordered },
      responses: { 200: verified },
    },
  ),
  'requests.wait': sandboxOperation('POST', `${path}/wait`, 'Wait for the expected requests, in real time', {
    operationId: 'waitForRequests',
    description:
      'Responds as soon as the expected requests have been completed, or after `timeout_ms` with `satisfied: ' +
      'false`. The time is real time, also if the clock is frozen.',
    body: z.strictObject({
      ...verification.shape,
      timeout_ms: z.int().min(0).max(bounds.waitMilliseconds).default(defaultWaitMilliseconds),
    }),
    isReadOnly: true,
    examples: { sample: { ...ordered, timeout_ms: defaultWaitMilliseconds } },
    responses: { 200: verified },
  }),
} as const;

export const eventOperations = {
  'events.follow': sandboxOperation(
    'GET',
    '/events',
    'Follow requests, state changes and the clock as server-sent events',
    {
      operationId: 'followEvents',
      description:
        'An event stream. Each event has a JSON document in its data. The number of streams of a sandbox is limited.',
      responses: { 200: null },
    },
  ),
} as const;
