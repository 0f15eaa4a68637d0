// Turning switches over the control API: each named one is replaced whole, null turns it off, DELETE turns all off; what is shown.
import { describe, expect, test } from 'vitest';
import { switchNames } from '../../../src/contract/control/switch-names.ts';
import { switchExamples } from '../../../src/contract/control/switches.ts';
import { bent, type SwitchesSent, times } from '../../support/bent.ts';
import { controlled } from '../../support/control.ts';

const off = Object.fromEntries(switchNames.map((name) => [name, null]));
const path = '/sandboxes/stage/switches';

const { off: _, ...examples } = switchExamples;
/** Every switch on, with these settings or those of its example. */
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

test('at first every switch is off, and each stands there by its name in the order of the docs', async () => {
  const { text } = await controlled().admin('GET', path);
  expect(text).toBe(JSON.stringify(off));
});

test('a PATCH answers with every switch as GET shows it, settings and counts', async () => {
  const { admin } = controlled();
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
});

describe('a PATCH', () => {
  test.each<[string, SwitchesSent, SwitchesSent]>([
    ['rate_limit', { rate_limit: { burst: 3, retry_after: 5 } }, { rate_limit: { for_seconds: 60 } }],
    ['latency', { latency: { milliseconds: 0, probability: 0.5 } }, { latency: { min: 0, max: 1 } }],
    ['server_error', { server_error: { burst: 1, match: { method: 'PUT' } } }, { server_error: { probability: 0 } }],
    [
      'inactive_pags',
      { inactive_pags: { ids: ['30000000-0000-4000-8000-000000000001'] } },
      { inactive_pags: all.inactive_pags },
    ],
    [
      'token_expiry',
      { token_expiry: { expire_issued: true, lifetime_seconds: 1 } },
      { token_expiry: { lifetime_seconds: 2 } },
    ],
  ])('replaces %s whole: nothing of the former setting is left', async (name, former, next) => {
    const [one, fresh] = [controlled(), controlled()];
    await one.admin('PATCH', path, former);
    await one.admin('PATCH', path, next);
    await fresh.admin('PATCH', path, next);
    const shown = (await one.admin('GET', path)).body[name];
    expect(shown).toEqual((await fresh.admin('GET', path)).body[name]);
  });

  test('leaves what it does not name as it is, counts too', async () => {
    const { stage, statuses } = await bent();
    await stage.switches.set({ rate_limit: { burst: 3 }, server_error: { burst: 2 } });
    await statuses(1);
    await stage.switches.set({ server_error: { burst: 9 } });
    await stage.switches.set({});
    expect(await stage.switches.get()).toMatchObject({
      rate_limit: { burst: 3, hits: 1, remaining: 2 },
      server_error: { burst: 9, hits: 0 },
    });
  });

  test('with the same burst begins it anew', async () => {
    const { stage, statuses } = await bent();
    for (let n = 0; n < 2; n += 1) {
      await stage.switches.set({ rate_limit: { burst: 2 } });
      expect(await statuses(1)).toEqual([429]);
    }
    expect(await statuses(3)).toEqual([429, 200, 200]);
  });

  test.each(switchNames)('with null turns %s off and leaves the others', async (name) => {
    const { admin } = controlled();
    const before = (await admin('PATCH', path, all)).body;
    const { body } = await admin('PATCH', path, { [name]: null });
    expect(body).toEqual({ ...before, [name]: null });
    expect((await admin('PATCH', path, { [name]: null })).body).toEqual(body);
  });

  test('that is good in one switch and not in another turns neither', async () => {
    const { admin } = controlled();
    const answer = await admin('PATCH', path, { rate_limit: { burst: 1 }, latency: { milliseconds: -1 } });
    expect([answer.status, (await admin('GET', path)).body]).toEqual([422, off]);
  });
});

describe('DELETE', () => {
  test('turns all off, however often, and leaves faults, scenarios and readings', async () => {
    const { admin, sachet } = controlled();
    const stage = sachet.control.sandbox('stage');
    await stage.scenarios.apply('maintenance');
    await stage.faults.create({ id: 'kept', status: 500, match: { method: 'PUT' } });
    await stage.assumptions.set({ next_cursor: 'meta' });
    await admin('PATCH', path, all);
    for (let n = 0; n < 2; n += 1) expect((await admin('DELETE', path)).status).toBe(204);
    expect((await admin('GET', path)).body).toEqual(off);
    expect((await stage.faults.list()).faults.map(({ id }) => id)).toEqual(['kept']);
    expect((await stage.assumptions.get()).next_cursor).toBe('meta');
    const applied = (await stage.scenarios.list()).scenarios.filter(({ applied_at }) => applied_at !== null);
    expect(applied.map(({ name }) => name)).toEqual(['maintenance']);
  });

  test('lets a call pass at once that was refused a call before', async () => {
    const { stage, statuses } = await bent();
    await stage.switches.set({ maintenance: { for_seconds: 60 }, rate_limit: { for_seconds: 60 }, server_error: {} });
    expect(await statuses(2)).toEqual([500, 500]);
    await stage.switches.clear();
    expect(await statuses(2)).toEqual(times(2, 200));
  });
});

describe('what it turns in one sandbox', () => {
  test('is no switch of another, and a one-shot one is used up in its own alone', async () => {
    const { sachet, stage, statuses } = await bent();
    const others = [await sachet.login('demo+w7'), await sachet.login('demo', { base: '/sandboxes/production' })];
    await stage.switches.set({ server_error: { burst: 2 } });
    for (const client of others) expect((await client.get('/v2/products')).status).toBe(200);
    for (const name of ['w7', 'production']) expect(await sachet.control.sandbox(name).switches.get()).toEqual(off);
    expect(await statuses(3)).toEqual([500, 500, 200]);
  });

  test('does not come with a sandbox that is made under it', async () => {
    const { sachet, stage } = await bent();
    await stage.switches.set({ server_error: {}, inactive_pags: { all: true } });
    await sachet.control.create({ name: 'team' });
    expect(await sachet.control.sandbox('team').switches.get()).toEqual(off);
    expect((await (await sachet.login('demo', { base: '/sandboxes/team' })).get('/v2/products')).status).toBe(200);
  });
});
