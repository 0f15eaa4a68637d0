// What the journal says about real refusals: those of the real schemas, and those that the domain throws.
import { describe, expect, test, vi } from 'vitest';
import type { RequestJson } from '../../../src/contract/control/requests.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import { operations } from '../../../src/contract/operations.ts';
import { brokenRulesOf, Refusal } from '../../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../../src/contract/resolved-assumptions.ts';
import { rules as catalogue } from '../../../src/contract/rules.ts';
import type { CallOutcome } from '../../../src/journal/decision.ts';
import { presentEntry } from '../../../src/journal/present.ts';
import { known, orderWith, unknownId, validOrder } from '../../cases/requests.ts';
import { call, newJournal } from './calls.ts';

type Decision = NonNullable<RequestJson['decision']>;

/** What is shown of the decision of such a call. */
function shown(
  { sent, ...decided }: CallOutcome & { readonly sent?: unknown },
  status: number | null = 422,
  operation: OperationId | null = 'orders.create',
): Decision {
  const body = sent === undefined ? null : JSON.stringify(sent);
  const { decision } = presentEntry(call(newJournal(), { operation, body }, { status, outcome: decided }));
  if (!decision) throw new Error('a completed call has a decision');
  return decision;
}

/** The decision of a body that the operation's schema refuses. */
function refused(id: OperationId, body: unknown, choices: Record<string, string> = {}): Decision {
  const assumptions = new Assumptions(resolveChoices(choices), []);
  const { body: schema }: Operation = operations[id];
  const parsed = schema?.(assumptions).safeParse(body, { reportInput: true });
  if (!parsed?.error) throw new Error('the body is refused');
  return shown({
    stage: 'bodySchema',
    refusal: new Refusal(brokenRulesOf(parsed.error, assumptions)),
    assumptions,
    sent: body,
  });
}

const address = (length: number) => orderWith({ 'shipping_address.address1': 'x'.repeat(length) });

describe('a refusal by length', () => {
  test('says how long the value was and what the contract allows', () => {
    const { sentence, rules, details, stage } = refused('orders.create', address(112));
    expect(sentence).toBe(
      'Rejected by ORD-15: address1 has 112 characters. address1 must have fewer than 100 characters.',
    );
    expect([stage, rules]).toEqual(['bodySchema', ['ORD-15']]);
    expect(details).toEqual([
      {
        rule: 'ORD-15',
        field: 'shipping_address.address1',
        came: `"${'x'.repeat(78)}… (112 characters)`,
        allowed: 'address1 must have fewer than 100 characters',
      },
    ]);
  });

  test.each([
    [
      'shipping_address.city',
      'x'.repeat(50),
      'Rejected by ORD-16: city has 50 characters. city must have fewer than 50 characters.',
    ],
    [
      'consumer.phone_number',
      `+${'1'.repeat(15)}`,
      'Rejected by ORD-13: phone_number has 16 characters. phone_number must have at most 15 characters.',
    ],
  ])('of %s', (field, value, sentence) => {
    expect(refused('orders.create', orderWith({ [field]: value })).sentence).toBe(sentence);
  });
});

describe('a refusal by the schema', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    [
      'a missing field',
      { consumer: undefined },
      'nothing',
      'Rejected by ORD-1: consumer is missing. An order must have a consumer.',
    ],
    [
      'a wrong value',
      { 'consumer.email': 'nobody' },
      '"nobody"',
      'Rejected by ORD-12: email is "nobody". email must be a valid email address.',
    ],
    [
      'a wrong type, in a list',
      { 'order_lines.0.duration': '30' },
      '"30"',
      'Rejected by OPEN-3: order_lines.0.duration is "30". The value must have the documented type.',
    ],
    [
      'an unknown field',
      { 'consumer.nick_name': null },
      'null',
      'Rejected by unknown_fields: nick_name is null. Only fields that the contract names are allowed.',
    ],
  ])('tells %s', (_, patches, came, sentence) => {
    const decision = refused('orders.create', orderWith(patches));
    expect(decision.details[0]?.came).toBe(came);
    expect(decision.sentence).toBe(sentence);
  });

  test('tells a body that is none', () => {
    expect(refused('orders.create', [1]).sentence).toBe(
      'Rejected by OPEN-6: the body is [1]. The body must be a JSON object.',
    );
  });

  test('tells an empty body from null', () => {
    const refusal = new Refusal([{ rule: 'OPEN-6', path: [], facts: { value: null } }]);
    expect(refused('orders.create', null).sentence).toMatch(/^Rejected by OPEN-6: the body is null\. /);
    expect(shown({ stage: 'bodySchema', refusal }).sentence).toBe(
      'Rejected by OPEN-6: the body is empty. The body must be a JSON object.',
    );
  });

  test('tells every fault that the answer tells, in order', () => {
    const body = orderWith({
      'shipping_address.city': undefined,
      'consumer.email': 'x',
      'shipping_address.address1': '',
    });
    const all = refused('orders.create', body);
    expect(all.rules).toEqual(['ORD-12', 'OPEN-4', 'ORD-14']);
    expect(all.details.map(({ field }) => field)).toEqual([
      'consumer.email',
      'shipping_address.address1',
      'shipping_address.city',
    ]);
    expect(all.sentence).toMatch(/^Rejected by ORD-12: email is "x"\. .* And 2 more errors\.$/);
    const first = refused('orders.create', body, { validation_report: 'first' });
    expect([first.rules, first.details.length, first.sentence.includes('more')]).toEqual([['ORD-12'], 1, false]);
  });

  test('explains the first twenty faults, and names every rule', () => {
    const order_lines = [...Array.from({ length: 30 }, () => ({})), { pouches: [] }];
    const { rules, details, sentence } = refused('orders.create', { ...validOrder, order_lines });
    expect([details.length, details.every(({ rule }) => rule === 'ORD-5')]).toEqual([20, true]);
    expect(rules).toEqual([...Array.from({ length: 20 }, () => 'ORD-5'), 'empty_arrays']);
    expect(sentence).toMatch(/^Rejected by ORD-5: order_lines\.0\.pouches is missing\. .* And 30 more errors\.$/);
  });

  test('never tells a secret, nor the name of a field as long as a body', () => {
    const numbers = refused('authentication.token', { username: 'demo', password: 123456789 });
    expect(JSON.stringify(numbers)).not.toContain('123456789');
    expect(numbers.details[0]).toMatchObject({
      rule: 'OPEN-3',
      field: 'password',
      came: expect.stringMatching(/^"\[redacted [0-9a-f]{8}\]"$/),
    });
    const nested = refused('authentication.token', { username: { token: 's3cret' }, password: { deep: 's3cret' } });
    expect(JSON.stringify(nested)).not.toContain('s3cret');
    const unknown = refused('authentication.token', { username: 'a', password: 'b', 'password=s3cret': 1 });
    expect(JSON.stringify(unknown)).not.toContain('s3cret');
    const long = refused('authentication.token', { username: 'a', password: 'b', ['x'.repeat(5000)]: 1 });
    expect(long.details[0]?.field).toBe(`${'x'.repeat(199)}…`);
  });
});

describe('a refusal by the domain', () => {
  test('tells the value in the body that its field names', () => {
    const body = { ...validOrder, consumer: { id: unknownId } };
    const refusal = new Refusal('ORD-11', { path: ['consumer', 'id'] });
    expect(shown({ stage: 'operation', refusal, sent: body }).sentence).toBe(
      `Rejected by ORD-11: id is "${unknownId}". ${catalogue['ORD-11'].requires}.`,
    );
  });

  test('tells the products that it names', () => {
    const refusal = new Refusal('ORD-19', { path: ['order_lines'], names: ['Night Calm'] });
    const { details, sentence } = shown({ stage: 'operation', refusal, sent: validOrder });
    expect(details[0]?.came).toBe('["Night Calm"]');
    expect(sentence).toBe(
      'Rejected by ORD-19: order_lines contains ["Night Calm"]. Every product in an order must be active.',
    );
  });

  test('without a field says what is required', () => {
    const { details, sentence, rules } = shown({ stage: 'token', refusal: new Refusal('AUTH-3') }, 401);
    expect(sentence).toBe(`Rejected by AUTH-3. ${catalogue['AUTH-3'].requires}.`);
    expect(details).toEqual([{ rule: 'AUTH-3', field: null, came: null, allowed: catalogue['AUTH-3'].requires }]);
    expect(rules).toEqual(['AUTH-3']);
  });

  test.each([
    ['path', { orderId: '42' }, ['orderId'], '"42"'],
    ['query', undefined, ['limit'], '"told"'],
  ] as const)('of the %s tells what came there, not what the body has under that name', (stage, params, path, came) => {
    const refusal = new Refusal('malformed_parameter', { path, value: 'told' });
    const sent = { orderId: 'x', limit: 'x' };
    expect(shown({ stage, refusal, params, sent }, 400).details[0]?.came).toBe(came);
    expect(shown({ stage, refusal }, 400).details[0]?.came).toBe('"told"');
  });
});

describe('a call that was not refused', () => {
  test('says its status, its operation and the assumptions that shaped it', () => {
    const asked = new Assumptions(resolveChoices({ order_created_status: '200' }), []);
    asked.get('order_created_status');
    const { sentence, assumptions, rules, details } = shown({ stage: 'operation', assumptions: asked }, 200);
    expect(sentence).toBe('Answered with 200 by orders.create. Assumed: order_created_status=200.');
    expect([assumptions, rules, details]).toEqual([{ order_created_status: '200' }, [], []]);
  });

  test('says no more than its status where there is no more', () => {
    expect(shown({ stage: 'operation' }, 201).sentence).toBe('Answered with 201 by orders.create.');
    expect(shown({ stage: 'storage' }, 200, null).sentence).toBe('Answered with 200.');
  });
});

describe('a call that faults met', () => {
  test.each<[string, Partial<CallOutcome>, number | null, string]>([
    [
      'is answered by the fault',
      { refusal: new Refusal('LIM-1'), isInjected: true },
      429,
      'Delayed by the fault slow. Answered with 429 by the rate_limit switch.',
    ],
    ['is broken by it', {}, null, 'Delayed by the fault slow. Connection cut by the rate_limit switch.'],
    [
      'is accepted all the same',
      {},
      201,
      'Delayed by the fault slow. Affected by the rate_limit switch. Answered with 201 by orders.create.',
    ],
    [
      'is refused by a rule all the same',
      { refusal: new Refusal('AUTH-5') },
      403,
      `Delayed by the fault slow. Affected by the rate_limit switch. Rejected by AUTH-5. ${catalogue['AUTH-5'].requires}.`,
    ],
    [
      'is refused, and its answer is lost',
      { refusal: new Refusal('AUTH-5'), isLost: true, cutBy: 'rate_limit' },
      403,
      `Delayed by the fault slow. Rejected by AUTH-5. ${catalogue['AUTH-5'].requires}. But the rate_limit switch cut the connection before the response was complete.`,
    ],
    [
      'is abandoned by its caller meanwhile',
      { refusal: new Refusal('LIM-1'), isInjected: true, isLost: true },
      429,
      'Delayed by the fault slow. Answered with 429 by the rate_limit switch, but the caller closed the connection before the response was complete.',
    ],
  ])('%s', (_, decided, status, sentence) => {
    const decision = shown({ stage: 'admission', faults: ['slow', 'rate_limit'], ...decided }, status);
    expect([decision.sentence, decision.faults]).toEqual([sentence, ['slow', 'rate_limit']]);
  });
});

test('an accepted call keeps no copy of its body, and the words are made only when they are read', () => {
  const asked = vi.spyOn(Assumptions.prototype, 'used', 'get');
  const assumptions = new Assumptions(resolveChoices(), []);
  const body = { id: known.product };
  const entry = call(newJournal(), { body: JSON.stringify(body) }, { outcome: { stage: 'operation', assumptions } });
  expect([asked.mock.calls.length, JSON.stringify(entry.answer?.decision).includes(known.product)]).toEqual([0, false]);
  presentEntry(entry);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
});
