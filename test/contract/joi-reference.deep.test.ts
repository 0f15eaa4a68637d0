// The order request compared with Joi: the same errors in the same order with the same messages, for random bodies and choices,
// except for the named differences.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderRequest } from '../../src/contract/order-request.ts';
import { answerTo, brokenRulesOf, Refusal } from '../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { productId, someOrder } from '../support/order-requests.ts';
import { type Fault, joiFaults, ORDER_READINGS, type OrderChoices } from './joi/joi-order.ts';
import { ADMINISTRATION_TIMES, orderBody, orderReadings } from './joi/order-bodies.ts';

/** The errors of a body in this sandbox. */
function ourFaults(body: unknown, choices: OrderChoices): readonly Fault[] {
  const assumptions = new Assumptions(resolveChoices(choices), ADMINISTRATION_TIMES);
  const { error } = orderRequest(assumptions).safeParse(body, { reportInput: true });
  return error ? (answerTo(new Refusal(brokenRulesOf(error, assumptions)), assumptions).body.details ?? []) : [];
}
const theirFaults = (body: unknown, choices: OrderChoices) => joiFaults(body, choices, ADMINISTRATION_TIMES);

const defaults = Object.fromEntries(
  Object.entries(ORDER_READINGS).map(([id, [first]]) => [id, first]),
) as unknown as OrderChoices;
const accepting: OrderChoices = { ...defaults, numeric_strings: 'accept' };

/** All strings in a body. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Intended differences from Joi, each with `numeric_strings: accept`: Joi's bugs in comparing a string with its number. */
const differences = {
  /** Joi compares no digits where the number prints with an exponent, so it takes text that a double cannot hold. */
  'small numbers with more digits than a double has': /^\s*[+-]?0*\.0{6,}\d+\s*$/,
  /** Joi strips `.0` to nothing, and then finds that this is not the number's text. */
  'a zero that begins with its point': /^\s*[+-]?\.0+\s*$/,
} as const;
const differs = (body: unknown, { numeric_strings }: OrderChoices): boolean =>
  numeric_strings === 'accept' &&
  textsIn(body).some((text) => Object.values(differences).some((named) => named.test(text)));

test('an order has the errors that Joi finds, with its messages and in its order, with any choices', () => {
  const property = fc.property(orderBody, orderReadings, (body, choices) => {
    fc.pre(!differs(body, choices));
    expect(ourFaults(body, choices)).toEqual(theirFaults(body, choices));
  });
  fc.assert(property, { numRuns: 800 });
});

const orderLasting = (duration: unknown) =>
  someOrder({ order_lines: [{ duration, pouches: [{ contents: [{ client_product_id: productId(1) }] }] }] });
const unsafe = [{ field: 'order_lines.0.duration', message: '"duration" must be a safe number' }];

describe('the named differences', () => {
  test('a string that a double cannot hold is rejected, also a small number', () => {
    const body = orderLasting('0.00000012345678901234567890');
    expect(body.order_lines.every((line) => differs(line, accepting))).toBe(true);
    expect([ourFaults(body, accepting), theirFaults(body, accepting)]).toEqual([unsafe, []]);
    const same = orderLasting('0.12345678901234567890');
    expect([ourFaults(same, accepting), theirFaults(same, accepting)]).toEqual([unsafe, unsafe]);
  });

  test('a zero that begins with its point is a zero', () => {
    const body = orderLasting('.0');
    expect(differs(body, accepting)).toBe(true);
    expect([ourFaults(body, accepting), theirFaults(body, accepting)]).toEqual([[], unsafe]);
    const same = orderLasting('0.0');
    expect([ourFaults(same, accepting), theirFaults(same, accepting)]).toEqual([[], []]);
  });
});

test('numbers in strings are read as Joi reads them', () => {
  const accepted = ['30', ' 7 ', '1e3', '+5', '.5', '5.', '-0', '00012', '12e-1', '0e400', '9007199254740991'];
  const refused = [
    '9007199254740992',
    '9007199254740993',
    '1e400',
    '1e-400',
    '1e',
    '.',
    '0x10',
    '１',
    'NaN',
    'Infinity',
  ];
  for (const text of [...accepted, ...refused]) {
    const body = orderLasting(text);
    expect(ourFaults(body, accepting)).toEqual(theirFaults(body, accepting));
    expect([text, ourFaults(body, accepting).length]).toEqual([text, refused.includes(text) ? 1 : 0]);
    expect(ourFaults(body, defaults)).toEqual(theirFaults(body, defaults));
  }
});

test('lengths are counted as Joi counts them, in UTF-16 units', () => {
  const address = { address1: '😀'.repeat(50), city: '😀'.repeat(25), country_name: 'x' };
  const consumer = { last_name: 'x', phone_number: '😀'.repeat(8) };
  const body = someOrder({ consumer, shipping_address: address });
  expect(ourFaults(body, defaults)).toEqual(theirFaults(body, defaults));
});

test('a consumer without a contact is rejected with the message of Joi', () => {
  const choices: OrderChoices = { ...defaults, new_consumer_contact: 'either' };
  const body = someOrder({ consumer: { first_name: 'Ada', last_name: 'Lovelace' } });
  expect(ourFaults(body, choices)).toEqual(theirFaults(body, choices));
});

test('a key with a dot hides no field whose path reads the same', () => {
  const body = {
    ...someOrder({ consumer: { last_name: 'Lovelace', x: 1 }, order_lines: [{ pouches: 1 }] }),
    ...{ 'consumer.x': 1, 'order_lines.0.pouches': 1, '': 1 },
  };
  const faults = [
    ['consumer.x', '"x" is not allowed'],
    ['order_lines.0.pouches', '"pouches" must be an array'],
    ['consumer.x', '"consumer.x" is not allowed'],
    ['order_lines.0.pouches', '"order_lines.0.pouches" is not allowed'],
    ['', '"value" is not allowed'],
  ].map(([field, message]) => ({ field, message }));
  expect(ourFaults(body, defaults)).toEqual(faults);
  expect(theirFaults(body, defaults)).toEqual(faults);
});
