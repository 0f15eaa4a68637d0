// The rules by which this sandbox reads the contract, by their numbers: what each says, and whether the contract says it.
// What the contract leaves open and a setting decides stands in the register of assumptions.

import { limits } from './limits.ts';
import { statusNames } from './operation.ts';
import { explanations, type RuleId } from './rules.ts';

// The sentences of the rules that say more than what a request must hold. The others speak by their explanation, and stand here
// only where the document leaves something of them open.

/** A rule in its own sentence, and what of it the document leaves open. */
export interface SpokenRule {
  readonly says?: string;
  readonly ours?: string;
}

export const spokenRules = {
  'HTTP-1': {
    says: 'Every path begins with `/v2`. JSON in, JSON out; a request with a body carries `Content-Type: application/json`.',
    ours: 'answers are `application/json; charset=utf-8`; HTTPS ends before the sandbox, or in it with a certificate',
  },
  'HTTP-2': { says: `Only the documented statuses come from \`/v2\`: ${Object.keys(statusNames).join(', ')}.` },
  'HTTP-3': {
    says: 'Every error body is `{statusCode, error, message, details?}`: the status, its name, words, and a list of `{field, message}` with dotted paths.',
    ours: 'no other key; where no rule has its own words the message is the name of the status, and that of a 500 is `An internal server error occurred`',
  },
  'HTTP-4': {
    says: 'The first check that fails answers: rate limit (429), route (404), token (401), body format (400), permission (403), path, then query (400), body schema (422), business rules (422).',
  },

  'AUTH-1': {
    says: `\`POST /v2/authentication/token\` with \`username\` and \`password\` gives 200 and \`{access_token, refresh_token, expires_in}\`; \`expires_in\` is ${limits.accessTokenSeconds}.`,
    ours: 'the tokens are JSON Web Tokens',
  },
  'AUTH-2': {
    says: '`POST /v2/authentication/refresh-token` with `refresh_token` gives 200 and `{access_token, expires_in}`.',
    ours: 'no other key',
  },
  'AUTH-3': {
    says: 'Every other endpoint needs `Authorization: Bearer <ACCESS_TOKEN>`. A token that is expired, malformed, tampered with or absent gives 401, and so does a refresh token that is not good; an expired one with `Token expired`.',
    ours: 'a refresh token is no access token, and an access token no refresh token',
  },
  'AUTH-4': {
    says: 'A token of one environment (stage, production) is not valid in another: 401.',
    ours: 'every further sandbox is an environment of its own; refresh tokens are bound likewise',
  },
  'AUTH-5': {
    says: 'A user who lacks the permission of the endpoint gets 403 `Forbidden`, `Insufficient permissions`.',
  },
  'AUTH-6': {
    says: 'The client account exists and is active.',
    ours: 'a user of an inactive account cannot log in, and tokens from before give 401',
  },

  'CAT-1': {
    says: "`GET /v2/products` gives `{client_products: [{id, product_name, active, serving_size}]}`: the calling client's own products.",
  },
  'CAT-2': {
    says: '`GET /v2/products/{id}` and `GET /v2/consumers/{id}` verify an id: 200 for one that the calling client has, else 404.',
    ours: 'the words `Product not found` and `Consumer not found`',
  },

  'ORD-17': { ours: 'of several, the first is told' },
  'ORD-18': { ours: 'of several, the first is told' },
  'ORD-19': { ours: 'each name stands once, in the order of first use, joined by commas' },
  'ORD-20': { ours: 'each name stands once, likewise; the name of the operator is that of the fixtures' },
  'ORD-23': { ours: 'an order that is canceled already is not canceled again' },
  'ORD-24': {
    says: 'A valid order gives 201 and `{order: {id, status, consumer: {id, first_name, last_name}}}` with the status `Pending`; a new consumer is created, and exists from then on.',
  },
  'ORD-25': {
    says: 'An order with a line whose PAG is not Active is accepted all the same, with the status `Needs Changes`; the operator must approve the packaging.',
  },
  'ORD-26': {
    says: 'The two consumer patterns (an existing one by `id`; a new one by names and contacts) never mix, and `pack_id` and `contents` never stand together.',
  },
  'ORD-27': {
    says: 'A refused order changes nothing: no consumer, no order, no identifier used up.',
  },

  'FUL-1': {
    says: '`GET /v2/fulfillments/{id}` gives `{fulfillment}` with the 15 documented fields, among them `tracking_info` and `order_lines` of `{id, name}`. An unknown id is 404.',
    ours: 'the lines are those that were shipped, each named by what its pouches hold; the words `Fulfillment not found`',
  },
  'FUL-2': {
    says: '`GET /v2/orders/{orderId}/fulfillments` gives `{fulfillments}`. An order that the calling client does not have is 404.',
    ours: 'the words `Order not found`',
  },
  'FUL-3': {
    says: '`GET /v2/fulfillments` takes `limit` (an integer, 20 by default), `cursor` and `order_id`, and gives `{fulfillments}`. Following the cursor visits every fulfillment exactly once.',
    ours: 'also while new ones are being added; `limit` is at least 1, a cursor that the server did not give is malformed, and an `order_id` that matches nothing gives an empty list',
  },
  'FUL-4': {
    says: `\`label_url\` is a pre-signed object-storage URL. It downloads a shipping label for ${limits.labelSeconds / 60} minutes after the response that carried it.`,
    ours: 'after that it is refused as S3 refuses; its stamp has whole seconds, so a URL made between two lives up to a second longer, never shorter',
  },
  'FUL-5': { says: 'Every read of a fulfillment carries a fresh `label_url`.' },

  'LIM-1': {
    says: `Over the rate limit the answer is 429 \`Too Many Requests\` with the header \`Retry-After: ${limits.retryAfterSeconds}\`.`,
  },
} as const satisfies Record<string, SpokenRule>;

/** Rules outside the group OPEN about which the document is silent: an order of checks, and what a refusal leaves behind. */
export const openMatters = ['HTTP-4', 'ORD-27'] as const;

/** The number of a rule. A refusal's number that no group of the rulebook has is found by a test. */
export type RuleNumber = keyof typeof spokenRules | Extract<RuleId, `${string}-${number}`>;

/** What the contract does not show and no setting decides, because there is one answer only. */
export const notSettings = {
  units: {
    question: 'the units of `weight`, `shipping_net_charge` and `duration`',
    answer:
      'they are plain numbers, and no answer of `/v2` names a unit or a currency; the printed label takes the weight as grams',
  },
  events: {
    question: 'events, webhooks or notifications sent by the service',
    answer: 'none are sent: a client learns what became of an order by asking',
  },
} as const;

/** `documented`: the contract's document says it. `assumed`: the document is silent, and this is our answer. */
type Standing = 'documented' | 'assumed';

export interface NumberedRule {
  readonly id: RuleNumber;
  readonly standing: Standing;
  /** What it says. Undefined where it says no more than what a request must hold: see `requires`. */
  readonly says?: string;
  /** What a request must hold, or else is refused by this rule; read after "required:". */
  readonly requires?: string;
  /** What of a documented rule the document leaves open: our answer to it. */
  readonly ours?: string;
}

/** The groups of rules, by the letters before their numbers. */
export const ruleGroups = [
  { letters: 'HTTP', title: 'Requests in general' },
  { letters: 'AUTH', title: 'Authentication' },
  { letters: 'CAT', title: 'Catalog and consumers' },
  { letters: 'ORD', title: 'Orders' },
  { letters: 'FUL', title: 'Fulfillments' },
  { letters: 'LIM', title: 'Limits' },
  { letters: 'OPEN', title: 'What the contract leaves open, and no setting decides' },
] as const;

const spoken: Readonly<Record<string, SpokenRule>> = spokenRules;
const required: Readonly<Record<string, string>> = explanations;
const silent: readonly string[] = openMatters;

const ids = [...new Set([...Object.keys(spokenRules), ...Object.keys(explanations)])] as RuleNumber[];

/** The numbers of a group, in their order. */
const numbersOf = (letters: string): RuleNumber[] =>
  ids
    .filter((id) => id.startsWith(`${letters}-`))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

function numberedRule(id: RuleNumber): NumberedRule {
  const standing: Standing = id.startsWith('OPEN-') || silent.includes(id) ? 'assumed' : 'documented';
  const own = spoken[id];
  return { id, standing, ...(own?.says ? {} : { requires: required[id] ?? '' }), ...own };
}

/** Every numbered rule, in the order of its group. */
export const rulebook: readonly NumberedRule[] = ruleGroups.flatMap(({ letters }) =>
  numbersOf(letters).map(numberedRule),
);
