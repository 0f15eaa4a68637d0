// The order request against Joi itself: the same faults in the same order and words, for all bodies under all readings, but for
// the differences named here.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderRequest } from '../../src/contract/order-request.ts';
import { answerTo, brokenRulesOf, Refusal } from '../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { type Fault, joiFaults, ORDER_READINGS, type OrderChoices } from '../support/joi-order.ts';
import { ADMINISTRATION_TIMES, orderBody, orderReadings } from '../support/order-bodies.ts';
import { productId, someOrder } from '../support/order-requests.ts';

/** The faults this sandbox tells of a body, as its error body has them. */
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

/** All texts in a body, wherever they stand. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Where we differ from Joi on purpose, each under `numeric_strings: accept`. reading.md asks whether "30" counts as a number, and
 * OPEN-5 refuses numbers beyond what a double holds; neither asks for Joi's slips in comparing a text with its number.
 */
const differences = {
  /** Joi compares no digits where the number prints with an exponent, so it takes text that a double cannot hold. */
  'small numbers with more digits than a double has': /^\s*[+-]?0*\.0{6,}\d+\s*$/,
  /** Joi strips `.0` to nothing, and then finds that this is not the number's text. */
  'a zero that begins with its point': /^\s*[+-]?\.0+\s*$/,
} as const;
const differs = (body: unknown, { numeric_strings }: OrderChoices): boolean =>
  numeric_strings === 'accept' &&
  textsIn(body).some((text) => Object.values(differences).some((named) => named.test(text)));

test('an order is refused for the faults that Joi finds, in its words and order, under any readings', () => {
  const property = fc.property(orderBody, orderReadings, (body, choices) => {
    fc.pre(!differs(body, choices));
    expect(ourFaults(body, choices)).toEqual(theirFaults(body, choices));
  });
  fc.assert(property, { numRuns: 2000 });
});

const orderLasting = (duration: unknown) =>
  someOrder({ order_lines: [{ duration, pouches: [{ contents: [{ client_product_id: productId(1) }] }] }] });
const unsafe = [{ field: 'order_lines.0.duration', message: '"duration" must be a safe number' }];

describe('the named differences', () => {
  test('text that a double cannot hold is refused, however small the number', () => {
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

describe('what Joi says of numbers in text', () => {
  const texts = ['30', ' 7 ', '1e3', '+5', '.5', '5.', '-0', '00012', '12e-1', '0e400', '9007199254740991'];
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
  test.each([...texts, ...refused])('%j', (text) => {
    const body = orderLasting(text);
    expect(ourFaults(body, accepting)).toEqual(theirFaults(body, accepting));
    expect(ourFaults(body, accepting).length).toBe(refused.includes(text) ? 1 : 0);
    expect(ourFaults(body, defaults)).toEqual(theirFaults(body, defaults));
  });
});

test('lengths are counted as Joi counts them, in UTF-16 units', () => {
  const address = { address1: '😀'.repeat(50), city: '😀'.repeat(25), country_name: 'x' };
  const consumer = { last_name: 'x', phone_number: '😀'.repeat(8) };
  const body = someOrder({ consumer, shipping_address: address });
  expect(ourFaults(body, defaults)).toEqual(theirFaults(body, defaults));
});

test('a consumer without a way to reach it is refused in the words of Joi', () => {
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
