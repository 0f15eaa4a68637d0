// The order request as a developer would write it in Joi, with each choice of the assumptions that shape it, for comparison.
// It differs from plain Joi in GUIDs (exactly 8-4-4-4-12 hexadecimal digits) and in the messages of ORD-6, ORD-13, ORD-15 and ORD-16.
import Joi from 'joi';

/** The readings of each assumption that shapes the order request, the default first. */
export const ORDER_READINGS = {
  new_consumer_contact: ['none', 'email', 'phone_number', 'either', 'both'],
  phone_format: ['pattern', 'length_only'],
  blank_strings: ['accept', 'reject'],
  wrong_type_words: ['joi', 'documented'],
  faults_per_field: ['first', 'all'],
  unknown_fields: ['reject', 'ignore'],
  numeric_strings: ['reject', 'accept'],
  empty_arrays: ['reject', 'accept'],
  pouch_both: ['documented', 'joi'],
  time_of_administration: ['any', 'closed'],
  pack_id: ['any', 'known'],
} as const;

/** One reading for each of these assumptions. */
export type OrderChoices = { readonly [Id in keyof typeof ORDER_READINGS]: (typeof ORDER_READINGS)[Id][number] };

/** One item of an error body's `details`. */
export type Fault = { readonly field: string; readonly message: string };

const E164 = /^\+[1-9]\d{1,14}$/;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Under `documented` the same words for a value that is empty or no text. */
function documentedWords(choices: OrderChoices, words: string) {
  return choices.wrong_type_words === 'documented' ? { 'string.base': words, 'string.empty': words } : {};
}

function guidFor(choices: OrderChoices) {
  const words = '{{#label}} must be a valid GUID';
  return Joi.string()
    .pattern(GUID)
    .messages({ 'string.pattern.base': words, ...documentedWords(choices, words) });
}

const emailFor = (choices: OrderChoices) =>
  Joi.string().email({ tlds: false }).messages(documentedWords(choices, '{{#label}} must be a valid email'));

/** What is blank becomes empty, before it is checked. */
const textFor = (choices: OrderChoices) =>
  choices.blank_strings === 'reject' ? Joi.string().replace(/^\s+$/, '') : Joi.string();

const shorterThan = (limit: number, words: string, choices: OrderChoices) =>
  textFor(choices)
    .max(limit - 1)
    .messages({ 'string.max': `${words} must be less than ${limit} characters` });

const numberFor = (choices: OrderChoices) =>
  choices.numeric_strings === 'reject' ? Joi.number().strict() : Joi.number();

const pouchesFor = (item: Joi.Schema, choices: OrderChoices) =>
  choices.empty_arrays === 'reject' ? Joi.array().items(item).min(1) : Joi.array().items(item);

function phoneNumber(choices: OrderChoices): Joi.StringSchema {
  const short = Joi.string()
    .max(15)
    .messages({ 'string.max': '{{#label}} length must be less than or equal to {{#limit}}' });
  return choices.phone_format === 'pattern' ? short.pattern(E164) : short;
}

const existingConsumer = (choices: OrderChoices) =>
  Joi.object({
    id: guidFor(choices).required(),
    ...Object.fromEntries(['first_name', 'last_name', 'email', 'phone_number'].map((key) => [key, Joi.forbidden()])),
  });

/** `min` is a rule, `or` a dependency: Joi checks rules only if keys and dependencies are valid. */
function newConsumer(choices: OrderChoices): Joi.ObjectSchema {
  const contact = choices.new_consumer_contact;
  const needed = (field: 'email' | 'phone_number', schema: Joi.StringSchema) =>
    contact === field || contact === 'both' ? schema.required() : schema;
  const consumer = Joi.object({
    first_name: textFor(choices),
    // biome-ignore lint/suspicious/noThenProperty: Joi's word for the branch
    last_name: textFor(choices).when('first_name', { is: Joi.exist(), then: Joi.required() }),
    email: needed('email', emailFor(choices)),
    phone_number: needed('phone_number', phoneNumber(choices)),
  }).min(1);
  return contact === 'either' ? consumer.or('email', 'phone_number') : consumer;
}

/** The presence of `id` alone, whatever its value, decides the pattern: `exist` lets everything but undefined pass. */
const consumerFor = (choices: OrderChoices) =>
  Joi.alternatives().conditional('.id', {
    is: Joi.exist(),
    // biome-ignore lint/suspicious/noThenProperty: Joi's word for the branch
    then: existingConsumer(choices),
    otherwise: newConsumer(choices),
  });

const shippingAddress = (choices: OrderChoices) =>
  Joi.object({
    address1: shorterThan(100, 'Address line 1', choices).required(),
    city: shorterThan(50, 'City', choices).required(),
    province_name: textFor(choices),
    country_name: textFor(choices).required(),
    postal_code: textFor(choices),
  });

/** `xor` is a dependency too: it counts keys that are there, so it reports beside faults in their values. */
function pouchFor(choices: OrderChoices, administrationTimes: readonly string[]): Joi.ObjectSchema {
  const words = 'Either pack_id or contents required';
  const content = Joi.object({ client_product_id: guidFor(choices).required(), serving_size: numberFor(choices) });
  const time = Joi.string();
  return Joi.object({
    time_of_administration: choices.time_of_administration === 'closed' ? time.valid(...administrationTimes) : time,
    contents: Joi.array().items(content).min(1),
    pack_id: Joi.alternatives(Joi.string(), Joi.number()),
  })
    .xor('contents', 'pack_id')
    .messages({ 'object.missing': words, ...(choices.pouch_both === 'documented' && { 'object.xor': words }) });
}

export function joiOrder(choices: OrderChoices, administrationTimes: readonly string[]): Joi.ObjectSchema {
  const line = Joi.object({
    duration: numberFor(choices),
    pouches: pouchesFor(pouchFor(choices, administrationTimes), choices).required(),
  });
  const order = Joi.object({
    consumer: consumerFor(choices).required(),
    shipping_address: shippingAddress(choices).required(),
    order_lines: Joi.array().items(line).min(1).required(),
  }).required();
  return choices.unknown_fields === 'ignore' ? order.prefs({ stripUnknown: { objects: true, arrays: false } }) : order;
}

/** The faults Joi finds in `body`, in Joi's order, of each field the first or all. */
export function joiFaults(body: unknown, choices: OrderChoices, administrationTimes: readonly string[]): Fault[] {
  const options = { abortEarly: false, errors: { label: 'key' } } as const;
  const { error } = joiOrder(choices, administrationTimes).validate(body, options);
  const details = error?.details ?? [];
  return choices.faults_per_field === 'all' ? details.map(faultOf) : faultsIn(details);
}

const faultOf = ({ path, message }: Joi.ValidationErrorItem): Fault => ({ field: path.join('.'), message });

/** Joi's details as an error body tells them: of each field the first. */
export function faultsIn(details: readonly Joi.ValidationErrorItem[]): Fault[] {
  const faults = new Map<string, Fault>();
  for (const detail of details) {
    const segments = JSON.stringify(detail.path);
    if (!faults.has(segments)) faults.set(segments, faultOf(detail));
  }
  return [...faults.values()];
}
