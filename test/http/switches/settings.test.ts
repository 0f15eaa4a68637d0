// Setting switches with the control API: what is shown, replaced, rejected and turned off.
import { describe, expect, test } from 'vitest';
import { switchNames } from '../../../src/contract/control/switch-names.ts';
import { switchExamples } from '../../../src/contract/control/switches.ts';
import { controlled, everything } from '../../support/control.ts';
import { pagId, unknownId } from '../../support/order-requests.ts';
import { scenariosOf } from '../../support/scenarios.ts';
import { type SwitchesSent, testStage, times } from '../../support/stage.ts';

const off = Object.fromEntries(switchNames.map((name) => [name, null]));
const path = '/sandboxes/stage/switches';

const { off: _, ...examples } = switchExamples;
/** Settings of every switch. */
const all = {
  ...(Object.assign({}, ...Object.values(examples)) as SwitchesSent),
  token_expiry: { lifetime_seconds: 60 },
  rate_limit: { limit: 1000, window_seconds: 60 },
  inactive_pags: { all: true },
  label_expiry: { lifetime_seconds: 60 },
  missing_permission: { permissions: ['orders:write'] },
  server_error: { probability: 0 },
  latency: { milliseconds: 0, match: { operation: 'orders.list' } },
  connection: { drop: 'mid_body', burst: 1, match: { operation: 'orders.list' } },
  maintenance: { for_seconds: 60, match: { method: 'PUT' } },
} as const satisfies SwitchesSent;

describe('PATCH', () => {
  test('returns every switch as GET does, with settings and counts, replaces whole switches, and null turns off one at a time', async () => {
    const { admin } = controlled();
    expect((await admin('GET', path)).text).toBe(JSON.stringify(off));
    const { status, body } = await admin('PATCH', path, all);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...off,
      ...all,
      rate_limit: { ...all.rate_limit, hits: 0, remaining: 1000 },
      missing_permission: { ...all.missing_permission, hits: 0 },
      server_error: { ...all.server_error, hits: 0 },
      latency: { ...all.latency, hits: 0 },
      connection: { ...all.connection, hits: 0, remaining: 1 },
      maintenance: { ...all.maintenance, hits: 0, ends_at: '2026-11-20T12:01:00.000Z' },
    });
    expect((await admin('GET', path)).body).toEqual(body);
    body.rate_limit = { for_seconds: 60, hits: 0, ends_at: '2026-11-20T12:01:00.000Z' };
    body.latency = { min: 0, max: 1, hits: 0 };
    const next = { rate_limit: { for_seconds: 60 }, latency: { min: 0, max: 1 } };
    expect((await admin('PATCH', path, next)).body).toEqual(body);
    for (const name of switchNames) {
      body[name] = null;
      for (let n = 0; n < 2; n += 1) expect((await admin('PATCH', path, { [name]: null })).body, name).toEqual(body);
    }
  });

  test('leaves what it does not name, with its counts; the same setting again begins anew', async () => {
    const { stage, statuses } = await testStage();
    await stage.switches.set({ rate_limit: { burst: 3 }, server_error: { burst: 2 } });
    await statuses(1);
    await stage.switches.set({ server_error: { burst: 9 } });
    await stage.switches.set({});
    expect(await stage.switches.get()).toMatchObject({
      rate_limit: { burst: 3, hits: 1, remaining: 2 },
      server_error: { burst: 9, hits: 0 },
    });
    await stage.switches.set({ rate_limit: { burst: 3 }, server_error: null });
    expect(await statuses(4)).toEqual([429, 429, 429, 200]);
  });
});

test('DELETE turns all off at once, in this sandbox, and leaves faults, scenarios and assumptions', async () => {
  const { sachet, stage, statuses } = await testStage();
  await stage.scenarios.apply('maintenance');
  await stage.faults.create({ id: 'kept', status: 500, match: { method: 'PUT' } });
  await stage.assumptions.set({ next_cursor: 'meta' });
  await stage.switches.set({ ...all, maintenance: { for_seconds: 60 } });
  const production = sachet.control.sandbox('production');
  await production.switches.set({ server_error: {} });
  expect(await statuses(2)).toEqual([500, 500]);
  for (let n = 0; n < 2; n += 1) await stage.switches.clear();
  expect(await statuses(2)).toEqual(times(2, 200));
  expect(await stage.switches.get()).toEqual(off);
  expect((await production.switches.get()).server_error).toEqual({ hits: 0 });
  expect((await stage.faults.list()).faults.map(({ id }) => id)).toEqual(['kept']);
  expect((await stage.assumptions.get()).next_cursor).toBe('meta');
  const applied = (await stage.scenarios.list()).scenarios.filter(({ applied_at }) => applied_at !== null);
  expect(applied.map(({ name }) => name)).toEqual(['maintenance']);
});

test('a scenario whose switches or faults would be more than 200 overrides is rejected whole', async () => {
  const put = { status: 500, match: { method: 'PUT' } } as const;
  const scenarios = scenariosOf({
    faulty: { faults: [put, put] },
    limiting: { switches: { rate_limit: { burst: 1 } } },
  });
  const { stage } = await testStage({ scenarios });
  for (let n = 0; n < 199; n += 1) await stage.faults.create(put);
  const { faults } = await stage.faults.list();
  const most = { status: 422, message: expect.stringContaining('already has 200 active switches and faults') };
  await expect(stage.scenarios.apply('faulty')).rejects.toMatchObject(most);
  expect(await stage.faults.list()).toEqual({ faults });
  await stage.scenarios.apply('limiting');
  await stage.scenarios.take_back('limiting');
  await stage.faults.create(put);
  await expect(stage.scenarios.apply('limiting')).rejects.toMatchObject(most);
  expect(await stage.switches.get()).toEqual(off);
});

describe('invalid settings', () => {
  const invalid: readonly [switches: unknown, field: string][] = [
    [[], ''],
    [{ rate_limit: {} }, 'rate_limit'],
    [{ rate_limit: { burst: 0 } }, 'rate_limit.burst'],
    [{ rate_limit: { burst: 1, for_seconds: 1 } }, 'rate_limit'],
    [{ rate_limit: { limit: -1, window_seconds: 1 } }, 'rate_limit.limit'],
    [{ rate_limit: { limit: 1, window_seconds: 0 } }, 'rate_limit.window_seconds'],
    [{ rate_limit: { for_seconds: 315_360_001 } }, 'rate_limit.for_seconds'],
    [{ rate_limit: { burst: 1, retry_after: -1 } }, 'rate_limit.retry_after'],
    [{ connection: { drop: 'before_processing', after: 'success' } }, 'connection.after'],
    [{ connection: { drop: 'mid_body', burst: 1, probability: 0.5 } }, 'connection'],
    [{ token_expiry: { match: { method: 'GET' } } }, 'token_expiry'],
    [{ token_expiry: { expire_issued: false } }, 'token_expiry.expire_issued'],
    [{ token_expiry: { lifetime_seconds: 315_360_001 } }, 'token_expiry.lifetime_seconds'],
    [{ label_expiry: { lifetime_seconds: 604_801 } }, 'label_expiry.lifetime_seconds'],
    [{ inactive_pags: { all: false } }, 'inactive_pags.all'],
    [{ inactive_pags: { ids: [pagId(1), unknownId] } }, 'inactive_pags.ids[1]'],
    [{ inactive_pags: { all: true, ids: [pagId(1)] } }, 'inactive_pags'],
    [{ missing_permission: { permissions: ['orders:write', 'orders:delete'] } }, 'missing_permission.permissions[1]'],
    [{ server_error: { burst: 1, probability: 1 } }, 'server_error'],
    [{ server_error: { probability: 1.01 } }, 'server_error.probability'],
    [{ latency: { probability: 1 } }, 'latency'],
    [{ latency: { min: 5, max: 4 } }, 'latency.max'],
    [{ latency: { milliseconds: 3_600_001 } }, 'latency.milliseconds'],
    [{ maintenance: { for_seconds: 0 } }, 'maintenance.for_seconds'],
    [{ server_error: { match: { operation: 'orders.delete' } } }, 'server_error.match.operation'],
    [{ server_error: { match: { path: '/sandboxes/stage/v2/orders' } } }, 'server_error.match.path'],
    [{ server_error: { match: { status: 200 } } }, 'server_error.match'],
  ];

  test('are 422 with the field, what was found and what is expected; nothing changes', async () => {
    const server = controlled();
    await server.admin('PATCH', path, { maintenance: { for_seconds: 60 } });
    const { versions } = await everything(server);
    for (const [body, field] of invalid) {
      const answer = await server.admin('PATCH', path, body);
      const [{ message }] = answer.body.details;
      const whole = field === '' ? message : `${field}: ${message}`;
      expect(answer.body, answer.text).toMatchObject({ statusCode: 422, message: whole, details: [{ field }] });
      expect(message).toMatch(/^found .+, expected .+/);
    }
    const several = { rate_limit: { burst: 0 }, latency: { min: 5, max: 4 }, connection: {}, maintenance: 5 };
    const { details } = (await server.admin('PATCH', path, { server_error: {}, ...several })).body;
    const fields = details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['rate_limit.burst', 'latency.max', 'connection.drop', 'maintenance']);
    expect((await everything(server)).versions).toEqual(versions);
  });

  test('are not the largest and smallest that are allowed', async () => {
    const { admin } = controlled();
    for (const body of [
      { rate_limit: { burst: 1_000_000, retry_after: 315_360_000 } },
      { rate_limit: { limit: 1_000_000, window_seconds: 315_360_000 } },
      { token_expiry: { lifetime_seconds: 315_360_000 } },
      { label_expiry: { lifetime_seconds: 604_800 } },
      { latency: { min: 0, max: 3_600_000, probability: 0 } },
      { latency: { milliseconds: 0.25 } },
      { maintenance: { for_seconds: 315_360_000 } },
      { server_error: { match: { path: '/v2/orders/{whatever}/cancel', body: [null] } } },
      { server_error: { match: {} } },
    ])
      expect((await admin('PATCH', path, body)).body).toMatchObject(body);
  });
});
