// How the journal explains a call: rejections by the real schemas and by the domain, successes, and calls that faults affect.
import { describe, expect, test, vi } from 'vitest';
import type { RequestJson } from '../../../src/contract/control/requests.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import { brokenRulesOf, Refusal } from '../../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../../src/contract/resolved-assumptions.ts';
import { rules as catalogue } from '../../../src/contract/rules.ts';
import type { CallOutcome } from '../../../src/journal/decision.ts';
import { presentEntry } from '../../../src/journal/present.ts';
import { known, orderWith, validOrder } from '../../cases/requests.ts';
import { call, newJournal } from './calls.ts';

type Decision = NonNullable<RequestJson['decision']>;

/** What the journal shows of such a decision. */
function explained(
  { sent, ...outcome }: CallOutcome & { readonly sent?: unknown },
  status: number | null = 422,
  operation: OperationId | null = 'orders.create',
): Decision {
  const body = sent === undefined ? null : JSON.stringify(sent);
  const { decision } = presentEntry(call(newJournal(), { operation, body }, { status, outcome }));
  if (!decision) throw new Error('a completed call has a decision');
  return decision;
}

/** The explanation of a body that the schema of the operation rejects. */
function rejected(id: OperationId, body: unknown, choices: Record<string, string> = {}): Decision {
  const assumptions = new Assumptions(resolveChoices(choices), []);
  const { body: schema }: Operation = operations[id];
  const { error } = schema?.(assumptions).safeParse(body, { reportInput: true }) ?? {};
  if (!error) throw new Error('the body must be rejected');
  return explained({
    stage: 'bodySchema',
    refusal: new Refusal(brokenRulesOf(error, assumptions)),
    assumptions,
    sent: body,
  });
}

describe('a body that its schema rejects is explained', () => {
  test('because it is not an object, null or empty', () => {
    const rule = 'The body must be a JSON object.';
    expect(rejected('orders.create', [1]).sentence).toBe(`Rejected by OPEN-6: the body is [1]. ${rule}`);
    expect(rejected('orders.create', null).sentence).toBe(`Rejected by OPEN-6: the body is null. ${rule}`);
    const refusal = new Refusal([{ rule: 'OPEN-6', path: [], facts: { value: null } }]);
    const empty = explained({ stage: 'bodySchema', refusal });
    expect(empty.sentence).toBe(`Rejected by OPEN-6: the body is empty. ${rule}`);
  });

  test('with every error that the response contains, in its order, up to twenty', () => {
    const address = { 'shipping_address.city': undefined, 'shipping_address.address1': '' };
    const body = orderWith({ ...address, 'consumer.email': 'x' });
    const all = rejected('orders.create', body);
    const fields = ['consumer.email', 'shipping_address.address1', 'shipping_address.city'];
    const came = ['"x"', '""', 'nothing'];
    expect([all.details.map(({ field }) => field), all.details.map((one) => one.came)]).toEqual([fields, came]);
    expect(all.rules).toEqual(['ORD-12', 'OPEN-4', 'ORD-14']);
    expect(all.sentence).toMatch(/^Rejected by ORD-12: email is "x"\. .* And 2 more errors\.$/);
    const first = rejected('orders.create', body, { validation_report: 'first' });
    expect([first.rules, first.details.length, first.sentence.includes('more')]).toEqual([['ORD-12'], 1, false]);
    const order_lines = [...Array.from({ length: 30 }, () => ({})), { pouches: [] }];
    const { rules, details, sentence } = rejected('orders.create', { ...validOrder, order_lines });
    expect(details.map(({ rule }) => rule)).toEqual(Array(20).fill('ORD-5'));
    expect(rules).toEqual([...Array(20).fill('ORD-5'), 'empty_arrays']);
    expect(sentence).toMatch(/^Rejected by ORD-5: order_lines\.0\.pouches is missing\. .* And 30 more errors\.$/);
  });

  test('without secrets and without the long name of a field', () => {
    const login = { username: 'a', password: 'b' };
    const number = rejected('authentication.token', { ...login, password: 123456789 });
    const tag = expect.stringMatching(/^"\[redacted [0-9a-f]{8}\]"$/);
    expect(number.details[0]).toMatchObject({ rule: 'OPEN-3', field: 'password', came: tag });
    for (const secret of [{ username: { token: 's3cret' }, password: { deep: 's3cret' } }, { 'password=s3cret': 1 }])
      expect(JSON.stringify(rejected('authentication.token', { ...login, ...secret }))).not.toContain('s3cret');
    const long = rejected('authentication.token', { ...login, ['x'.repeat(5000)]: 1 });
    expect(long.details[0]?.field).toBe(`${'x'.repeat(199)}…`);
  });
});

test('a call that the domain rejects has the names of products', () => {
  const refusal = new Refusal('ORD-19', { path: ['order_lines'], names: ['Night Calm'] });
  const { details, sentence } = explained({ stage: 'operation', refusal, sent: validOrder });
  expect(details[0]?.came).toBe('["Night Calm"]');
  expect(sentence).toBe(
    'Rejected by ORD-19: order_lines contains ["Night Calm"]. Every product in an order must be active.',
  );
});

test('a reason says in short what came and what is allowed, without the rule', () => {
  const address = { 'shipping_address.address1': 'x'.repeat(121), 'shipping_address.city': 5 };
  const reasonFor = (body: unknown) => rejected('orders.create', body).reason;
  expect(reasonFor(orderWith({ 'shipping_address.address1': 'x'.repeat(121) }))).toBe(
    'address1 has 121 characters (max 99)',
  );
  expect(reasonFor(orderWith(address))).toBe('address1 has 121 characters (max 99). And 1 more error');
  expect(reasonFor(orderWith({ 'shipping_address.city': 5 }))).toBe('city is 5. "city" must be a string');
  expect(reasonFor(orderWith({ 'consumer.email': 'x' }))).toBe('email is "x". email must be a valid email address');
  const refusal = new Refusal('AUTH-3', { problem: 'the token expired' });
  const delayed = explained({ stage: 'token', refusal, faults: ['latency'] }, 401);
  expect(delayed.reason).toBe('the token expired. Delayed by the latency switch');
  expect(explained({ stage: 'operation' }, 201).reason).toBeNull();
});

test('a delayed call has its faults', () => {
  const injected = { refusal: new Refusal('LIM-1', { retryAfterSeconds: 1 }), isInjected: true };
  const rejectedByRule = { refusal: new Refusal('AUTH-5') };
  const lost = { isLost: true };
  const forbidden = `Rejected by AUTH-5. ${catalogue['AUTH-5'].requires}.`;
  const affected = 'Affected by the rate_limit switch.';
  const before = 'the connection before the response was complete.';
  const cases: readonly (readonly [Partial<CallOutcome>, number | null, string])[] = [
    [injected, 429, 'Answered with 429 by the rate_limit switch. Retry-After is 1.'],
    [{}, null, 'Connection cut by the rate_limit switch.'],
    [{}, 201, `${affected} Answered with 201 by orders.create.`],
    [rejectedByRule, 403, `${affected} ${forbidden}`],
    [{ ...rejectedByRule, ...lost, cutBy: 'rate_limit' }, 403, `${forbidden} But the rate_limit switch cut ${before}`],
    [
      { ...injected, ...lost },
      429,
      `Answered with 429 by the rate_limit switch, but the caller closed ${before} Retry-After is 1.`,
    ],
  ];
  for (const [outcome, status, sentence] of cases) {
    const decision = explained({ stage: 'admission', faults: ['slow', 'rate_limit'], ...outcome }, status);
    expect(decision.sentence).toBe(`Delayed by the fault slow. ${sentence}`);
    expect(decision.faults).toEqual(['slow', 'rate_limit']);
  }
});

test('an explanation is made only when it is read, and an accepted call keeps no copy of its body', () => {
  const used = vi.spyOn(Assumptions.prototype, 'used', 'get');
  const outcome = { stage: 'operation', assumptions: new Assumptions(resolveChoices(), []) } as const;
  const entry = call(newJournal(), { body: JSON.stringify({ id: known.product }) }, { outcome });
  expect(used).not.toHaveBeenCalled();
  expect(JSON.stringify(entry.answer?.decision)).not.toContain(known.product);
  presentEntry(entry);
  expect(used).toHaveBeenCalledTimes(1);
  used.mockRestore();
});
