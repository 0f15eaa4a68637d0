// Faults over the control API: added, shown with their hits, taken out; ids; what an answer says that one shaped.
import { describe, expect, test } from 'vitest';
import { refusalsOf } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { errorOf } from '../support/assumption-cases.ts';
import { bent, times } from '../support/bent.ts';
import { controlled } from '../support/control.ts';

const path = '/sandboxes/stage/faults';

describe('a status', () => {
  test.each([
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
  ] as const)('%i is the whole error body of the contract (HTTP-3): %s', async (status, message, rule) => {
    const { stage, client } = await bent();
    await stage.faults.create({ id: 'the-fault', status });
    const { headers, ...answer } = await client.get('/v2/products');
    expect([answer.status, answer.body]).toEqual([status, errorOf(status, message)]);
    expect([headers.get('sandbox-fault'), headers.get('sandbox-rule')]).toEqual(['the-fault', rule]);
    expect(headers.get('retry-after')).toBe(status === 429 ? '60' : null);
  });

  test('401 has a challenge, but not for a login', async () => {
    const { stage, sachet, client } = await bent();
    await stage.faults.create({ status: 401 });
    const [called, login] = [await client.get('/v2/products'), await sachet.call('POST', '/v2/authentication/token')];
    const challenge = ({ headers }: typeof called) => headers.get('www-authenticate');
    expect([called.status, challenge(called)]).toEqual([401, 'Bearer error="invalid_token"']);
    expect([login.status, challenge(login), login.body]).toEqual([401, null, errorOf(401, 'Token expired')]);
  });

  test.each([0, 1, 315_360_000])('429 may have its own retry_after: %i', async (retry_after) => {
    const { stage, client } = await bent();
    await stage.faults.create({ status: 429, retry_after });
    expect((await client.get('/v2/products')).headers.get('retry-after')).toBe(String(retry_after));
  });

  test('429 for a time says the seconds that are left', async () => {
    const { stage, client, elapse } = await bent();
    await stage.faults.create({ status: 429, for_seconds: 10 });
    await elapse(7001);
    expect((await client.get('/v2/products')).headers.get('retry-after')).toBe('3');
  });

  test('is the same by every reading that moves messages', async () => {
    const assumptions = { validation_placement: 'details', unauthorized_message: 'Invalid token' } as const;
    const { stage, client } = await bent({ assumptions });
    await stage.faults.create({ status: 401, times: 1 });
    await stage.faults.create({ status: 422 });
    const bodies = [(await client.get('/v2/products')).body, (await client.get('/v2/products')).body];
    expect(bodies).toEqual([errorOf(401, 'Token expired'), errorOf(422, 'Unprocessable Entity')]);
  });

  test('stores nothing of the order that it answers', async () => {
    const { stage, order, stored } = await bent();
    const before = await stored();
    await stage.faults.create({ status: 422, times: 1 });
    expect([(await order()).status, await stored()]).toEqual([422, before]);
    expect((await order()).status).toBe(201);
  });
});

describe('a rule', () => {
  test('answers as the rule would, only to operations that can break it, with its name in the headers', async () => {
    const { stage, client, order, stored } = await bent();
    const before = await stored();
    await stage.faults.create({ id: 'no-pag', rule: 'ORD-21', times: 1 });
    expect((await client.get('/v2/products')).status).toBe(200);
    const { status, body, headers } = await order();
    const message = 'No Packaging Asset Group ID found for the order line';
    expect([status, body]).toEqual([422, errorOf(422, message, [['order_lines.0', message]])]);
    expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')]).toEqual(['ORD-21', 'no-pag']);
    expect(await stored()).toBe(before);
    expect((await order()).status).toBe(201);
  });

  test.each([
    ['ORD-12', /^"email" must be a valid email$/, 'consumer.email'],
    ['ORD-19', /^The following client products are inactive and cannot be ordered: \S/, 'order_lines'],
    ['ORD-11', /^Consumer not found$/, 'consumer.id'],
    ['AUTH-5', /^Insufficient permissions$/, undefined],
  ] as const)('%s has its own words and field', async (rule, message, field) => {
    const { stage, order } = await bent();
    await stage.faults.create({ rule, match: { operation: 'orders.create' } });
    const { body, headers } = await order();
    expect(body.message).toMatch(message);
    expect(body.details?.[0]?.field).toBe(field);
    expect(headers.get('sandbox-rule')).toBe(rule);
  });

  test('follows the assumptions of the sandbox', async () => {
    const assumptions = { business_rule_status: 'per_kind', validation_placement: 'message' } as const;
    const { stage, order } = await bent({ assumptions });
    await stage.faults.create({ rule: 'ORD-18' });
    expect((await order()).body).toEqual(errorOf(403, 'Product does not belong to client'));
  });

  test('that the operation cannot break is refused with those that it can', async () => {
    const { stage } = await bent();
    const refused = stage.faults.create({ rule: 'ORD-21', match: { operation: 'fulfillments.list' } });
    await expect(refused).rejects.toThrow(
      /found "ORD-21", expected a rule that fulfillments\.list can break: .*AUTH-3/,
    );
  });

  test.each([
    ['LIM-1', /for a 429 or a 500, set "status"$/],
    ['ORD-99', /Did you mean "ORD-9"\?$/],
  ])('%s, which no request can break, is refused with what to do', async (rule, words) => {
    const { stage } = await bent();
    const refused = stage.faults.create({ rule } as never);
    await expect(refused).rejects.toThrow(`found "${rule}", expected a rule that a request can break; `);
    await expect(refused).rejects.toThrow(words);
  });

  test('that the assumptions turn off gives its status', async () => {
    const { stage, order } = await bent({ assumptions: { unknown_fields: 'ignore' } });
    await stage.faults.create({ rule: 'unknown_fields', match: { operation: 'orders.create' } });
    expect((await order()).body).toEqual(errorOf(422, 'Unprocessable Entity'));
  });

  test('breaks nothing else in a sandbox with its own times of administration', async () => {
    const { stage, order } = await bent({ assumptions: { time_of_administration: 'closed' } });
    await stage.singles.administration_times.update({ values: ['Dusk'] });
    await stage.faults.create({ rule: 'ORD-8', match: { operation: 'orders.create' } });
    const message = '"client_product_id" must be a valid GUID';
    const field = 'order_lines.0.pouches.0.contents.0.client_product_id';
    expect((await order()).body).toEqual(errorOf(422, message, [[field, message]]));
  });

  test('that no request can break under the assumptions has its words, about "value"', async () => {
    const { stage, order } = await bent({ assumptions: { pouch_both: 'documented' } });
    await stage.faults.create({ rule: 'ORD-26', match: { operation: 'orders.create' } });
    const message = '"value" contains a conflict between exclusive peers [contents, pack_id]';
    expect((await order()).body).toEqual(errorOf(422, message));
  });

  test('every rule that an operation can break has an answer', async () => {
    const { stage, client } = await bent();
    for (const rule of refusalsOf(operations['orders.create'])) {
      await stage.faults.create({ id: 'each', rule });
      const { body, headers } = await client.post('/v2/orders', {});
      expect([rule, headers.get('sandbox-rule')?.split(', ')[0], typeof body.message]).toEqual([rule, rule, 'string']);
      await stage.faults.delete('each');
    }
  });
});

describe('ids', () => {
  test('are counted where none is given, and pass by those that are taken', async () => {
    const { admin } = controlled();
    const made = async (body: object) => (await admin('POST', path, body)).body.id;
    expect(await made({ status: 500 })).toBe('fault-1');
    expect(await made({ id: 'fault-2', status: 500 })).toBe('fault-2');
    expect(await made({ status: 500 })).toBe('fault-3');
    expect((await admin('DELETE', `${path}/fault-3`)).status).toBe(204);
    expect(await made({ status: 500 })).toBe('fault-4');
  });

  test('that are taken are refused with 409, and the fault that has it stays as it is', async () => {
    const { admin, sachet } = controlled();
    await admin('POST', path, { id: 'mine', status: 404, times: 3 });
    await sachet.call('GET', '/v2/products');
    const before = (await admin('GET', path)).body;
    const { status, body } = await admin('POST', path, { id: 'mine', status: 500 });
    expect([status, body.message]).toEqual([409, expect.stringContaining('"mine"')]);
    expect((await admin('GET', path)).body).toEqual(before);
    await admin('DELETE', `${path}/mine`);
    expect((await admin('POST', path, { id: 'mine', status: 500 })).body).toMatchObject({ status: 500, hits: 0 });
  });

  test('of one sandbox may be those of another', async () => {
    const { admin } = controlled();
    for (const name of ['stage', 'production'])
      expect((await admin('POST', `/sandboxes/${name}/faults`, { id: 'same', status: 500 })).status).toBe(201);
  });

  test('that are not there are 404, and those that are there are named', async () => {
    const { admin } = controlled();
    await admin('POST', path, { id: 'slow', delay: { milliseconds: 0 } });
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await admin(method, `${path}/fast`);
      expect([status, body.message]).toEqual([404, 'There is no fault "fast"; available: slow']);
    }
  });

  test('of switches are none of faults', async () => {
    const { admin } = controlled();
    await admin('PATCH', '/sandboxes/stage/switches', { server_error: {} });
    expect((await admin('GET', path)).body).toEqual({ faults: [] });
    expect((await admin('GET', `${path}/server_error`)).status).toBe(404);
    expect((await admin('DELETE', `${path}/server_error`)).status).toBe(404);
  });
});

describe('what is shown', () => {
  test('is the fault as it was given, its hits, and what remains: 0 hits for one that matched nothing', async () => {
    const { stage, client } = await bent();
    const given = { id: 'some', status: 500, times: 5, for_seconds: 60, match: { path: '/v2/products' } } as const;
    const never = { id: 'never', status: 500, match: { method: 'PUT' } } as const;
    expect(await stage.faults.create(given)).toMatchObject({ ...given, hits: 0, remaining: 5 });
    await stage.faults.create(never);
    for (const path of ['/v2/products', '/v2/orders', '/v2/products']) await client.get(path);
    const ends_at = '2026-11-20T12:01:00.000Z';
    expect((await stage.faults.list()).faults).toEqual([
      { ...given, hits: 2, remaining: 3, ends_at },
      { ...never, hits: 0 },
    ]);
    expect(await stage.faults.get('some')).toEqual({ ...given, hits: 2, remaining: 3, ends_at });
  });

  test('is none of it after a reset', async () => {
    const { stage, status } = await bent();
    await stage.faults.create({ status: 500 });
    await stage.reset();
    expect([await stage.faults.list(), await status()]).toEqual([{ faults: [] }, 200]);
  });
});

test('one that is taken out meets no more', async () => {
  const { stage, statuses } = await bent();
  await stage.faults.create({ id: 'gone', status: 404 });
  expect(await statuses(2)).toEqual(times(2, 404));
  await stage.faults.delete('gone');
  expect(await statuses(2)).toEqual(times(2, 200));
});
