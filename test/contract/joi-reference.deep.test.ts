// The order request compared with Joi: the same errors in the same order with the same messages, for random bodies and choices,
// except for the named differences.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderRequest } from '../../src/contract/order-request.ts';
import { answerTo, brokenRulesOf, Refusal } from '../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { orderLine, someOrder } from '../support/order-requests.ts';
import { type Fault, joiFaults, type OrderChoices } from './joi/joi-order.ts';
import { ADMINISTRATION_TIMES, orderBody, orderReadings } from './joi/order-bodies.ts';

/** The errors of a body in this sandbox. */
function ourFaults(body: unknown, choices: OrderChoices): readonly Fault[] {
  const assumptions = new Assumptions(resolveChoices(choices), ADMINISTRATION_TIMES);
  const { error } = orderRequest(assumptions).safeParse(body, { reportInput: true });
  return error ? (answerTo(new Refusal(brokenRulesOf(error, assumptions)), assumptions).body.details ?? []) : [];
}
const theirFaults = (body: unknown, choices: OrderChoices) => joiFaults(body, choices, ADMINISTRATION_TIMES);

const defaults = resolveChoices() as OrderChoices;
const accepting: OrderChoices = { ...defaults, numeric_strings: 'accept' };

/** All strings in a body. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Two bugs of Joi in comparing a string with its number, with `numeric_strings: accept`: it accepts small numbers with more digits than a
 * double has, and rejects a zero that begins with its point.
 */
const differs = (body: unknown, { numeric_strings }: OrderChoices): boolean =>
  numeric_strings === 'accept' && textsIn(body).some((text) => /^\s*[+-]?(0*\.0{6,}\d+|\.0+)\s*$/.test(text));

test('an order has the errors that Joi finds, with its messages and in its order, with any choices', () => {
  const property = fc.property(orderBody, orderReadings, (body, choices) => {
    fc.pre(!differs(body, choices));
    expect(ourFaults(body, choices)).toEqual(theirFaults(body, choices));
  });
  fc.assert(property, { numRuns: 800 });
});

const orderLasting = (duration: unknown) => someOrder({ order_lines: [{ ...orderLine(), duration }] });

test('numbers in strings are read as Joi reads them, except for its bugs', () => {
  const unsafe = [{ field: 'order_lines.0.duration', message: '"duration" must be a safe number' }];
  const faults = (text: string) => [ourFaults, theirFaults].map((find) => find(orderLasting(text), accepting));
  expect([faults('0.00000012345678901234567890'), faults('.0')]).toEqual([
    [unsafe, []],
    [[], unsafe],
  ]);
  const accepted = ['30', ' 7 ', '1e3', '+5', '.5', '5.', '-0', '00012', '12e-1', '0e400', '9007199254740991', '0.0'];
  const rejected = ['9007199254740992', '0.12345678901234567890', '1e400', '1e-400', '1e', '.', '0x10', '１', 'NaN'];
  for (const text of [...accepted, ...rejected]) {
    const [ours, theirs] = faults(text);
    expect([text, ours, ours?.length]).toEqual([text, theirs, rejected.includes(text) ? 1 : 0]);
  }
});

test('a key with a dot hides no field whose path reads the same', () => {
  const order = someOrder({ consumer: { last_name: 'Lovelace', x: 1 }, order_lines: [{ pouches: 1 }] });
  const body = { ...order, 'consumer.x': 1, 'order_lines.0.pouches': 1, '': 1 };
  const faults = [
    ['consumer.x', '"x" is not allowed'],
    ['order_lines.0.pouches', '"pouches" must be an array'],
    ['consumer.x', '"consumer.x" is not allowed'],
    ['order_lines.0.pouches', '"order_lines.0.pouches" is not allowed'],
    ['', '"value" is not allowed'],
  ].map(([field, message]) => ({ field, message }));
  expect([ourFaults(body, defaults), theirFaults(body, defaults)]).toEqual([faults, faults]);
});
