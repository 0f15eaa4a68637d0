// The order request as a developer would write it in Joi, with each choice of the assumptions that shape it, for comparison.
// It differs from plain Joi in GUIDs (exactly 8-4-4-4-12 hexadecimal digits) and in the messages of ORD-6, ORD-13, ORD-15 and ORD-16.
import Joi from 'joi';

/** The choices of each assumption that shapes the order request, the default first. */
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

/** One choice for each of these assumptions. */
export type OrderChoices = { readonly [Id in keyof typeof ORDER_READINGS]: (typeof ORDER_READINGS)[Id][number] };

const guidMessage = '{{#label}} must be a valid GUID';
/** 8-4-4-4-12 hexadecimal digits, narrower than Joi's. */
export const guid = Joi.string()
  .pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
  .messages({ 'string.pattern.base': guidMessage });

/** One item of an error body's `details`. */
export type Fault = { readonly field: string; readonly message: string };

export function joiOrder(choices: OrderChoices, administrationTimes: readonly string[]): Joi.ObjectSchema {
  /** With `documented` the same message for a value that is empty or no text. */
  const worded = (schema: Joi.StringSchema, message: string) =>
    choices.wrong_type_words === 'documented'
      ? schema.messages({ 'string.base': message, 'string.empty': message })
      : schema;
  const id = worded(guid, guidMessage);
  const email = worded(Joi.string().email({ tlds: false }), '{{#label}} must be a valid email');
  // What is blank becomes empty, before it is checked.
  const text = choices.blank_strings === 'reject' ? Joi.string().replace(/^\s+$/, '') : Joi.string();
  const shorterThan = (limit: number, name: string) =>
    text.max(limit - 1).messages({ 'string.max': `${name} must be less than ${limit} characters` });
  const number = choices.numeric_strings === 'reject' ? Joi.number().strict() : Joi.number();
  const short = Joi.string()
    .max(15)
    .messages({ 'string.max': '{{#label}} length must be less than or equal to {{#limit}}' });
  const phone = choices.phone_format === 'pattern' ? short.pattern(/^\+[1-9]\d{1,14}$/) : short;

  const contact = choices.new_consumer_contact;
  const ofContact = (field: 'email' | 'phone_number', schema: Joi.StringSchema) =>
    contact === field || contact === 'both' ? schema.required() : schema;
  // `min` is a rule, `or` a dependency: Joi checks rules only if keys and dependencies are valid.
  const anyConsumer = Joi.object({
    first_name: text,
    // biome-ignore lint/suspicious/noThenProperty: Joi's word for the branch
    last_name: text.when('first_name', { is: Joi.exist(), then: Joi.required() }),
    email: ofContact('email', email),
    phone_number: ofContact('phone_number', phone),
  }).min(1);
  const none = Joi.forbidden();
  const noOther = { first_name: none, last_name: none, email: none, phone_number: none };
  // The presence of `id` alone, whatever its value, decides the pattern: `exist` lets everything but undefined pass.
  const consumer = Joi.alternatives().conditional('.id', {
    is: Joi.exist(),
    // biome-ignore lint/suspicious/noThenProperty: Joi's word for the branch
    then: Joi.object({ id: id.required(), ...noOther }),
    otherwise: contact === 'either' ? anyConsumer.or('email', 'phone_number') : anyConsumer,
  });
  const address = Joi.object({
    address1: shorterThan(100, 'Address line 1').required(),
    city: shorterThan(50, 'City').required(),
    province_name: text,
    country_name: text.required(),
    postal_code: text,
  });

  const oneOf = 'Either pack_id or contents required';
  const times = choices.time_of_administration === 'closed' ? administrationTimes : undefined;
  const content = Joi.object({ client_product_id: id.required(), serving_size: number });
  // `xor` is a dependency too: it counts keys that are there, so it reports beside faults in their values.
  const pouch = Joi.object({
    time_of_administration: times ? Joi.string().valid(...times) : Joi.string(),
    contents: Joi.array().items(content).min(1),
    pack_id: Joi.alternatives(Joi.string(), Joi.number()),
  })
    .xor('contents', 'pack_id')
    .messages({ 'object.missing': oneOf, ...(choices.pouch_both === 'documented' && { 'object.xor': oneOf }) });
  const pouches = Joi.array().items(pouch);
  const line = Joi.object({
    duration: number,
    pouches: (choices.empty_arrays === 'reject' ? pouches.min(1) : pouches).required(),
  });
  const order = Joi.object({
    consumer: consumer.required(),
    shipping_address: address.required(),
    order_lines: Joi.array().items(line).min(1).required(),
  }).required();
  return choices.unknown_fields === 'ignore' ? order.prefs({ stripUnknown: { objects: true, arrays: false } }) : order;
}

const faultOf = ({ path, message }: Joi.ValidationErrorItem): Fault => ({ field: path.join('.'), message });

/** The faults Joi finds in `body`, in Joi's order, of each field the first or all. */
export function joiFaults(body: unknown, choices: OrderChoices, administrationTimes: readonly string[]): Fault[] {
  const options = { abortEarly: false, errors: { label: 'key' } } as const;
  const details = joiOrder(choices, administrationTimes).validate(body, options).error?.details ?? [];
  return choices.faults_per_field === 'all' ? details.map(faultOf) : faultsIn(details);
}

/** Joi's details as they are in an error body: of each field the first. */
export function faultsIn(details: readonly Joi.ValidationErrorItem[]): Fault[] {
  const fields = details.map(({ path }) => JSON.stringify(path));
  return details.filter((_, index) => fields.indexOf(fields[index] ?? '') === index).map(faultOf);
}
