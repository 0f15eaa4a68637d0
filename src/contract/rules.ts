// The rules of the contract by their ids: what each requires, the status and message of its refusal, and the contract's
// own sentence. An id with a number (ORD-9) is a rule of the contract. Any other is the sandbox's own, or names the
// assumption that decides it.
import { limits } from './limits.ts';
import type { Assumptions } from './resolved-assumptions.ts';

/** What a message may name: the field's label, the value that came, names of records. */
export interface Facts {
  readonly label?: string;
  readonly value?: unknown;
  readonly names?: readonly string[];
  readonly operator?: string;
  readonly what?: string;
  /** The state that the refusal is about if no field of the request holds it, such as an order's status. */
  readonly found?: unknown;
  readonly retryAfterSeconds?: number | undefined;
}

interface RuleText {
  /** The contract's own sentence, for a rule that says more than what a request must hold. */
  readonly contract?: string;
  /** What we added where the contract leaves a part of the rule open. */
  readonly addition?: string;
}

/** A rule that a request can break. */
export interface Rule extends RuleText {
  readonly status: number | ((assumptions: Assumptions) => number);
  /** Without one, the schema's words for the fault are the message, or the status name. */
  readonly message?: string | ((facts: Facts, assumptions: Assumptions) => string);
  readonly headers?: (facts: Facts) => Readonly<Record<string, string>>;
  /** False if the assumptions switch the rule off and no schema shows it. */
  readonly when?: (assumptions: Assumptions) => boolean;
  /** What a request must hold; read after "required:". Shown in the journal, the console and documents. */
  readonly requires: string;
  /** The allowed number of UTF-16 units, for a rule about a length. */
  readonly allowedCharacters?: string;
}

const statusPerKind = { not_found: 404, foreign: 403, conflict: 400, other: 422 } as const;

function business(kind: keyof typeof statusPerKind) {
  return (assumptions: Assumptions): number => {
    const choice = assumptions.get('business_rule_status');
    return choice === 'per_kind' ? statusPerKind[kind] : Number(choice);
  };
}

const badTokenMessage = (_: Facts, assumptions: Assumptions): string => assumptions.get('unauthorized_message');
const failureMessage = 'An internal server error occurred';
const notFoundMessage = ({ what }: Facts): string => `${what} not found`;
const inactiveMessage = (whose: string, names: readonly string[] = []): string =>
  `The following ${whose} products are inactive and cannot be ordered: ${names.join(', ')}`;

const phoneCharacters = `at most ${limits.phoneCharacters}`;
const address1Characters = `fewer than ${limits.address1Characters}`;
const cityCharacters = `fewer than ${limits.cityCharacters}`;
const notOfTheClient = 'nothing of the client';

export const rules = {
  'HTTP-1': {
    status: 404,
    requires: 'a method and a path that the contract names, below /v2',
    contract:
      'Every path begins with `/v2`. JSON in, JSON out; a request with a body carries ' +
      '`Content-Type: application/json`.',
    addition:
      'answers are `application/json; charset=utf-8`; HTTPS ends before the sandbox, or in it with a certificate',
  },
  unknown_sandbox: {
    status: 404,
    message: ({ value }) => `There is no sandbox ${JSON.stringify(value)}`,
    requires: 'a base URL that names a sandbox',
  },
  // The next three protect a server on a port from requests that a page of another site makes a browser send.
  unknown_host: {
    status: 403,
    message: ({ value }) =>
      `The service does not answer under the host "${value}"; allow it by --allowed-hosts ${value}`,
    requires: 'a host that the server knows: its machine under a loopback name, or one of --allowed-hosts',
  },
  malformed_host: {
    status: 400,
    message: ({ value }) =>
      `A request has exactly one Host header; found ${JSON.stringify(String(value).slice(0, 200))}`,
    requires: 'exactly one Host header, of one host',
  },
  cross_site: {
    status: 403,
    message: 'The service does not answer pages of another site',
    requires: 'a call by a client, or by a page of the same site; a page of another site may only link here',
  },
  no_room: {
    status: 404,
    message: ({ value, what }) => `There is no sandbox ${JSON.stringify(value)}, and none can be made: ${what}`,
    requires: 'a login of a sandbox that exists, or a server with room for another',
  },
  'HTTP-3': {
    status: 500,
    message: failureMessage,
    requires: `${notOfTheClient}: the server failed, or was made to`,
    contract:
      'Every error body is `{statusCode, error, message, details?}`: the status, its name, words, and a list of ' +
      '`{field, message}` with dotted paths.',
    addition:
      'no other key; where no rule has its own words the message is the name of the status, and that of a 500 is ' +
      `\`${failureMessage}\``,
  },
  'LIM-1': {
    status: 429,
    headers: ({ retryAfterSeconds }) => ({ 'Retry-After': String(retryAfterSeconds) }),
    requires: 'no further call before the time that Retry-After says',
    contract:
      'Over the rate limit the answer is 429 `Too Many Requests` with the header ' +
      `\`Retry-After: ${limits.retryAfterSeconds}\`.`,
  },
  // Bounds of the sandbox and the process. The service has no such bound, so the answer is its 500.
  max_records: { status: 500, message: failureMessage, requires: 'no more records than the sandbox may hold' },
  max_memory: {
    status: 500,
    message: failureMessage,
    requires: `${notOfTheClient}: the server holds as much as its memory takes`,
  },
  max_delayed: { status: 500, message: failureMessage, requires: 'no more calls at a time than a sandbox may delay' },
  // A tester's fault with a status that has no rule of its own.
  fault_400: { status: 400, requires: `${notOfTheClient}: a fault that a tester set answers 400` },
  fault_404: { status: 404, requires: `${notOfTheClient}: a fault that a tester set answers 404` },
  fault_422: { status: 422, requires: `${notOfTheClient}: a fault that a tester set answers 422` },

  'AUTH-1': {
    status: 422,
    requires: 'a login has username and password',
    contract:
      '`POST /v2/authentication/token` with `username` and `password` gives 200 and ' +
      `\`{access_token, refresh_token, expires_in}\`; \`expires_in\` is ${limits.accessTokenSeconds}.`,
    addition: 'the tokens are JSON Web Tokens',
  },
  'AUTH-2': {
    status: 422,
    requires: 'a refresh has refresh_token',
    contract:
      '`POST /v2/authentication/refresh-token` with `refresh_token` gives 200 and `{access_token, expires_in}`.',
    addition: 'no other key',
  },
  'AUTH-3': {
    status: 401,
    message: 'Token expired',
    requires: 'an access token that has not expired; refresh it, or log in again',
    contract:
      'Every other endpoint needs `Authorization: Bearer <ACCESS_TOKEN>`. A token that is expired, malformed, ' +
      'tampered with or absent gives 401, and so does a refresh token that is not good; an expired one with ' +
      '`Token expired`.',
    addition: 'a refresh token is no access token, and an access token no refresh token',
  },
  'AUTH-4': {
    status: 401,
    message: badTokenMessage,
    requires: 'a token of this environment and sandbox; one of another is not valid here',
    contract: 'A token of one environment (stage, production) is not valid in another: 401.',
    addition: 'every further sandbox is an environment of its own; refresh tokens are bound likewise',
  },
  'AUTH-5': {
    status: 403,
    message: 'Insufficient permissions',
    when: (assumptions) => assumptions.get('permissions') === 'per_endpoint',
    requires: 'a user who has the permission that the endpoint needs',
    contract: 'A user who lacks the permission of the endpoint gets 403 `Forbidden`, `Insufficient permissions`.',
  },
  'AUTH-6': {
    status: 401,
    message: badTokenMessage,
    requires: 'a user who is active, of a client account that is active',
    contract: 'The client account exists and is active.',
    addition: 'a user of an inactive account cannot log in, and tokens from before give 401',
  },
  unauthorized_message: {
    status: 401,
    message: badTokenMessage,
    requires: 'the header Authorization: Bearer <ACCESS_TOKEN>, with an access token as the login gave it',
  },
  bad_credentials: {
    status: (assumptions) => Number(assumptions.get('bad_credentials')),
    message: 'Invalid username or password',
    requires: 'the username and password of an active user of an active client account',
  },
  bad_refresh_token: {
    status: (assumptions) => Number(assumptions.get('bad_refresh_token')),
    message: badTokenMessage,
    requires: 'a refresh token as the login gave it, of this environment and sandbox',
  },
  expired_refresh_token: {
    status: (assumptions) => Number(assumptions.get('bad_refresh_token')),
    message: 'Token expired',
    requires: 'a refresh token that has not expired; log in again',
  },

  malformed_body: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    message: 'Invalid request payload JSON format',
    requires: `a body of well-formed JSON, nested no deeper than ${limits.bodyDepth}`,
  },
  unsupported_media_type: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    message: 'Unsupported Media Type',
    requires: 'a body with Content-Type: application/json',
  },
  malformed_compression: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    message: 'Invalid compressed payload',
    requires: 'a body that inflates by its Content-Encoding, gzip or deflate, or none of them',
  },
  body_too_large: {
    status: 400,
    message: ({ value }) => `Payload content length greater than maximum allowed: ${value}`,
    requires:
      `a body of at most ${limits.bodyBytes} bytes, ` + `in at most ${limits.bodyBytes / limits.bodyPieceBytes} chunks`,
  },
  malformed_path: { status: 400, requires: 'a path whose percent-encoded bytes are UTF-8' },
  malformed_parameter: {
    status: (assumptions) => Number(assumptions.get('malformed_parameter')),
    requires: 'a query value of the documented form; a cursor as the server gave it',
  },
  over_max_limit: {
    status: (assumptions) => Number(assumptions.get('malformed_parameter')),
    requires: 'a limit no larger than the largest accepted one (assumption max_limit)',
  },
  malformed_path_id: {
    status: (assumptions) => Number(assumptions.get('malformed_path_id')),
    requires: 'a UUID in the path',
  },

  'CAT-2': {
    status: 404,
    message: notFoundMessage,
    requires: 'the id of a product or consumer that the calling client has',
    contract:
      '`GET /v2/products/{id}` and `GET /v2/consumers/{id}` verify an id: 200 for one that the calling client has, ' +
      'else 404.',
    addition: 'the words `Product not found` and `Consumer not found`',
  },
  'FUL-1': {
    status: 404,
    message: notFoundMessage,
    requires: 'the id of a fulfillment that the calling client has',
    contract:
      '`GET /v2/fulfillments/{id}` gives `{fulfillment}` with the 15 documented fields, among them `tracking_info` ' +
      'and `order_lines` of `{id, name}`. An unknown id is 404.',
    addition:
      'the lines are those that were shipped, each named by what its pouches hold; the words `Fulfillment not found`',
  },
  'FUL-2': {
    status: 404,
    message: notFoundMessage,
    requires: 'the id of an order that the calling client has',
    contract:
      '`GET /v2/orders/{orderId}/fulfillments` gives `{fulfillments}`. An order that the calling client does not ' +
      'have is 404.',
    addition: 'the words `Order not found`',
  },
  // The storage of labels answers with its own words and statuses.
  'FUL-4': {
    status: 403,
    requires:
      'a label_url as a read gave it, at most ' +
      `${limits.labelSeconds / 60} minutes after the answer that carried it`,
    contract:
      '`label_url` is a pre-signed object-storage URL. It downloads a shipping label for ' +
      `${limits.labelSeconds / 60} minutes after the response that carried it.`,
    addition:
      'after that it is refused as S3 refuses; its stamp has whole seconds, so a URL made between two lives up to a ' +
      'second longer, never shorter',
  },
  foreign_resource: {
    status: 403,
    message: 'Insufficient permissions',
    when: (assumptions) => assumptions.get('foreign_resource') === '403',
    requires: "the calling client's own products, consumers, orders and fulfillments only",
  },
  order_endpoints: { status: 404, requires: 'an endpoint that this sandbox offers (assumption order_endpoints)' },
  consumer_endpoints: { status: 404, requires: 'an endpoint that this sandbox offers (assumption consumer_endpoints)' },

  'ORD-1': { status: 422, requires: 'an order has a consumer' },
  'ORD-2': { status: 422, requires: 'an order has a shipping_address' },
  'ORD-3': { status: 422, requires: 'an order has order_lines' },
  'ORD-4': { status: 422, requires: 'order_lines has at least 1 item' },
  'ORD-5': { status: 422, requires: 'an order line has pouches' },
  'ORD-6': {
    status: 422,
    message: 'Either pack_id or contents required',
    requires: 'a pouch has either pack_id or contents',
  },
  'ORD-7': { status: 422, requires: 'a content has a client_product_id' },
  'ORD-8': { status: 422, requires: 'client_product_id is a UUID' },
  'ORD-9': { status: 422, requires: 'a consumer with first_name has last_name, too' },
  'ORD-10': { status: 422, requires: "a consumer's id is a UUID" },
  'ORD-11': {
    status: business('not_found'),
    message: 'Consumer not found',
    requires: "a consumer's id is that of a consumer that the calling client has",
  },
  'ORD-12': {
    status: 422,
    message: ({ label }) => `"${label}" must be a valid email`,
    requires: 'email is a valid e-mail address',
  },
  'ORD-13': {
    status: 422,
    message: ({ label }) => `"${label}" length must be less than or equal to ${limits.phoneCharacters}`,
    requires: `phone_number has ${phoneCharacters} characters`,
    allowedCharacters: phoneCharacters,
  },
  'ORD-14': { status: 422, requires: 'a shipping_address has address1, city and country_name' },
  'ORD-15': {
    status: 422,
    message: `Address line 1 must be less than ${limits.address1Characters} characters`,
    requires: `address1 has ${address1Characters} characters`,
    allowedCharacters: address1Characters,
  },
  'ORD-16': {
    status: 422,
    message: `City must be less than ${limits.cityCharacters} characters`,
    requires: `city has ${cityCharacters} characters`,
    allowedCharacters: cityCharacters,
  },
  'ORD-17': {
    status: business('not_found'),
    message: 'Product not found',
    requires: 'client_product_id is the id of a product that exists',
    addition: 'of several, the first is told',
  },
  'ORD-18': {
    status: business('foreign'),
    message: 'Product does not belong to client',
    requires: "client_product_id is the id of one of the calling client's own products",
    addition: 'of several, the first is told',
  },
  'ORD-19': {
    status: business('other'),
    message: ({ names }) => inactiveMessage('client', names),
    requires: 'every product ordered is active',
    addition: 'each name stands once, in the order of first use, joined by commas',
  },
  'ORD-20': {
    status: business('other'),
    message: ({ names, operator }) => inactiveMessage(`${operator}`, names),
    requires: "no product of the operator's behind the ordered ones is discontinued",
    addition: 'each name stands once, likewise; the name of the operator is that of the fixtures',
  },
  'ORD-21': {
    status: business('other'),
    message: 'No Packaging Asset Group ID found for the order line',
    requires: 'every order line has a Packaging Asset Group (PAG)',
  },
  'ORD-22': {
    status: business('conflict'),
    message: 'Order cannot be modified',
    requires: 'only an order in status Pending or On Hold is modified',
  },
  'ORD-23': {
    status: business('conflict'),
    message: 'Order cannot be canceled',
    requires: 'only an order that is neither in production nor canceled is canceled',
    addition: 'an order that is canceled already is not canceled again',
  },
  'ORD-26': {
    status: 422,
    message: ({ label }) => `"${label}" contains a conflict between exclusive peers [contents, pack_id]`,
    requires: 'a pouch has pack_id or contents, never both',
    contract:
      'The two consumer patterns (an existing one by `id`; a new one by names and contacts) never mix, and `pack_id` ' +
      'and `contents` never stand together.',
  },
  pack_id: {
    status: business('not_found'),
    message: 'Pack not found',
    when: (assumptions) => assumptions.get('pack_id') === 'known',
    requires: 'pack_id is the id of a pack that the calling client has',
  },

  'OPEN-1': {
    status: 422,
    message: ({ label }) => `"${label}" is not allowed`,
    requires: 'a consumer with an id has no other field',
  },
  'OPEN-2': {
    status: 422,
    message: ({ label }) => `"${label}" must have at least 1 key`,
    requires: 'at least one field',
  },
  'OPEN-3': { status: 422, requires: 'a value of the documented type' },
  'OPEN-4': { status: 422, requires: 'a string that is not empty' },
  'OPEN-5': {
    status: 422,
    message: ({ label, value }) =>
      Number.isFinite(value) ? `"${label}" must be a safe number` : `"${label}" cannot be infinity`,
    requires: 'a finite number within the safe range',
  },
  'OPEN-6': { status: 422, requires: 'a body that is a JSON object' },
  new_consumer_contact: {
    status: 422,
    requires: 'the contacts of a new consumer that this sandbox asks for (assumption new_consumer_contact)',
  },
  phone_format: { status: 422, requires: 'phone_number is E.164: a +, then 2 to 15 digits, the first not 0' },
  unknown_fields: { status: 422, requires: 'only fields that the contract names' },
  empty_arrays: { status: 422, requires: 'a list with at least 1 item' },
  time_of_administration: { status: 422, requires: "one of the fixtures' times of administration" },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rules, text);
}

/** Rules that no request can break: what the service answers. */
const answerRules = {
  'HTTP-2': { contract: 'Only the documented statuses come from `/v2`: 200, 201, 400, 401, 403, 404, 422, 429, 500.' },
  'HTTP-4': {
    contract:
      'The first check that fails answers: rate limit (429), route (404), token (401), body format (400), permission ' +
      '(403), path, then query (400), body schema (422), business rules (422).',
  },
  'CAT-1': {
    contract:
      '`GET /v2/products` gives `{client_products: [{id, product_name, active, serving_size}]}`: the calling ' +
      "client's own products.",
  },
  'ORD-24': {
    contract:
      'A valid order gives 201 and `{order: {id, status, consumer: {id, first_name, last_name}}}` with the status ' +
      '`Pending`; a new consumer is created, and exists from then on.',
  },
  'ORD-25': {
    contract:
      'An order with a line whose PAG is not Active is accepted all the same, with the status `Needs Changes`; the ' +
      'operator must approve the packaging.',
  },
  'ORD-27': { contract: 'A refused order changes nothing: no consumer, no order, no identifier used up.' },
  'FUL-3': {
    contract:
      '`GET /v2/fulfillments` takes `limit` (an integer, 20 by default), `cursor` and `order_id`, and gives ' +
      '`{fulfillments}`. Following the cursor visits every fulfillment exactly once.',
    addition:
      'also while new ones are being added; `limit` is at least 1, a cursor that the server did not give is ' +
      'malformed, and an `order_id` that matches nothing gives an empty list',
  },
  'FUL-5': { contract: 'Every read of a fulfillment carries a fresh `label_url`.' },
} as const satisfies Record<string, RuleText>;

/** The groups of numbered rules, by the letters before their numbers. */
export const ruleGroups = [
  { letters: 'HTTP', title: 'Requests in general' },
  { letters: 'AUTH', title: 'Authentication' },
  { letters: 'CAT', title: 'Catalog and consumers' },
  { letters: 'ORD', title: 'Orders' },
  { letters: 'FUL', title: 'Fulfillments' },
  { letters: 'LIM', title: 'Limits' },
  { letters: 'OPEN', title: 'What the contract leaves open, and no setting decides' },
] as const;

/** A numbered rule, for documents. */
export interface NumberedRule extends RuleText {
  readonly id: keyof typeof answerRules | RuleId;
  /** `documented`: the contract says it. `assumed`: the contract is silent, and this is the sandbox's answer. */
  readonly standing: 'documented' | 'assumed';
  readonly requires?: string;
}

/** The contract is silent about OPEN, the order of checks and what a refusal leaves behind. */
const isAssumed = (id: string): boolean => id.startsWith('OPEN-') || id === 'HTTP-4' || id === 'ORD-27';

const ruleTexts: Readonly<Record<string, RuleText & { readonly requires?: string }>> = { ...rules, ...answerRules };

const numberOf = (id: string): number => Number(id.split('-')[1]);

/** Every numbered rule, by group and number. */
export const numberedRules: readonly NumberedRule[] = ruleGroups.flatMap(({ letters }) =>
  Object.entries(ruleTexts)
    .filter(([id]) => id.startsWith(`${letters}-`))
    .map(([id, text]): NumberedRule => {
      return { ...text, id: id as NumberedRule['id'], standing: isAssumed(id) ? 'assumed' : 'documented' };
    })
    .sort((one, other) => numberOf(one.id) - numberOf(other.id)),
);
