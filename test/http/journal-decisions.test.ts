// Explain: the journal names for every refusal its stage, the contract's rule, the field, what came and what is allowed; and which
// readings shaped an answer (product.md, "What no other sandbox has", 5 and 6).
import { describe, expect, test } from 'vitest';
import { rules } from '../../src/contract/rules.ts';
import { explained, fullStreet } from '../cases/explained.ts';
import { orderWith } from '../cases/requests.ts';
import { prepare } from '../support/refused.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

/** The journal's entry of the call answered last. */
const lastIn = async (sachet: TestSachet) => (await sachet.control.sandbox('stage').requests.list()).requests.at(-1);

test.each(explained)('%s is explained', async (_, id, given, { stage, rule, field, came, sentence, faults = [] }) => {
  const { sachet, send } = await prepare(id, given);
  const { status } = await send();
  const entry = await lastIn(sachet);
  expect(entry).toMatchObject({ completed: true, operation: id, status, rules: [rule] });
  const details = [{ rule, field, came, allowed: rules[rule].requires }];
  expect(entry?.decision).toEqual({
    stage,
    rules: [rule],
    faults,
    details,
    sentence,
    assumptions: entry?.decision?.assumptions,
  });
});

const lostAnswer =
  'Answered with 201 by orders.create, but the connection switch cut the connection before the response was complete.';

describe('a call whose connection broke', () => {
  test.each([
    ['before_processing', 'fault', null, 'Connection cut by the connection switch.'],
    ['after_processing', 'operation', 201, lostAnswer],
    ['mid_body', 'operation', 201, lostAnswer],
  ] as const)('%s is told with what was answered, if anything was', async (drop, stage, status, sentence) => {
    const { sachet, send } = await prepare('orders.create');
    await sachet.control.sandbox('stage').switches.set({ connection: { drop } });
    await expect(send()).rejects.toThrow(TypeError);
    const entry = await lastIn(sachet);
    expect(entry).toMatchObject({ completed: true, status, rules: [] });
    expect(entry?.decision).toMatchObject({ stage, faults: ['connection'], details: [] });
    expect(entry?.decision?.sentence.startsWith(sentence)).toBe(true);
  });
});

test('several faults of a body are told one by one, in the order of the answer', async () => {
  const { sachet, send } = await prepare('orders.create', {
    request: { body: orderWith({ 'shipping_address.city': 5, 'shipping_address.address1': fullStreet }) },
  });
  const { body } = await send();
  const decision = (await lastIn(sachet))?.decision;
  const fields = body.details.map(({ field }: { field: string }) => field);
  expect(decision?.details.map(({ field }) => field)).toEqual(fields);
  expect(decision?.rules).toEqual(['ORD-15', 'OPEN-3']);
  expect(decision?.sentence).toMatch(/^Rejected by ORD-15: .* And 1 more error\.$/);
});

test('the readings that an answer hangs on are named, as in its header', async () => {
  const sachet = testSachet({ assumptions: { next_cursor: 'meta' } });
  const { headers } = await (await sachet.login()).get('/v2/fulfillments');
  const decision = (await lastIn(sachet))?.decision;
  expect(decision?.assumptions.next_cursor).toBe('meta');
  const told = Object.entries(decision?.assumptions ?? {}).map(([id, choice]) => `${id}=${choice}`);
  expect(headers.get('sandbox-assumption')).toBe(told.join(', '));
  expect(decision?.sentence).toBe(`Answered with 200 by fulfillments.list. Assumed: ${told.join(', ')}.`);
});
