// The catalogue of refusals: rule id → status and words. Nowhere else does a refusal's status or text stand.
// Ids are those of reading.md; where the contract shows nothing, the id is the assumption's.
// A rule without own words speaks by its kind of fault: see messages.ts.
import { limits } from './limits.ts';
import type { Assumptions } from './resolved-assumptions.ts';

/** What a message may name: the field's label, the value that came, names of records. */
export interface Facts {
  readonly label?: string;
  readonly value?: unknown;
  readonly names?: readonly string[];
  readonly operator?: string;
  readonly what?: string;
  /** What a refusal is about that no field of the request holds, such as an order's status. */
  readonly found?: unknown;
  readonly retryAfterSeconds?: number | undefined;
}

export interface Rule {
  /** HTTP status, perhaps by the readings. */
  readonly status: number | ((assumptions: Assumptions) => number);
  readonly words?: (facts: Facts, assumptions: Assumptions) => string;
  readonly headers?: (facts: Facts) => Readonly<Record<string, string>>;
  /** Whether it can refuse at all, by the readings; where no schema says so. */
  readonly when?: (assumptions: Assumptions) => boolean;
}

type Kind = 'not_found' | 'foreign' | 'conflict' | 'other';
const perKind = { not_found: 404, foreign: 403, conflict: 400, other: 422 } as const;

function business(kind: Kind) {
  return (assumptions: Assumptions): number => {
    const choice = assumptions.get('business_rule_status');
    return choice === 'per_kind' ? perKind[kind] : Number(choice);
  };
}

const invalidTokenWords = (_: Facts, assumptions: Assumptions): string => assumptions.get('unauthorized_message');
const failureWords = (): string => 'An internal server error occurred';
const notFoundWords = ({ what }: Facts): string => `${what} not found`;
const inactiveWords = (whose: string, names: readonly string[] = []): string =>
  `The following ${whose} products are inactive and cannot be ordered: ${names.join(', ')}`;

export const rules = {
  'HTTP-1': { status: 404 },
  unknown_sandbox: { status: 404, words: ({ value }) => `There is no sandbox ${JSON.stringify(value)}` },
  /** Over a port: what a browser was made to ask for by a page that is none of the server's own. */
  unknown_host: {
    status: 403,
    words: ({ value }) => `The service does not answer under the host "${value}"; allow it by --allowed-hosts ${value}`,
  },
  malformed_host: {
    status: 400,
    words: ({ value }) => `A request has exactly one Host header; found ${JSON.stringify(String(value).slice(0, 200))}`,
  },
  cross_site: { status: 403, words: () => 'The service does not answer pages of another site' },
  no_room: {
    status: 404,
    words: ({ value, what }) => `There is no sandbox ${JSON.stringify(value)}, and none can be made: ${what}`,
  },
  'HTTP-3': { status: 500, words: failureWords },
  'LIM-1': { status: 429, headers: ({ retryAfterSeconds }) => ({ 'Retry-After': String(retryAfterSeconds) }) },
  /** The sandbox holds as many records as it may; the service knows no such bound, so it answers its 500. */
  max_records: { status: 500, words: failureWords },
  /** The process can hold no more; likewise. */
  max_memory: { status: 500, words: failureWords },
  /** As many calls are delayed as may be; likewise. */
  max_delayed: { status: 500, words: failureWords },
  /** A fault that a tester set, of a status that no rule of its own has. */
  fault_400: { status: 400 },
  fault_404: { status: 404 },
  fault_422: { status: 422 },

  'AUTH-1': { status: 422 },
  'AUTH-2': { status: 422 },
  'AUTH-3': { status: 401, words: () => 'Token expired' },
  'AUTH-4': { status: 401, words: invalidTokenWords },
  'AUTH-5': {
    status: 403,
    words: () => 'Insufficient permissions',
    when: (assumptions) => assumptions.get('permissions') === 'per_endpoint',
  },
  'AUTH-6': { status: 401, words: invalidTokenWords },
  unauthorized_message: { status: 401, words: invalidTokenWords },
  bad_credentials: {
    status: (assumptions) => Number(assumptions.get('bad_credentials')),
    words: () => 'Invalid username or password',
  },
  bad_refresh_token: {
    status: (assumptions) => Number(assumptions.get('bad_refresh_token')),
    words: invalidTokenWords,
  },
  expired_refresh_token: {
    status: (assumptions) => Number(assumptions.get('bad_refresh_token')),
    words: () => 'Token expired',
  },

  malformed_body: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    words: () => 'Invalid request payload JSON format',
  },
  unsupported_media_type: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    words: () => 'Unsupported Media Type',
  },
  malformed_compression: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    words: () => 'Invalid compressed payload',
  },
  body_too_large: {
    status: 400,
    words: ({ value }) => `Payload content length greater than maximum allowed: ${value}`,
  },
  /** A path that has a route, and a `%` in it that begins no UTF-8. */
  malformed_path: { status: 400 },
  malformed_parameter: { status: (assumptions) => Number(assumptions.get('malformed_parameter')) },
  over_max_limit: { status: (assumptions) => Number(assumptions.get('malformed_parameter')) },
  malformed_path_id: { status: (assumptions) => Number(assumptions.get('malformed_path_id')) },

  'CAT-2': { status: 404, words: notFoundWords },
  'FUL-1': { status: 404, words: notFoundWords },
  'FUL-2': { status: 404, words: notFoundWords },
  /** Of a label URL: the storage answers in its own words, with its own statuses. */
  'FUL-4': { status: 403 },
  foreign_resource: {
    status: 403,
    words: () => 'Insufficient permissions',
    when: (assumptions) => assumptions.get('foreign_resource') === '403',
  },
  order_endpoints: { status: 404 },
  consumer_endpoints: { status: 404 },

  'ORD-1': { status: 422 },
  'ORD-2': { status: 422 },
  'ORD-3': { status: 422 },
  'ORD-4': { status: 422 },
  'ORD-5': { status: 422 },
  'ORD-6': { status: 422, words: () => 'Either pack_id or contents required' },
  'ORD-7': { status: 422 },
  'ORD-8': { status: 422 },
  'ORD-9': { status: 422 },
  'ORD-10': { status: 422 },
  'ORD-11': { status: business('not_found'), words: () => 'Consumer not found' },
  'ORD-12': { status: 422, words: ({ label }) => `"${label}" must be a valid email` },
  'ORD-13': {
    status: 422,
    words: ({ label }) => `"${label}" length must be less than or equal to ${limits.phoneCharacters}`,
  },
  'ORD-14': { status: 422 },
  'ORD-15': { status: 422, words: () => `Address line 1 must be less than ${limits.address1Characters} characters` },
  'ORD-16': { status: 422, words: () => `City must be less than ${limits.cityCharacters} characters` },
  'ORD-17': { status: business('not_found'), words: () => 'Product not found' },
  'ORD-18': { status: business('foreign'), words: () => 'Product does not belong to client' },
  'ORD-19': { status: business('other'), words: ({ names }) => inactiveWords('client', names) },
  'ORD-20': { status: business('other'), words: ({ names, operator }) => inactiveWords(`${operator}`, names) },
  'ORD-21': { status: business('other'), words: () => 'No Packaging Asset Group ID found for the order line' },
  'ORD-22': { status: business('conflict'), words: () => 'Order cannot be modified' },
  'ORD-23': { status: business('conflict'), words: () => 'Order cannot be canceled' },
  'ORD-26': {
    status: 422,
    words: ({ label }) => `"${label}" contains a conflict between exclusive peers [contents, pack_id]`,
  },
  pack_id: {
    status: business('not_found'),
    words: () => 'Pack not found',
    when: (assumptions) => assumptions.get('pack_id') === 'known',
  },

  'OPEN-1': { status: 422, words: ({ label }) => `"${label}" is not allowed` },
  'OPEN-2': { status: 422, words: ({ label }) => `"${label}" must have at least 1 key` },
  'OPEN-3': { status: 422 },
  'OPEN-4': { status: 422 },
  'OPEN-5': {
    status: 422,
    words: ({ label, value }) =>
      Number.isFinite(value) ? `"${label}" must be a safe number` : `"${label}" cannot be infinity`,
  },
  'OPEN-6': { status: 422 },
  new_consumer_contact: { status: 422 },
  phone_format: { status: 422 },
  unknown_fields: { status: 422 },
  empty_arrays: { status: 422 },
  time_of_administration: { status: 422 },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rules, text);
}

// What each rule allows or requires, in the contract's own words and numbers: for the journal and the console, never for an answer.

/** The rules about a length, and what the contract allows. Lengths count UTF-16 units, as the rules do. */
export const allowedCharacters: Partial<Record<RuleId, string>> = {
  'ORD-13': `at most ${limits.phoneCharacters}`,
  'ORD-15': `fewer than ${limits.address1Characters}`,
  'ORD-16': `fewer than ${limits.cityCharacters}`,
};

const nothing = 'nothing of the client';

/** Read after "required:". */
export const explanations = {
  'HTTP-1': 'a method and a path that the contract names, below /v2',
  unknown_sandbox: 'a base URL that names a sandbox',
  unknown_host: 'a host that the server knows: its machine under a loopback name, or one of --allowed-hosts',
  malformed_host: 'exactly one Host header, of one host',
  cross_site: 'a call by a client, or by a page of the same site; a page of another site may only link here',
  no_room: 'a login of a sandbox that exists, or a server with room for another',
  'HTTP-3': `${nothing}: the server failed, or was made to`,
  'LIM-1': 'no further call before the time that Retry-After says',
  max_records: 'no more records than the sandbox may hold',
  max_memory: `${nothing}: the server holds as much as its memory takes`,
  max_delayed: 'no more calls at a time than a sandbox may delay',
  fault_400: `${nothing}: a fault that a tester set answers 400`,
  fault_404: `${nothing}: a fault that a tester set answers 404`,
  fault_422: `${nothing}: a fault that a tester set answers 422`,

  'AUTH-1': 'a login has username and password',
  'AUTH-2': 'a refresh has refresh_token',
  'AUTH-3': 'an access token that has not expired; refresh it, or log in again',
  'AUTH-4': 'a token of this environment and sandbox; one of another is not valid here',
  'AUTH-5': 'a user who has the permission that the endpoint needs',
  'AUTH-6': 'a user who is active, of a client account that is active',
  unauthorized_message: 'the header Authorization: Bearer <ACCESS_TOKEN>, with an access token as the login gave it',
  bad_credentials: 'the username and password of an active user of an active client account',
  bad_refresh_token: 'a refresh token as the login gave it, of this environment and sandbox',
  expired_refresh_token: 'a refresh token that has not expired; log in again',

  malformed_body: `a body of well-formed JSON, nested no deeper than ${limits.bodyDepth}`,
  unsupported_media_type: 'a body with Content-Type: application/json',
  malformed_compression: 'a body that inflates by its Content-Encoding, gzip or deflate, or none of them',
  body_too_large: `a body of at most ${limits.bodyBytes} bytes, in at most ${limits.bodyBytes / limits.bodyPieceBytes} chunks`,
  malformed_path: 'a path whose percent-encoded bytes are UTF-8',
  malformed_parameter: 'a query value of the documented form; a cursor as the server gave it',
  over_max_limit: 'a limit no larger than the largest accepted one (assumption max_limit)',
  malformed_path_id: 'a UUID in the path',

  'CAT-2': 'the id of a product or consumer that the calling client has',
  'FUL-1': 'the id of a fulfillment that the calling client has',
  'FUL-2': 'the id of an order that the calling client has',
  'FUL-4': `a label_url as a read gave it, at most ${limits.labelSeconds / 60} minutes after the answer that carried it`,
  foreign_resource: "the calling client's own products, consumers, orders and fulfillments only",
  order_endpoints: 'an endpoint that this sandbox offers (assumption order_endpoints)',
  consumer_endpoints: 'an endpoint that this sandbox offers (assumption consumer_endpoints)',

  'ORD-1': 'an order has a consumer',
  'ORD-2': 'an order has a shipping_address',
  'ORD-3': 'an order has order_lines',
  'ORD-4': 'order_lines has at least 1 item',
  'ORD-5': 'an order line has pouches',
  'ORD-6': 'a pouch has either pack_id or contents',
  'ORD-7': 'a content has a client_product_id',
  'ORD-8': 'client_product_id is a UUID',
  'ORD-9': 'a consumer with first_name has last_name, too',
  'ORD-10': "a consumer's id is a UUID",
  'ORD-11': "a consumer's id is that of a consumer that the calling client has",
  'ORD-12': 'email is a valid e-mail address',
  'ORD-13': `phone_number has ${allowedCharacters['ORD-13']} characters`,
  'ORD-14': 'a shipping_address has address1, city and country_name',
  'ORD-15': `address1 has ${allowedCharacters['ORD-15']} characters`,
  'ORD-16': `city has ${allowedCharacters['ORD-16']} characters`,
  'ORD-17': 'client_product_id is the id of a product that exists',
  'ORD-18': "client_product_id is the id of one of the calling client's own products",
  'ORD-19': 'every product ordered is active',
  'ORD-20': "no product of the operator's behind the ordered ones is discontinued",
  'ORD-21': 'every order line has a Packaging Asset Group (PAG)',
  'ORD-22': 'only an order in status Pending or On Hold is modified',
  'ORD-23': 'only an order that is neither in production nor canceled is canceled',
  'ORD-26': 'a pouch has pack_id or contents, never both',
  pack_id: 'pack_id is the id of a pack that the calling client has',

  'OPEN-1': 'a consumer with an id has no other field',
  'OPEN-2': 'at least one field',
  'OPEN-3': 'a value of the documented type',
  'OPEN-4': 'a string that is not empty',
  'OPEN-5': 'a finite number within the safe range',
  'OPEN-6': 'a body that is a JSON object',
  new_consumer_contact: 'the contacts of a new consumer that this sandbox asks for (assumption new_consumer_contact)',
  phone_format: 'phone_number is E.164: a +, then 2 to 15 digits, the first not 0',
  unknown_fields: 'only fields that the contract names',
  empty_arrays: 'a list with at least 1 item',
  time_of_administration: "one of the fixtures' times of administration",
} as const satisfies Record<RuleId, string>;
