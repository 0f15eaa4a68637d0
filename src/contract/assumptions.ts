// The register of assumptions: the gaps of the contract, with the choices that a real service could have made. The
// first choice is the default. Every assumption is a setting of a sandbox (`--assume id=choice`), and has the requests
// that find out what the service does. Remove one that no code reads.
import {
  acceptedOrder,
  authentication,
  contents,
  foreignOrder,
  incompleteOrder,
  login,
  newConsumer,
  orderLine,
  type ProbeOrReason,
  probe,
  probeMark,
  read,
  refresh,
  refusedOrder,
  shippingAddress,
  unobservable,
  writingProbe,
} from './probes.ts';

/** One gap of the contract. */
export interface Assumption {
  readonly question: string;
  /** Pairs of name and meaning. */
  readonly choices: readonly (readonly [choice: string, gloss: string])[];
  /** The requests that tell the choices apart, or why none do. */
  readonly probe: ProbeOrReason;
}

const assumption = <const Choices extends Assumption['choices']>(
  question: string,
  probe: Assumption['probe'],
  ...choices: Choices
) => ({ question, probe, choices });

const beyondLimit = unobservable('a probe would disturb other clients; `sachet learn` finds it in recordings');

export const assumptionRegister = {
  // Refusals and tokens: statuses, and where messages appear.
  validation_placement: assumption(
    'where a validation message appears ("in details or message")',
    probe(incompleteOrder),
    ['both', "message = the first detail's message, details = all"],
    ['details', 'message `Validation failed`, details = all'],
    ['message', 'the first message, no details'],
    ['joined', 'message = all, joined by `. `; no details'],
  ),
  validation_report: assumption(
    'whether all errors are reported, or only the first',
    probe(incompleteOrder),
    ['all', 'those of all fields'],
    ['first', 'only the first'],
  ),
  faults_per_field: assumption(
    'a field with two errors, such as a phone number that is too long and not E.164',
    probe(
      refusedOrder('a phone_number of 16 letters', { consumer: { ...newConsumer, phone_number: 'x'.repeat(16) } }),
      read('/v2/fulfillments?limit=-1.5'),
    ),
    ['first', 'only the first is reported'],
    ['all', "all are reported, in Joi's order"],
  ),
  field_path: assumption(
    'how an array index is written in `details[].field`',
    probe(refusedOrder('a line without pouches', { order_lines: [{ duration: 30 }] })),
    ['dotted', '`order_lines.0.pouches`'],
    ['brackets', '`order_lines[0].pouches`'],
  ),
  business_rule_status: assumption(
    'the status of ORD-11 and ORD-17 to ORD-23',
    probe(refusedOrder('an unknown product')),
    ['422', 'the status of a validation error'],
    ['400', 'bad request'],
    ['per_kind', '404 for not found, 403 for another client, 400 for a state conflict, 422 for the rest'],
  ),
  order_created_status: assumption(
    'the status of a created order',
    writingProbe(acceptedOrder('a new consumer')),
    ['201', 'resource created'],
    ['200', 'success'],
  ),
  malformed_body: assumption(
    'the status for a body that is not JSON: malformed, of another type, or compressed wrongly',
    probe({ method: 'POST', path: '/v2/orders', raw: '{"consumer":', note: 'a body that is cut off' }),
    ['400', 'bad request'],
    ['422', 'validation error'],
  ),
  malformed_parameter: assumption(
    'the status for a malformed query value',
    probe(read('/v2/fulfillments?limit=abc')),
    ['400', 'bad request'],
    ['422', 'validation error'],
  ),
  malformed_path_id: assumption(
    'the response to a path id that is not a UUID',
    probe(read('/v2/products/sachet-probe')),
    ['400', '`"id" must be a valid GUID`, with the name of the parameter'],
    ['404', 'the same as for an unknown id'],
    ['422', 'the same message'],
  ),
  unauthorized_message: assumption(
    'the message for a token that is invalid, not expired',
    probe(read('/v2/products', { token: 'malformed' })),
    ['Token expired', 'the same as for an expired token'],
    ['Invalid token', 'a message of its own'],
    ['Unauthorized', 'the name of the status'],
  ),
  missing_token_message: assumption(
    'the message where no bearer token is sent',
    probe(read('/v2/products', { token: 'none' })),
    ['Missing authentication', "hapi's own"],
    ['Token expired', 'the same as for an expired token'],
    ['Unauthorized', 'the name of the status'],
  ),
  www_authenticate: assumption(
    'whether the 401 of an endpoint that needs a token carries `WWW-Authenticate` (RFC 6750)',
    probe(read('/v2/products', { token: 'none' })),
    ['present', '`Bearer`, with `error="invalid_token"` where a token was sent'],
    ['absent', 'no such header'],
  ),
  bad_credentials: assumption(
    'the response to a wrong username or password, or an inactive account',
    probe(authentication('token', { username: probeMark, password: probeMark }, { note: 'an unknown username' })),
    ['401', '`Invalid username or password`'],
    ['400', 'the same message'],
    ['403', 'the same message'],
  ),
  bad_refresh_token: assumption(
    'the status for an invalid refresh token',
    probe(authentication('refresh-token', { refresh_token: probeMark }, { note: 'a malformed refresh token' })),
    ['401', 'unauthorized'],
    ['400', 'bad request'],
  ),
  refresh_token_lifetime: assumption(
    'the lifetime of the refresh token',
    probe(login, refresh, refresh),
    ['30d', '30 days'],
    ['24h', '24 hours'],
    ['never', 'it does not expire'],
    ['single_use', '30 days, valid for one refresh'],
  ),

  old_token_after_refresh: assumption(
    'whether a refresh ends the access tokens before it, those of the same login',
    probe(login, refresh, read('/v2/products', { token: 'replaced', isFresh: true })),
    ['stays', 'they are valid until they expire'],
    ['ends', 'only the newest one is valid'],
  ),
  storage_auth: assumption(
    'a label URL fetched with an `Authorization` header',
    probe(
      read('/v2/fulfillments?limit=1', { isFresh: true }),
      read('{label_url}', { token: 'malformed', isFresh: true }),
    ),
    ['reject', 'as S3 does: 400 `InvalidArgument`, whatever the signature'],
    ['ignore', 'the header is ignored'],
  ),

  // The fields of an order request.
  new_consumer_contact: assumption(
    'which of email and phone_number a new consumer needs',
    probe(
      refusedOrder('a new consumer without contacts', { consumer: { first_name: probeMark, last_name: probeMark } }),
      refusedOrder('a new consumer without phone_number', { consumer: { ...newConsumer, phone_number: undefined } }),
    ),
    ['none', 'neither'],
    ['email', '`"email" is required`'],
    ['phone_number', '`"phone_number" is required`'],
    ['either', '`"consumer" must contain at least one of [email, phone_number]`'],
    ['both', 'both are required'],
  ),
  new_consumer_match: assumption(
    'a new consumer with the email of an existing one',
    writingProbe(
      acceptedOrder('a new consumer'),
      acceptedOrder('another new consumer of the same email', { last_name: `${probeMark} again` }),
    ),
    ['always_new', 'another consumer is created'],
    ['by_email', 'the existing consumer is used, unchanged'],
  ),
  phone_format: assumption(
    'whether E.164 is checked (no message is documented)',
    probe(refusedOrder(`phone_number "${probeMark}"`, { consumer: { ...newConsumer, phone_number: probeMark } })),
    ['pattern', '`"phone_number" with value "abc" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/`'],
    ['length_only', 'only the length is checked'],
  ),
  blank_strings: assumption(
    'whitespace-only strings in the names of a consumer and in an address',
    probe(refusedOrder('a blank city', { shipping_address: { ...shippingAddress, city: ' ' } })),
    ['accept', 'accepted'],
    ['reject', 'as empty ones: `"first_name" is not allowed to be empty`'],
  ),
  wrong_type_words: assumption(
    'the message for `null`, `""` or another type as an id or email in a body',
    probe(refusedOrder('client_product_id 7', { order_lines: [orderLine({ contents: [{ client_product_id: 7 }] })] })),
    ['joi', '`"id" must be a string`, `"id" is not allowed to be empty`'],
    ['documented', '`"id" must be a valid GUID`, `"email" must be a valid email`'],
  ),
  unknown_fields: assumption(
    'a field that the contract does not name',
    probe(refusedOrder('a field "sachet_probe"', { sachet_probe: probeMark })),
    ['reject', '`"x" is not allowed`'],
    ['ignore', 'ignored'],
  ),
  numeric_strings: assumption(
    'whether `"30"` counts as a number',
    probe(refusedOrder('duration "30"', { order_lines: [{ ...orderLine(), duration: '30' }] })),
    ['reject', '`"duration" must be a number`'],
    ['accept', 'used as a number'],
  ),
  empty_arrays: assumption(
    '`pouches: []` (the contract says "at least 1 item" only for order_lines)',
    probe(
      refusedOrder('a second line with empty pouches', { order_lines: [orderLine(), { duration: 30, pouches: [] }] }),
    ),
    ['reject', '`"pouches" must contain at least 1 items`'],
    ['accept', 'accepted'],
  ),
  pouch_both: assumption(
    'the message for a pouch with both `pack_id` and `contents`',
    probe(
      refusedOrder('pack_id and contents in one pouch', { order_lines: [orderLine({ contents, pack_id: probeMark })] }),
    ),
    ['documented', 'the message of ORD-6'],
    ['joi', '`"[0]" contains a conflict between exclusive peers [contents, pack_id]`'],
  ),
  time_of_administration: assumption(
    'the allowed values',
    probe(
      refusedOrder(`time_of_administration "${probeMark}"`, {
        order_lines: [orderLine({ time_of_administration: probeMark, contents })],
      }),
    ),
    ['any', 'any non-empty string'],
    ['closed', 'the fixtures\' list: `"time_of_administration" must be one of [Morning, …]`'],
  ),
  pack_id: assumption(
    'its format and meaning',
    writingProbe(acceptedOrder(`pack_id "${probeMark}"`, {}, { pack_id: probeMark })),
    ['any', 'a non-empty string or a number'],
    ['known', 'the id of a pack in the fixtures, checked after ORD-18: `Pack not found`'],
  ),
  order_fields: assumption(
    'fields of the order beyond id, status and consumer',
    writingProbe(acceptedOrder('a new consumer')),
    ['documented', 'no other fields'],
    ['echo', 'also shipping_address, order_lines, created_at, updated_at'],
  ),

  // Endpoints and responses.
  order_endpoints: assumption(
    'whether orders can be read, listed, modified and canceled over the API',
    probe(read('/v2/orders')),
    ['assumed', 'GET /v2/orders, GET and PATCH /v2/orders/{orderId}, POST /v2/orders/{orderId}/cancel'],
    ['absent', '404'],
  ),
  consumer_endpoints: assumption(
    'whether consumers can be created and listed',
    probe(read('/v2/consumers')),
    ['absent', '404'],
    ['assumed', 'GET and POST /v2/consumers'],
  ),
  single_read_body: assumption(
    'the body of GET product and GET consumer',
    probe(read('/v2/products/{product}')),
    ['wrapped', 'under `client_product` or `consumer`'],
    ['bare', 'the fields at the top level'],
  ),
  product_list: assumption(
    'whether inactive products are listed',
    probe(read('/v2/products/{inactive_product}'), read('/v2/products', { isFresh: true })),
    ['all', 'all products are listed'],
    ['active_only', 'only active products are listed'],
  ),
  foreign_resource: assumption(
    "a read of another client's product, consumer, order or fulfillment",
    probe(
      read('/v2/products/{foreign_product}', { isFresh: true }),
      foreignOrder,
      read('/v2/products/{foreign_product}', { isFresh: true }),
    ),
    ['404', 'the same as for an unknown id'],
    ['403', '`Insufficient permissions`'],
  ),
  next_cursor: assumption(
    'how the next cursor is returned',
    probe(read('/v2/fulfillments?limit=1')),
    ['body', '`next_cursor`, `null` on the last page'],
    ['meta', '`meta.next_cursor`, `null` on the last page'],
    ['link_header', '`Link: <…>; rel="next"`'],
    ['header', '`X-Next-Cursor`'],
  ),
  max_limit: assumption(
    'the maximum `limit`',
    probe(read('/v2/fulfillments?limit=100', { note: 'more than 50 fulfillments' })),
    ['100', '100 results'],
    ['50', '50 results'],
  ),
  over_max_limit: assumption(
    'the response to a `limit` above the maximum',
    probe(read('/v2/fulfillments?limit=101')),
    ['clamp', 'the maximum is used'],
    ['reject', '`"limit" must be less than or equal to 100`'],
  ),
  list_order: assumption(
    'the order of a list',
    probe(read('/v2/fulfillments?limit=50')),
    ['newest_first', 'the newest first'],
    ['oldest_first', 'the oldest first'],
  ),
  absent_values: assumption(
    'missing values (dates, names, tracking)',
    probe(read('/v2/fulfillments?limit=50'), read('/v2/fulfillments?limit=100')),
    ['null', 'the field is null'],
    ['omitted', 'the field is omitted'],
  ),
  status_id: assumption(
    'fulfillment status values',
    probe(read('/v2/fulfillments?limit=1')),
    ['slug', "the status's slug"],
    ['uuid', "the status's UUID"],
  ),
  order_transitions: assumption(
    'transitions between order statuses beyond the documented ones',
    unobservable('only actions of the operator show it'),
    ['documented_path', 'Pending → Accepted → In Production; On Hold and Needs Changes back to Pending'],
    ['any', 'an operator action works from every status but the one that it leads to'],
  ),
  fulfillment_timeline: assumption(
    'when fulfillments are created and change status',
    unobservable('it shows only when the operator packs and ships an order'),
    ['manual', 'when an operator action changes them'],
    ['automatic', "on the sandbox's clock, with the fixtures' delays"],
  ),
  pag_lookup: assumption(
    'how an order line finds its PAG',
    unobservable("it takes the operator's list of PAGs"),
    ['brand_duration', "the brand's PAG for that duration, or else its default PAG"],
    ['brand', "the brand's default PAG"],
  ),
  permissions: assumption(
    "whether a user's permissions limit the calls that it can make",
    unobservable('it takes a user who lacks a permission; record its calls and run `sachet learn`'),
    ['per_endpoint', "each endpoint needs a permission, which the user's `permissions` must contain"],
    ['all', 'every user can do everything'],
  ),
  rate_limit: assumption(
    'how many calls are allowed, and in what time',
    beyondLimit,
    ['off', 'no limit'],
    ['100/60s', '100 calls in 60 seconds; the window starts with its first call'],
  ),
  rate_limit_scope: assumption(
    'which calls share a limit: that of `rate_limit`, and `limit` of the switch `rate_limit`',
    beyondLimit,
    ['user', 'those of a user, by the token; logins and calls without a token of the sandbox count as one more user'],
    ['sandbox', 'all calls to the sandbox'],
  ),
} as const satisfies Record<string, Assumption>;

/** Gaps of the contract without a setting, because only one answer makes sense. For docs/reference/conformance.md. */
export const fixedAnswers = {
  units: {
    question: 'the units of `weight`, `shipping_net_charge` and `duration`',
    answer:
      'they are plain numbers, and no response of `/v2` names a unit or a currency; the printed label shows the ' +
      'weight in grams',
  },
  events: {
    question: 'events, webhooks or notifications sent by the service',
    answer: 'the sandbox sends no events; a client reads its orders and fulfillments to see changes',
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
