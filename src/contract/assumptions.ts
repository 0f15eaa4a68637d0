// The register of assumptions: what the contract leaves open, with the choices that a real service could have made. The
// first choice is the default. Every assumption is a setting of a sandbox (`--assume id=choice`). Remove one that no
// code reads.

/** One gap of the contract. */
export interface Assumption {
  readonly question: string;
  /** Pairs of name and meaning. */
  readonly choices: readonly (readonly [choice: string, gloss: string])[];
}

const assumption = <const Choices extends Assumption['choices']>(question: string, ...choices: Choices) => ({
  question,
  choices,
});

export const assumptionRegister = {
  // Refusals and tokens: statuses, messages, and where they stand.
  validation_placement: assumption(
    'where a validation message stands ("in details or message")',
    ['both', "message = the first detail's message, details = all"],
    ['details', 'message `Validation failed`, details = all'],
    ['message', 'the first message, no details'],
    ['joined', 'message = all, joined by `. `; no details'],
  ),
  validation_report: assumption(
    'whether all faults are reported or the first',
    ['all', 'one per field'],
    ['first', 'the first only'],
  ),
  field_path: assumption(
    'how an array index is written in `details[].field`',
    ['dotted', '`order_lines.0.pouches`'],
    ['brackets', '`order_lines[0].pouches`'],
  ),
  business_rule_status: assumption(
    'the status of ORD-11 and ORD-17 to ORD-23',
    ['422', 'the validation status'],
    ['400', 'bad request'],
    ['per_kind', 'not found 404, of another client 403, state conflicts 400, the rest 422'],
  ),
  order_created_status: assumption('the status of a created order', ['201', 'resource created'], ['200', 'success']),
  malformed_body: assumption(
    'the status for a body that is no JSON, by its bytes, its type or its compression',
    ['400', 'bad request'],
    ['422', 'validation error'],
  ),
  malformed_parameter: assumption(
    'the status for a query value of the wrong form',
    ['400', 'bad request'],
    ['422', 'validation error'],
  ),
  malformed_path_id: assumption(
    'the answer to a path id that is no UUID',
    ['400', '`"id" must be a valid GUID`, by the parameter\'s name'],
    ['404', 'as an unknown id'],
    ['422', 'as 400, with this status'],
  ),
  unauthorized_message: assumption(
    'the words for a token that is invalid or absent rather than expired',
    ['Token expired', 'as an expired one'],
    ['Invalid token', 'its own words'],
    ['Unauthorized', 'the status name'],
  ),
  bad_credentials: assumption(
    'the answer to a wrong username or password, or an inactive account',
    ['401', '`Invalid username or password`'],
    ['400', 'the same words'],
    ['403', 'the same words'],
  ),
  bad_refresh_token: assumption(
    'the status for a refresh token that is not good',
    ['401', 'unauthorized'],
    ['400', 'bad request'],
  ),
  refresh_token_lifetime: assumption(
    'the lifetime of the refresh token',
    ['30d', '30 days'],
    ['24h', '24 hours'],
    ['never', 'it does not expire'],
    ['single_use', '30 days, good for one refresh'],
  ),

  // What an order request may hold.
  new_consumer_contact: assumption(
    'which of email and phone_number a new consumer needs',
    ['none', 'neither'],
    ['email', '`"email" is required`'],
    ['phone_number', '`"phone_number" is required`'],
    ['either', '`"consumer" must contain at least one of [email, phone_number]`'],
    ['both', 'each is required'],
  ),
  new_consumer_match: assumption(
    'a new consumer whose e-mail is known already',
    ['always_new', 'a further consumer is created'],
    ['by_email', 'the known consumer is used, unchanged'],
  ),
  phone_format: assumption(
    'whether E.164 is checked (no message is documented)',
    ['pattern', '`"phone_number" with value "abc" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/`'],
    ['length_only', 'only the 15 characters'],
  ),
  unknown_fields: assumption(
    'a field that the contract does not name',
    ['reject', '`"x" is not allowed`'],
    ['ignore', 'left out silently'],
  ),
  numeric_strings: assumption(
    'whether `"30"` counts as a number',
    ['reject', '`"duration" must be a number`'],
    ['accept', 'taken as the number'],
  ),
  empty_arrays: assumption(
    '`pouches: []` and `contents: []` ("at least 1 item" is said of order_lines only)',
    ['reject', '`"pouches" must contain at least 1 items`'],
    ['accept', 'taken'],
  ),
  pouch_both: assumption(
    'the words for a pouch with both `pack_id` and `contents`',
    ['documented', "ORD-6's"],
    ['joi', '`"[0]" contains a conflict between exclusive peers [contents, pack_id]`'],
  ),
  time_of_administration: assumption(
    'the allowed values',
    ['any', 'any non-empty string'],
    ['closed', 'the fixtures\' list: `"time_of_administration" must be one of [Morning, …]`'],
  ),
  pack_id: assumption(
    'its format and meaning',
    ['any', 'a non-empty string, or a number'],
    ['known', 'a pack of the fixtures, checked after ORD-18: `Pack not found`'],
  ),
  order_fields: assumption(
    'fields of the order beyond id, status and consumer',
    ['documented', 'none'],
    ['echo', 'also shipping_address, order_lines, created_at, updated_at'],
  ),

  // What is offered, and what answers look like.
  order_endpoints: assumption(
    'whether orders can be read, listed, modified and canceled over the API',
    ['assumed', 'GET /v2/orders, GET and PATCH /v2/orders/{orderId}, POST /v2/orders/{orderId}/cancel'],
    ['absent', '404'],
  ),
  consumer_endpoints: assumption(
    'whether consumers can be created and listed',
    ['absent', '404'],
    ['assumed', 'GET and POST /v2/consumers'],
  ),
  single_read_body: assumption(
    'the body of GET product and GET consumer',
    ['wrapped', 'under `client_product`, `consumer`'],
    ['bare', 'the fields themselves'],
  ),
  product_list: assumption(
    'whether inactive products are listed',
    ['all', 'they are'],
    ['active_only', 'they are not'],
  ),
  foreign_resource: assumption(
    "a read of another client's product, consumer, order or fulfillment",
    ['404', 'as an unknown id'],
    ['403', '`Insufficient permissions`'],
  ),
  next_cursor: assumption(
    'how the next cursor is returned',
    ['body', '`next_cursor`, `null` on the last page'],
    ['meta', '`meta.next_cursor`, `null` on the last page'],
    ['link_header', '`Link: <…>; rel="next"`'],
    ['header', '`X-Next-Cursor`'],
  ),
  max_limit: assumption('the largest accepted `limit`', ['100', '100 results'], ['50', '50 results']),
  over_max_limit: assumption(
    'the answer to a larger one',
    ['clamp', 'the largest accepted one is used'],
    ['reject', '`"limit" must be less than or equal to 100`'],
  ),
  list_order: assumption(
    'the order of a list',
    ['newest_first', 'the last made first'],
    ['oldest_first', 'the first made first'],
  ),
  absent_values: assumption(
    'a value not there (dates, names, tracking)',
    ['null', 'the key with null'],
    ['omitted', 'no key'],
  ),
  status_id: assumption('fulfillment status values', ['slug', "the status's slug"], ['uuid', "the status's UUID"]),
  order_transitions: assumption(
    'transitions between order statuses beyond the documented ones',
    ['documented_path', 'Pending → Accepted → In Production; On Hold and Needs Changes back to Pending'],
    ['any', 'an operator action leads from any status to its own'],
  ),
  fulfillment_timeline: assumption(
    'when fulfillments appear and move',
    ['manual', 'when an operator action moves them'],
    ['automatic', "by the sandbox's clock, with the fixtures' delays"],
  ),
  pag_lookup: assumption(
    'how an order line finds its PAG',
    ['brand_duration', "the brand's PAG for that duration, else its default PAG"],
    ['brand', "the brand's default PAG"],
  ),
  permissions: assumption(
    'roles and scopes',
    ['per_endpoint', "each endpoint needs its permission, held by the user's `permissions`"],
    ['all', 'every user may do everything'],
  ),
  rate_limit: assumption(
    'the threshold and window of the rate limit',
    ['off', 'no limit'],
    ['100/60s', '100 calls of a sandbox in 60 seconds, the window beginning with its first call'],
  ),
} as const satisfies Record<string, Assumption>;

/** Open questions without a setting: only one answer makes sense. For docs/reference/conformance.md. */
export const fixedAnswers = {
  units: {
    question: 'the units of `weight`, `shipping_net_charge` and `duration`',
    answer:
      'they are plain numbers, and no answer of `/v2` names a unit or a currency; the printed label takes the weight ' +
      'as grams',
  },
  events: {
    question: 'events, webhooks or notifications sent by the service',
    answer: 'none are sent: a client learns what became of an order by asking',
  },
} as const;

export type AssumptionId = keyof typeof assumptionRegister;
/** The names of the choices of one assumption. */
export type Choice<Id extends AssumptionId> = (typeof assumptionRegister)[Id]['choices'][number][0];
/** The assumptions that offer endpoints. */
export type EndpointAssumption = { [Id in AssumptionId]: 'assumed' extends Choice<Id> ? Id : never }[AssumptionId];
/**
 * One choice for each assumption.
 * @example const assumptions: Partial<Choices> = { next_cursor: 'meta', list_order: 'oldest_first' };
 */
export type Choices = { readonly [Id in AssumptionId]: Choice<Id> };

export const assumptionIds = Object.keys(assumptionRegister) as AssumptionId[];

/** Named sets of choices. `strict` offers nothing that the contract does not name. */
export const profiles = {
  default: {},
  strict: { order_endpoints: 'absent' },
} as const satisfies Record<string, Partial<Choices>>;
/**
 * The name of a profile.
 * @example const profile: ProfileName = 'strict';
 */
export type ProfileName = keyof typeof profiles;
