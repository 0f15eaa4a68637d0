// Faults over the control API: their statuses and rules, their ids, their hits, and which are rejected.
import { describe, expect, test } from 'vitest';
import { refusalsOf } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { errorOf } from '../cases/assumptions/choices.ts';
import { controlled } from '../support/control.ts';
import { type FaultSent, testStage } from '../support/stage.ts';

describe('a status', () => {
  test('has the error body of the contract (HTTP-3), its rule, and a challenge with 401', async () => {
    const { stage, client } = await testStage({ assumptions: { unauthorized_message: 'Invalid token' } });
    for (const [status, message, rule] of [
      [400, 'Bad Request', 'fault_400'],
      [401, 'Token expired', 'AUTH-3'],
      [403, 'Insufficient permissions', 'AUTH-5'],
      [404, 'Not Found', 'fault_404'],
      [422, 'Unprocessable Entity', 'fault_422'],
      [429, 'Too Many Requests', 'LIM-1'],
      [500, 'An internal server error occurred', 'HTTP-3'],
      [502, 'Bad Gateway', 'fault_502'],
      [503, 'Service Unavailable', 'fault_503'],
      [504, 'Gateway Timeout', 'fault_504'],
    ] as const) {
      await stage.faults.create({ id: 'it', status, times: 1 });
      const { headers, body } = await client.get('/v2/products');
      expect(body).toEqual(errorOf(status, message));
      expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')], message).toEqual([rule, 'it']);
      expect(headers.get('retry-after'), message).toBe(status === 429 ? '60' : null);
      expect(headers.get('www-authenticate'), message).toBe(status === 401 ? 'Bearer error="invalid_token"' : null);
      await stage.faults.delete('it');
    }
  });

  test('429 has the given retry_after, or the seconds that are left', async () => {
    const retryAfter = async (fault: FaultSent, milliseconds = 0) => {
      const { stage, client, elapse } = await testStage();
      await stage.faults.create({ status: 429, ...fault });
      await elapse(milliseconds);
      return (await client.get('/v2/products')).headers.get('retry-after');
    };
    expect(await retryAfter({ retry_after: 0 })).toBe('0');
    expect(await retryAfter({ retry_after: 315_360_000 })).toBe('315360000');
    expect(await retryAfter({ for_seconds: 10 }, 7001)).toBe('3');
  });
});

describe('a rule', () => {
  test('answers as the rule would, only to operations that can break it', async () => {
    const { stage, status, order, stored } = await testStage();
    const before = await stored();
    await stage.faults.create({ id: 'no-pag', rule: 'ORD-21', times: 1 });
    expect(await status()).toBe(200);
    const { body, headers } = await order();
    const message = 'No Packaging Asset Group ID found for the order line';
    expect(body).toEqual(errorOf(422, message, [['order_lines.0', message]]));
    expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')]).toEqual(['ORD-21', 'no-pag']);
    expect(await stored()).toBe(before);
    expect((await order()).status).toBe(201);
  });

  test('has the status and message of its rule, by the assumptions of the sandbox', async () => {
    const ofBusiness = { business_rule_status: 'per_kind', validation_placement: 'message' } as const;
    const pouch = 'order_lines.0.pouches.0.contents.0.client_product_id';
    for (const [rule, assumptions, status, message, field] of [
      ['ORD-12', {}, 422, /^"email" must be a valid email$/, 'consumer.email'],
      ['ORD-19', {}, 422, /^The following client products are inactive and cannot be ordered: \S/, 'order_lines'],
      ['AUTH-5', {}, 403, /^Insufficient permissions$/, undefined],
      ['ORD-18', ofBusiness, 403, /^Product does not belong to client$/, undefined],
      ['unknown_fields', { unknown_fields: 'ignore' }, 422, /^Unprocessable Entity$/, undefined],
      ['ORD-26', { pouch_both: 'documented' }, 422, /^"value" contains a conflict between exclusive peers/, undefined],
      ['ORD-8', { time_of_administration: 'closed' }, 422, /^"client_product_id" must be a valid GUID$/, pouch],
    ] as const) {
      const { stage, order } = await testStage({ assumptions });
      if (rule === 'ORD-8') await stage.singles.administration_times.update({ values: ['Dusk'] });
      await stage.faults.create({ rule, match: { operation: 'orders.create' } });
      const { body } = await order();
      expect([body.statusCode, body.message, body.details?.[0]?.field]).toEqual([
        status,
        expect.stringMatching(message),
        field,
      ]);
    }
  });

  test('has a response for each rule that an operation can break', async () => {
    const { stage, order } = await testStage();
    const wrong = [];
    for (const rule of refusalsOf(operations['orders.create'])) {
      await stage.faults.create({ id: 'each', rule });
      const { body, headers } = await order();
      const [found] = headers.get('sandbox-rule')?.split(', ') ?? [];
      if (found !== rule || typeof body.message !== 'string') wrong.push([rule, found, body.message]);
      await stage.faults.delete('each');
    }
    expect(wrong).toEqual([]);
  });
});

describe('ids', () => {
  test('are counted, skip those that are taken, and are per sandbox', async () => {
    const { sachet, stage } = await testStage();
    const create = async (id?: string) => (await stage.faults.create({ status: 500, ...(id && { id }) })).id;
    expect([await create(), await create('fault-2'), await create()]).toEqual(['fault-1', 'fault-2', 'fault-3']);
    await stage.faults.delete('fault-3');
    expect(await create()).toBe('fault-4');
    await sachet.control.sandbox('production').faults.create({ id: 'fault-2', status: 500 });
  });

  test('that are taken are rejected with 409, and their fault stays as it is', async () => {
    const { stage, status } = await testStage();
    await stage.faults.create({ id: 'mine', status: 404, times: 3 });
    await status();
    const before = await stage.faults.list();
    const rejected = { status: 409, message: expect.stringContaining('"mine"') };
    await expect(stage.faults.create({ id: 'mine', status: 500 })).rejects.toMatchObject(rejected);
    expect(await stage.faults.list()).toEqual(before);
    await stage.faults.delete('mine');
    expect(await stage.faults.create({ id: 'mine', status: 500 })).toMatchObject({ status: 500, hits: 0 });
  });

  test('that are unknown are 404, with those that are available; switches are not among them', async () => {
    const { stage } = await testStage();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 0 } });
    await stage.switches.set({ server_error: {} });
    for (const id of ['fast', 'server_error']) {
      const rejected = { status: 404, message: expect.stringContaining(`There is no fault "${id}"; available: slow`) };
      await expect(stage.faults.get(id)).rejects.toMatchObject(rejected);
      await expect(stage.faults.delete(id)).rejects.toMatchObject(rejected);
    }
  });
});

test('a fault is listed as it was created, with its hits and what remains, until it is deleted or reset', async () => {
  const { stage, client, status, statuses } = await testStage();
  const some = { id: 'some', status: 500, times: 5, for_seconds: 60, match: { path: '/v2/products' } } as const;
  const never = { id: 'never', status: 500, match: { method: 'PUT' } } as const;
  expect(await stage.faults.create(some)).toMatchObject({ ...some, hits: 0, remaining: 5 });
  await stage.faults.create(never);
  for (const path of ['/v2/products', '/v2/orders', '/v2/products']) await client.get(path);
  const stored = { ...some, hits: 2, remaining: 3, ends_at: '2026-11-20T12:01:00.000Z' };
  expect((await stage.faults.list()).faults).toEqual([stored, { ...never, hits: 0 }]);
  expect(await stage.faults.get('some')).toEqual(stored);
  await stage.faults.delete('some');
  expect(await statuses(2)).toEqual([200, 200]);
  await stage.faults.create({ status: 404 });
  expect(await status()).toBe(404);
  await stage.reset();
  expect([await stage.faults.list(), await status()]).toEqual([{ faults: [] }, 200]);
});

/** The start of the message, if it says more than the schema of the field. */
type Rejected = readonly [sent: object, field: string, message?: string];
const rejected: readonly Rejected[] = [
  [{}, ''],
  [{ match: {} }, ''],
  [{ id: 'x', status: 500, drop: 'mid_body' }, ''],
  [{ status: '500' }, 'status'],
  [{ status: 200 }, 'status'],
  [{ status: 501 }, 'status', 'found 501, expected one of 400, 401, 403, 404, 422, 429, 500, 502, 503, 504'],
  [{ rule: 'unknown_host' }, 'rule'],
  [
    { rule: 'LIM-1' },
    'rule',
    'found "LIM-1", expected a rule that a request can break; .*for a 429 or a 500, set "status"$',
  ],
  [{ rule: 'ORD-99' }, 'rule', 'found "ORD-99", expected a rule that a request can break; .*Did you mean "ORD-9"\\?$'],
  [{ rule: 'ORD-21', status: 422 }, ''],
  [{ rule: 'ORD-21', drop: 'mid_body' }, ''],
  [
    { rule: 'ORD-21', match: { operation: 'fulfillments.list' } },
    'rule',
    'found "ORD-21", expected a rule that fulfillments.list can break: .*AUTH-3',
  ],
  [{ status: 429, retry_after: -1 }, 'retry_after'],
  [{ status: 500, retry_after: 5 }, 'retry_after', 'found 5, expected no retry_after unless status is 429$'],
  [{ delay: {} }, 'delay'],
  [{ delay: { min: 2, max: 1 } }, 'delay', 'found 1, expected a max that is not less than min$'],
  [{ delay: { min: 1, max: 2, milliseconds: 3 } }, 'delay'],
  [{ delay: { median: 5 } }, 'delay'],
  [{ delay: { median: 5, sigma: 6 } }, 'delay'],
  [{ delay: { milliseconds: 3_600_001 } }, 'delay'],
  [{ status: 500, times: 0 }, 'times'],
  [{ drop: 'mid_body', times: 1.5 }, 'times', 'found 1.5, expected a whole number$'],
  [{ status: 500, after: 0 }, 'after'],
  [{ status: 500, after: 'success' }, 'after'],
  [{ drop: 'before_processing', after: 'success' }, 'after'],
  [{ drop: 'mid_body', after: 'success', delay: { milliseconds: 1 } }, 'after'],
  [{ drop: 'mid_body', after: 'failure' }, 'after'],
  [{ status: 500, for_seconds: 0.5 }, 'for_seconds'],
  [{ status: 500, probability: 2 }, 'probability'],
  [{ status: 500, match: { operation: 'orders.remove' } }, 'match.operation'],
  [{ status: 500, match: { path: 'x' } }, 'match.path', 'found "x", expected a path of the contract such as'],
  [{ status: 500, id: 'Mine' }, 'id'],
  [{ status: 500, id: 'latency' }, 'id'],
  [{ status: 500, hits: 3 }, ''],
];

test('a fault that is not valid is rejected by its field, with the value and what is allowed', async () => {
  const { sachet, admin } = controlled();
  const { version } = await sachet.sandbox();
  for (const [sent, field, message = ''] of rejected) {
    const { status, body } = await admin('POST', '/sandboxes/stage/faults', sent);
    const found = [status, body.details?.[0]?.field, body.details?.[0]?.message];
    const at = expect.stringMatching(field === '' ? '^$' : `^${field}(?:\\.|$)`);
    expect(found, JSON.stringify(sent)).toEqual([422, at, expect.stringMatching(`^${message}`)]);
  }
  expect((await sachet.sandbox()).version).toBe(version);
});
