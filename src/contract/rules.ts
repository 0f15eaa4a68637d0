// The rules of the contract by their ids: what each requires, the status and message of its refusal, and the contract's
// own sentence. An id with a number (ORD-9) is a rule of the contract. Any other is the sandbox's own, or names the
// assumption that decides it.
import { bounds } from './control/bounds.ts';
import { limits } from './limits.ts';
import type { Assumptions } from './resolved-assumptions.ts';

/** What a message may name: the field's label, the received value, names of records. */
export interface Facts {
  readonly label?: string;
  readonly value?: unknown;
  readonly names?: readonly string[];
  readonly operator?: string;
  readonly what?: string;
  /** The state of the order, for a refusal that is about it and not about a field. */
  readonly found?: unknown;
  /** The problem, if neither field nor value shows it. Only the journal, the log and `Sandbox-Reason` have it. */
  readonly problem?: string;
  readonly retryAfterSeconds?: number | undefined;
}

interface RuleText {
  /** The contract's own sentence, for a rule that says more than its requirement. */
  readonly contract?: string;
  /** What we added where the contract leaves a part of the rule open. */
  readonly addition?: string;
}

/** A rule that a request can break. */
export interface Rule extends RuleText {
  readonly status: number | ((assumptions: Assumptions) => number);
  /** Without one, the schema's words for the fault are the message, or the status name. */
  readonly message?: string | ((facts: Facts, assumptions: Assumptions) => string);
  readonly headers?: (facts: Facts, assumptions: Assumptions) => Readonly<Record<string, string>>;
  /** False if the assumptions switch the rule off, which no schema shows. */
  readonly when?: (assumptions: Assumptions) => boolean;
  /** Sentences without the last period. Shown in the journal, the console and documents. */
  readonly requires: string;
  /** For a rule about the length of a text, in UTF-16 units: the journal shows how many the value has. */
  readonly maxCharacters?: number;
  /** True if the schema's words for the error say more than `requires`. */
  readonly isGeneral?: true;
}

const statusPerKind = { not_found: 404, foreign: 403, conflict: 400, other: 422 } as const;

function business(kind: keyof typeof statusPerKind) {
  return (assumptions: Assumptions): number => {
    const choice = assumptions.get('business_rule_status');
    return choice === 'per_kind' ? statusPerKind[kind] : Number(choice);
  };
}

const badTokenMessage = (_: Facts, assumptions: Assumptions): string => assumptions.get('unauthorized_message');
/** The challenge of a resource that needs a token (RFC 6750, 3). The 401 of a login or refresh has no challenge. */
const challenge =
  (value: string) =>
  (_: Facts, assumptions: Assumptions): Readonly<Record<string, string>> =>
    assumptions.get('www_authenticate') === 'present' ? { 'WWW-Authenticate': value } : {};
const badTokenChallenge = challenge('Bearer error="invalid_token"');
const failureMessage = 'An internal server error occurred';
const notFoundMessage = ({ what }: Facts): string => `${what} not found`;
const guidMessage = ({ label }: Facts): string => `"${label}" must be a valid GUID`;
const inactiveMessage = (whose: string, names: readonly string[] = []): string =>
  `The following ${whose} products are inactive and cannot be ordered: ${names.join(', ')}`;

const notOfTheClient = 'Nothing is wrong with the request';
const errorOfFault = (status: number): string => `${notOfTheClient}. A fault that a tester set answers with ${status}`;

export const rules = {
  'HTTP-1': {
    status: 404,
    requires: 'The method and the path must be in the contract, below /v2',
    contract:
      'Every path begins with `/v2`. JSON in, JSON out; a request with a body carries ' +
      '`Content-Type: application/json`.',
    addition:
      'responses are `application/json; charset=utf-8`; with a certificate the sandbox serves HTTPS, else a proxy in ' +
      'front of it does',
  },
  unknown_sandbox: {
    status: 404,
    message: ({ value }) => `There is no sandbox ${JSON.stringify(value)}`,
    requires: 'The base URL must name an existing sandbox',
  },
  // The next three protect a server on a port from requests that a page of another site makes a browser send.
  unknown_host: {
    status: 403,
    message: ({ value }) =>
      `The service does not accept the host "${value}". To allow it, use --allowed-hosts ${value}`,
    requires: 'The host must be a loopback name of the server, or one of --allowed-hosts',
  },
  malformed_host: {
    status: 400,
    message: ({ value }) =>
      `A request has exactly one Host header; found ${JSON.stringify(String(value).slice(0, 200))}`,
    requires: 'The request must have exactly one Host header, with one host',
  },
  cross_site: {
    status: 403,
    message: 'The service does not answer pages of another site',
    requires:
      'The request must come from a client or a page of the same site. Pages of other sites can link to the service, ' +
      'but cannot call it',
  },
  no_room: {
    status: 404,
    message: ({ value, what }) => `There is no sandbox ${JSON.stringify(value)}, and it cannot be created: ${what}`,
    requires: 'The login must name an existing sandbox, or the server must have room for another one',
  },
  'HTTP-3': {
    status: 500,
    message: failureMessage,
    requires: `${notOfTheClient}. The server failed, or a tester made it fail`,
    contract:
      'Every error body is `{statusCode, error, message, details?}`: the status, its name, a message, and a list ' +
      'of `{field, message}` with dotted paths.',
    addition:
      'no other key; if the rule has no message of its own, the message is the name of the status, or ' +
      `\`${failureMessage}\` for a 500`,
  },
  'LIM-1': {
    status: 429,
    headers: ({ retryAfterSeconds }) => ({ 'Retry-After': String(retryAfterSeconds) }),
    requires: 'Wait for the seconds of Retry-After before the next call',
    contract:
      'Over the rate limit the answer is 429 `Too Many Requests` with the header ' +
      `\`Retry-After: ${limits.retryAfterSeconds}\`.`,
    addition:
      'if the limit has a window or an end, `Retry-After` has the whole seconds until then, at least 1, on the ' +
      "sandbox's clock",
  },
  // Bounds of the sandbox and the process. The service has no such bound, so the answer is its 500.
  max_records: { status: 500, message: failureMessage, requires: 'The sandbox must have room for another record' },
  max_memory: {
    status: 500,
    message: failureMessage,
    requires: `${notOfTheClient}. The memory of the server is full`,
  },
  max_delayed: {
    status: 500,
    message: failureMessage,
    requires: `${notOfTheClient}. The sandbox is already delaying as many calls as it can`,
  },
  // One guest must not take the server from all.
  max_calls: {
    status: 429,
    headers: ({ retryAfterSeconds }) => ({ 'Retry-After': String(retryAfterSeconds) }),
    requires:
      `The server takes at most ${bounds.guestCalls} calls a minute to an invited sandbox. Wait for the seconds of ` +
      'Retry-After',
  },
  // A fault with a status that has no rule of its own.
  fault_400: { status: 400, requires: errorOfFault(400) },
  fault_401: { status: 401, message: 'Token expired', requires: errorOfFault(401) },
  fault_404: { status: 404, requires: errorOfFault(404) },
  fault_422: { status: 422, requires: errorOfFault(422) },
  fault_502: { status: 502, requires: errorOfFault(502) },
  fault_503: { status: 503, requires: errorOfFault(503) },
  fault_504: { status: 504, requires: errorOfFault(504) },

  'AUTH-1': {
    status: 422,
    requires: 'A login must have username and password',
    contract:
      '`POST /v2/authentication/token` with `username` and `password` gives 200 and ' +
      `\`{access_token, refresh_token, expires_in}\`; \`expires_in\` is ${limits.accessTokenSeconds}.`,
    addition: 'the tokens are JSON Web Tokens',
  },
  'AUTH-2': {
    status: 422,
    requires: 'A refresh must have refresh_token',
    contract:
      '`POST /v2/authentication/refresh-token` with `refresh_token` gives 200 and `{access_token, expires_in}`.',
    addition: 'no other key',
  },
  'AUTH-3': {
    status: 401,
    message: 'Token expired',
    headers: badTokenChallenge,
    requires: 'The access token must not be expired. Refresh it, or log in again',
    contract:
      'Every other endpoint needs `Authorization: Bearer <ACCESS_TOKEN>`. A token that is expired, malformed, ' +
      'tampered with or missing gives 401, and so does an invalid refresh token. The message for an expired token is ' +
      '`Token expired`.',
    addition:
      `\`iat\` is the whole second of the issue (rounded down): ${limits.accessTokenSeconds} seconds of the clock ` +
      'later the token is expired, whatever the fraction; a refresh token does not work as an access token, nor an ' +
      'access token as a refresh token',
  },
  'AUTH-4': {
    status: 401,
    message: badTokenMessage,
    headers: badTokenChallenge,
    requires: 'The token must be from this environment and sandbox',
    contract: 'A token of one environment (stage, production) is not valid in another: 401.',
    addition: 'every further sandbox is an environment of its own, also for refresh tokens',
  },
  'AUTH-5': {
    status: 403,
    message: 'Insufficient permissions',
    when: (assumptions) => assumptions.get('permissions') === 'per_endpoint',
    requires: 'The user must have the permission that the endpoint needs',
    contract: 'A user who lacks the permission of the endpoint gets 403 `Forbidden`, `Insufficient permissions`.',
  },
  'AUTH-6': {
    status: 401,
    message: badTokenMessage,
    headers: badTokenChallenge,
    requires: 'The user and its client account must be active',
    contract: 'The client account exists and is active.',
    addition: 'a user of an inactive account cannot log in, and its earlier tokens give 401',
  },
  unauthorized_message: {
    status: 401,
    message: badTokenMessage,
    headers: badTokenChallenge,
    requires: 'The token must be an access token from a login or refresh, unchanged',
  },
  missing_token_message: {
    status: 401,
    message: (_, assumptions) => assumptions.get('missing_token_message'),
    headers: challenge('Bearer'),
    requires: 'Send the header Authorization: Bearer <ACCESS_TOKEN>, with an access token from a login or refresh',
  },
  old_token_after_refresh: {
    status: 401,
    message: badTokenMessage,
    headers: badTokenChallenge,
    when: (assumptions) => assumptions.get('old_token_after_refresh') === 'ends',
    requires: 'Use the newest access token of a login: a refresh ends those before it',
  },
  bad_credentials: {
    status: (assumptions) => Number(assumptions.get('bad_credentials')),
    message: 'Invalid username or password',
    requires: 'The username and password must be those of an active user of an active client account',
  },
  bad_refresh_token: {
    status: (assumptions) => Number(assumptions.get('bad_refresh_token')),
    message: badTokenMessage,
    requires: 'The refresh token must be from a login to this environment and sandbox',
  },
  expired_refresh_token: {
    status: (assumptions) => Number(assumptions.get('bad_refresh_token')),
    message: 'Token expired',
    requires: 'The refresh token must not be expired. Log in again',
  },

  malformed_body: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    message: 'Invalid request payload JSON format',
    requires: `The body must be well-formed JSON with at most ${limits.bodyDepth} levels`,
  },
  unsupported_media_type: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    message: 'Unsupported Media Type',
    requires: 'A request with a body must have Content-Type: application/json',
  },
  malformed_compression: {
    status: (assumptions) => Number(assumptions.get('malformed_body')),
    message: 'Invalid compressed payload',
    requires: 'The body must match its Content-Encoding: gzip, deflate, or no compression',
  },
  body_too_large: {
    status: 400,
    message: ({ value }) => `Payload content length greater than maximum allowed: ${value}`,
    requires:
      `The body must have at most ${limits.bodyBytes} bytes, ` +
      `in at most ${limits.bodyBytes / limits.bodyPieceBytes} chunks`,
  },
  malformed_path: { status: 400, requires: 'The percent-encoded bytes of the path must be UTF-8' },
  malformed_parameter: {
    status: (assumptions) => Number(assumptions.get('malformed_parameter')),
    requires: 'A query value must have the documented form. A cursor must be one that the server returned',
    isGeneral: true,
  },
  over_max_limit: {
    status: (assumptions) => Number(assumptions.get('malformed_parameter')),
    requires: 'The limit must not exceed the maximum (assumption max_limit)',
  },
  malformed_path_id: {
    status: (assumptions) => Number(assumptions.get('malformed_path_id')),
    requires: 'The id in the path must be a UUID',
  },

  'CAT-2': {
    status: 404,
    message: notFoundMessage,
    requires: 'The id must be that of a product or consumer of the calling client',
    contract:
      '`GET /v2/products/{id}` and `GET /v2/consumers/{id}` verify an id: 200 for one of the calling client, ' +
      'else 404.',
    addition: 'the messages `Product not found` and `Consumer not found`',
  },
  'FUL-1': {
    status: 404,
    message: notFoundMessage,
    requires: 'The id must be that of a fulfillment of the calling client',
    contract:
      '`GET /v2/fulfillments/{id}` gives `{fulfillment}` with the 15 documented fields, among them `tracking_info` ' +
      'and `order_lines` of `{id, name}`. An unknown id is 404.',
    addition:
      'the lines are those that were shipped, each named after the contents of its pouches; the message is ' +
      '`Fulfillment not found`',
  },
  'FUL-2': {
    status: 404,
    message: notFoundMessage,
    requires: 'The id must be that of an order of the calling client',
    contract:
      '`GET /v2/orders/{orderId}/fulfillments` gives `{fulfillments}`. An order that is not of the calling client ' +
      'is 404.',
    addition: 'the message is `Order not found`',
  },
  // The storage of labels answers with the messages and statuses of S3.
  'FUL-4': {
    status: 403,
    requires:
      'The label_url must be unchanged, and used within its lifetime ' +
      `(X-Amz-Expires; ${limits.labelSeconds / 60} minutes by default)`,
    contract:
      '`label_url` is a pre-signed object-storage URL. It downloads a shipping label for ' +
      `${limits.labelSeconds / 60} minutes after the response that carried it.`,
    addition:
      'after that the storage rejects it as S3 does; its stamp is the whole second in which it was made (rounded ' +
      `down), so ${limits.labelSeconds} seconds of the clock later it is rejected, whatever the fraction; an ` +
      '`Authorization` header next to the signature is refused (`storage_auth`)',
  },
  storage_auth: {
    status: 400,
    when: (assumptions) => assumptions.get('storage_auth') === 'reject',
    requires: 'Download a label_url without an Authorization header. The token is for /v2 only, not for the storage',
  },
  unknown_package: { status: 404, requires: 'The tracking number must be that of a package of the sandbox' },
  foreign_resource: {
    status: 403,
    message: 'Insufficient permissions',
    when: (assumptions) => assumptions.get('foreign_resource') === '403',
    requires: "Only the calling client's own products, consumers, orders and fulfillments can be read",
  },
  order_endpoints: { status: 404, requires: 'This sandbox must offer the endpoint (assumption order_endpoints)' },
  consumer_endpoints: { status: 404, requires: 'This sandbox must offer the endpoint (assumption consumer_endpoints)' },

  'ORD-1': { status: 422, requires: 'An order must have a consumer' },
  'ORD-2': { status: 422, requires: 'An order must have a shipping_address' },
  'ORD-3': { status: 422, requires: 'An order must have order_lines' },
  'ORD-4': { status: 422, requires: 'order_lines must have at least 1 item' },
  'ORD-5': { status: 422, requires: 'An order line must have pouches' },
  'ORD-6': {
    status: 422,
    message: 'Either pack_id or contents required',
    requires: 'A pouch must have exactly one of pack_id and contents',
  },
  'ORD-7': { status: 422, requires: 'A content item must have a client_product_id' },
  'ORD-8': { status: 422, message: guidMessage, requires: 'client_product_id must be a UUID' },
  'ORD-9': { status: 422, requires: 'A consumer with first_name must also have last_name' },
  'ORD-10': { status: 422, message: guidMessage, requires: 'The id of a consumer must be a UUID' },
  'ORD-11': {
    status: business('not_found'),
    message: 'Consumer not found',
    requires: 'The id must be that of a consumer of the calling client',
  },
  'ORD-12': {
    status: 422,
    message: ({ label }) => `"${label}" must be a valid email`,
    requires: 'email must be a valid email address',
  },
  'ORD-13': {
    status: 422,
    message: ({ label }) => `"${label}" length must be less than or equal to ${limits.phoneCharacters}`,
    requires: `phone_number must have at most ${limits.phoneCharacters} characters`,
    maxCharacters: limits.phoneCharacters,
  },
  'ORD-14': { status: 422, requires: 'A shipping_address must have address1, city and country_name' },
  'ORD-15': {
    status: 422,
    message: `Address line 1 must be less than ${limits.address1Characters} characters`,
    requires: `address1 must have fewer than ${limits.address1Characters} characters`,
    maxCharacters: limits.address1Characters - 1,
  },
  'ORD-16': {
    status: 422,
    message: `City must be less than ${limits.cityCharacters} characters`,
    requires: `city must have fewer than ${limits.cityCharacters} characters`,
    maxCharacters: limits.cityCharacters - 1,
  },
  'ORD-17': {
    status: business('not_found'),
    message: 'Product not found',
    requires: 'client_product_id must be the id of an existing product',
    addition: 'only the first unknown product is reported',
  },
  'ORD-18': {
    status: business('foreign'),
    message: 'Product does not belong to client',
    requires: "client_product_id must be the id of one of the calling client's own products",
    addition: 'only the first such product is reported',
  },
  'ORD-19': {
    status: business('other'),
    message: ({ names }) => inactiveMessage('client', names),
    requires: 'Every product in an order must be active',
    addition: 'each name appears once, in the order of first use, separated by commas',
  },
  'ORD-20': {
    status: business('other'),
    message: ({ names, operator }) => inactiveMessage(`${operator}`, names),
    requires: 'The operator product behind a product in an order must not be discontinued',
    addition: 'each name appears once, in the order of first use; the name of the operator is that of the fixtures',
  },
  'ORD-21': {
    status: business('other'),
    message: 'No Packaging Asset Group ID found for the order line',
    requires: 'Every order line must have a Packaging Asset Group (PAG)',
  },
  'ORD-22': {
    status: business('conflict'),
    message: 'Order cannot be modified',
    requires: 'Only Pending or On Hold orders can be modified',
  },
  'ORD-23': {
    status: business('conflict'),
    message: 'Order cannot be canceled',
    requires: 'An order that is In Production or Canceled cannot be canceled',
    addition: 'a canceled order cannot be canceled again',
  },
  'ORD-26': {
    status: 422,
    message: ({ label }) => `"${label}" contains a conflict between exclusive peers [contents, pack_id]`,
    requires: 'A pouch must not have both pack_id and contents',
    contract:
      'The two consumer patterns (an existing one by `id`; a new one by names and contacts) never mix, and `pack_id` ' +
      'and `contents` never appear together.',
  },
  pack_id: {
    status: business('not_found'),
    message: 'Pack not found',
    when: (assumptions) => assumptions.get('pack_id') === 'known',
    requires: 'pack_id must be the id of a pack of the calling client',
  },

  'OPEN-1': {
    status: 422,
    message: ({ label }) => `"${label}" is not allowed`,
    requires: 'A consumer with an id must have no other field',
  },
  'OPEN-2': {
    status: 422,
    message: ({ label }) => `"${label}" must have at least 1 key`,
    requires: 'The object must have at least one field',
  },
  'OPEN-3': { status: 422, requires: 'The value must have the documented type', isGeneral: true },
  'OPEN-4': { status: 422, requires: 'The string must not be empty' },
  'OPEN-5': {
    status: 422,
    message: ({ label, value }) =>
      Number.isFinite(value) ? `"${label}" must be a safe number` : `"${label}" cannot be infinity`,
    requires: 'The number must be finite and within the safe range',
  },
  'OPEN-6': { status: 422, requires: 'The body must be a JSON object' },
  new_consumer_contact: {
    status: 422,
    requires: 'A new consumer must have the contacts that this sandbox requires (assumption new_consumer_contact)',
  },
  phone_format: { status: 422, requires: 'phone_number must be E.164: a +, then 2 to 15 digits, the first not 0' },
  unknown_fields: { status: 422, requires: 'Only fields that the contract names are allowed' },
  empty_arrays: { status: 422, requires: 'pouches must have at least 1 item' },
  empty_contents: { status: 422, requires: 'contents must have at least 1 item: a pouch holds one or more products' },
  time_of_administration: { status: 422, requires: "The value must be one of the fixtures' times of administration" },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rules, text);
}

/** Rules that no request can break: what the service answers. */
const answerRules = {
  'HTTP-2': {
    contract: '`/v2` answers only with the documented statuses: 200, 201, 400, 401, 403, 404, 422, 429, 500.',
    addition:
      'the one exception is a fault with 502, 503 or 504, which answers as a gateway in front of the service would',
  },
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
      'An order with a line whose PAG is not Active is still accepted, with the status `Needs Changes`; the ' +
      'operator must approve the packaging.',
  },
  'ORD-27': { contract: 'A refused order changes nothing: it creates no consumer and no order, and uses up no id.' },
  'FUL-3': {
    contract:
      '`GET /v2/fulfillments` takes `limit` (an integer, 20 by default), `cursor` and `order_id`, and gives ' +
      '`{fulfillments}`. Following the cursor visits every fulfillment exactly once.',
    addition:
      'also while new ones are added; `limit` is at least 1, a cursor that the server did not return is ' +
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
  { letters: 'OPEN', title: 'Gaps of the contract without a setting' },
] as const;

/** A numbered rule, for documents. */
export interface NumberedRule extends RuleText {
  readonly id: keyof typeof answerRules | RuleId;
  /** `documented`: the contract says it. `assumed`: the contract does not say, and the sandbox does this. */
  readonly standing: 'documented' | 'assumed';
  readonly requires?: string;
}

/** The contract does not say anything about OPEN, the order of checks and the effects of a refusal. */
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
