/** One gap of the contract. `readings` are pairs of the reading's name and its gloss; the first is the default. */
export interface Assumption {
  readonly question: string;
  readonly choices: readonly (readonly [choice: string, gloss: string])[];
}

// Gaps about what an order request may hold.

export const orderRequestAssumptions = {
  new_consumer_contact: {
    question: 'which of email and phone_number a new consumer needs',
    choices: [
      ['none', 'neither'],
      ['email', '`"email" is required`'],
      ['phone_number', '`"phone_number" is required`'],
      ['either', '`"consumer" must contain at least one of [email, phone_number]`'],
      ['both', 'each is required'],
    ],
  },
  new_consumer_match: {
    question: 'a new consumer whose e-mail is known already',
    choices: [
      ['always_new', 'a further consumer is created'],
      ['by_email', 'the known consumer is used, unchanged'],
    ],
  },
  phone_format: {
    question: 'whether E.164 is checked (no message is documented)',
    choices: [
      ['pattern', '`"phone_number" with value "abc" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/`'],
      ['length_only', 'only the 15 characters'],
    ],
  },
  unknown_fields: {
    question: 'a field that the contract does not name',
    choices: [
      ['reject', '`"x" is not allowed`'],
      ['ignore', 'left out silently'],
    ],
  },
  numeric_strings: {
    question: 'whether `"30"` counts as a number',
    choices: [
      ['reject', '`"duration" must be a number`'],
      ['accept', 'taken as the number'],
    ],
  },
  empty_arrays: {
    question: '`pouches: []` and `contents: []` ("at least 1 item" is said of order_lines only)',
    choices: [
      ['reject', '`"pouches" must contain at least 1 items`'],
      ['accept', 'taken'],
    ],
  },
  pouch_both: {
    question: 'the words for a pouch with both `pack_id` and `contents`',
    choices: [
      ['documented', "ORD-6's"],
      ['joi', '`"[0]" contains a conflict between exclusive peers [contents, pack_id]`'],
    ],
  },
  time_of_administration: {
    question: 'the allowed values',
    choices: [
      ['any', 'any non-empty string'],
      ['closed', 'the fixtures\' list: `"time_of_administration" must be one of [Morning, …]`'],
    ],
  },
  pack_id: {
    question: 'its format and meaning',
    choices: [
      ['any', 'a non-empty string, or a number'],
      ['known', 'a pack of the fixtures, checked after ORD-18: `Pack not found`'],
    ],
  },
  order_fields: {
    question: 'fields of the order beyond id, status and consumer',
    choices: [
      ['documented', 'none'],
      ['echo', 'also shipping_address, order_lines, created_at, updated_at'],
    ],
  },
} as const satisfies Record<string, Assumption>;

// Gaps about what is offered, and what answers look like.

export const answerAssumptions = {
  order_endpoints: {
    question: 'whether orders can be read, listed, modified and canceled over the API',
    choices: [
      ['assumed', 'GET /v2/orders, GET and PATCH /v2/orders/{orderId}, POST /v2/orders/{orderId}/cancel'],
      ['absent', '404'],
    ],
  },
  consumer_endpoints: {
    question: 'whether consumers can be created and listed',
    choices: [
      ['absent', '404'],
      ['assumed', 'GET and POST /v2/consumers'],
    ],
  },
  single_read_body: {
    question: 'the body of GET product and GET consumer',
    choices: [
      ['wrapped', 'under `client_product`, `consumer`'],
      ['bare', 'the fields themselves'],
    ],
  },
  product_list: {
    question: 'whether inactive products are listed',
    choices: [
      ['all', 'they are'],
      ['active_only', 'they are not'],
    ],
  },
  foreign_resource: {
    question: "a read of another client's product, consumer, order or fulfillment",
    choices: [
      ['404', 'as an unknown id'],
      ['403', '`Insufficient permissions`'],
    ],
  },
  next_cursor: {
    question: 'how the next cursor is returned',
    choices: [
      ['body', '`next_cursor`, `null` on the last page'],
      ['meta', '`meta.next_cursor`, `null` on the last page'],
      ['link_header', '`Link: <…>; rel="next"`'],
      ['header', '`X-Next-Cursor`'],
    ],
  },
  max_limit: {
    question: 'the largest accepted `limit`',
    choices: [
      ['100', '100 results'],
      ['50', '50 results'],
    ],
  },
  over_max_limit: {
    question: 'the answer to a larger one',
    choices: [
      ['clamp', 'the largest accepted one is used'],
      ['reject', '`"limit" must be less than or equal to 100`'],
    ],
  },
  list_order: {
    question: 'the order of a list',
    choices: [
      ['newest_first', 'the last made first'],
      ['oldest_first', 'the first made first'],
    ],
  },
  absent_values: {
    question: 'a value not there (dates, names, tracking)',
    choices: [
      ['null', 'the key with null'],
      ['omitted', 'no key'],
    ],
  },
  status_id: {
    question: 'fulfillment status values',
    choices: [
      ['slug', "the status's slug"],
      ['uuid', "the status's UUID"],
    ],
  },
  order_transitions: {
    question: 'transitions between order statuses beyond the documented ones',
    choices: [
      ['documented_path', 'Pending → Accepted → In Production; On Hold and Needs Changes back to Pending'],
      ['any', 'an operator action leads from any status to its own'],
    ],
  },
  fulfillment_timeline: {
    question: 'when fulfillments appear and move',
    choices: [
      ['manual', 'when an operator action moves them'],
      ['automatic', "by the sandbox's clock, with the fixtures' delays"],
    ],
  },
  pag_lookup: {
    question: 'how an order line finds its PAG',
    choices: [
      ['brand_duration', "the brand's PAG for that duration, else its default PAG"],
      ['brand', "the brand's default PAG"],
    ],
  },
  permissions: {
    question: 'roles and scopes',
    choices: [
      ['per_endpoint', "each endpoint needs its permission, held by the user's `permissions`"],
      ['all', 'every user may do everything'],
    ],
  },
  rate_limit: {
    question: 'the threshold and window of the rate limit',
    choices: [
      ['off', 'no limit'],
      ['100/60s', '100 calls of a sandbox in 60 seconds, the window beginning with its first call'],
    ],
  },
} as const satisfies Record<string, Assumption>;

// Gaps about refusals and tokens: statuses, words, and where they stand.

export const refusalAssumptions = {
  validation_placement: {
    question: 'where a validation message stands ("in details or message")',
    choices: [
      ['both', "message = the first detail's message, details = all"],
      ['details', 'message `Validation failed`, details = all'],
      ['message', 'the first message, no details'],
      ['joined', 'message = all, joined by `. `; no details'],
    ],
  },
  validation_report: {
    question: 'whether all faults are reported or the first',
    choices: [
      ['all', 'one per field'],
      ['first', 'the first only'],
    ],
  },
  field_path: {
    question: 'how an array index is written in `details[].field`',
    choices: [
      ['dotted', '`order_lines.0.pouches`'],
      ['brackets', '`order_lines[0].pouches`'],
    ],
  },
  business_rule_status: {
    question: 'the status of ORD-11 and ORD-17 to ORD-23',
    choices: [
      ['422', 'the validation status'],
      ['400', 'bad request'],
      ['per_kind', 'not found 404, of another client 403, state conflicts 400, the rest 422'],
    ],
  },
  order_created_status: {
    question: 'the status of a created order',
    choices: [
      ['201', 'resource created'],
      ['200', 'success'],
    ],
  },
  malformed_body: {
    question: 'the status for a body that is no JSON, by its bytes, its type or its compression',
    choices: [
      ['400', 'bad request'],
      ['422', 'validation error'],
    ],
  },
  malformed_parameter: {
    question: 'the status for a query value of the wrong form',
    choices: [
      ['400', 'bad request'],
      ['422', 'validation error'],
    ],
  },
  malformed_path_id: {
    question: 'the answer to a path id that is no UUID',
    choices: [
      ['400', '`"id" must be a valid GUID`, by the parameter\'s name'],
      ['404', 'as an unknown id'],
      ['422', 'as 400, with this status'],
    ],
  },
  unauthorized_message: {
    question: 'the words for a token that is invalid or absent rather than expired',
    choices: [
      ['Token expired', 'as an expired one'],
      ['Invalid token', 'its own words'],
      ['Unauthorized', 'the status name'],
    ],
  },
  bad_credentials: {
    question: 'the answer to a wrong username or password, or an inactive account',
    choices: [
      ['401', '`Invalid username or password`'],
      ['400', 'the same words'],
      ['403', 'the same words'],
    ],
  },
  bad_refresh_token: {
    question: 'the status for a refresh token that is not good',
    choices: [
      ['401', 'unauthorized'],
      ['400', 'bad request'],
    ],
  },
  refresh_token_lifetime: {
    question: 'the lifetime of the refresh token',
    choices: [
      ['30d', '30 days'],
      ['24h', '24 hours'],
      ['never', 'it does not expire'],
      ['single_use', '30 days, good for one refresh'],
    ],
  },
} as const satisfies Record<string, Assumption>;

// The register of assumptions: what the contract does not show, the readings a real service could have, our default first.
// Source: reading.md, "Assumptions". A reading that no code asks for must not stand here.

/** In the order of reading.md. */
export const assumptionRegister = { ...refusalAssumptions, ...orderRequestAssumptions, ...answerAssumptions } as const;

export type AssumptionId = keyof typeof assumptionRegister;
/** The names of the readings of one assumption. */
export type Choice<Id extends AssumptionId> = (typeof assumptionRegister)[Id]['choices'][number][0];
/**
 * One chosen reading for each assumption.
 * @example const assumptions: Partial<Choices> = { next_cursor: 'meta', list_order: 'oldest_first' };
 */
export type Choices = { readonly [Id in AssumptionId]: Choice<Id> };

export const assumptionIds = Object.keys(assumptionRegister) as AssumptionId[];

/** Named sets of readings. `strict` offers nothing that the contract does not name (reading.md). */
export const profiles = {
  default: {},
  strict: { order_endpoints: 'absent' },
} as const satisfies Record<string, Partial<Choices>>;
/**
 * The name of a profile.
 * @example const profile: ProfileName = 'strict';
 */
export type ProfileName = keyof typeof profiles;
