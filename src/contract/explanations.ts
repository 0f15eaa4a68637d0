// What each rule allows or requires, in the contract's own words and numbers: for the journal and the console, never for an answer.
import { limits } from './limits.ts';
import type { RuleId } from './rules.ts';

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
  unknown_host: 'a host that the server knows: a name of its own machine, or one of --allowed-hosts',
  cross_site: 'a call by a client, or by a page of the same site; a page of another site may only link here',
  no_room: 'a login of a sandbox that exists, or a server with room for another',
  'HTTP-3': `${nothing}: the server failed, or was made to`,
  'LIM-1': 'no further call before the time that Retry-After says',
  max_records: 'no more records than the sandbox may hold',
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
  body_too_large: `a body of at most ${limits.bodyBytes} bytes`,
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
