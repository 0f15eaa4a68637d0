// Shipped scenarios with their correct clients, the layers that applied scenarios are, and sandboxes that start with scenarios.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlled, failureOf, machineAt } from '../support/control.ts';
import { someOrder } from '../support/order-requests.ts';
import { isReplicated, noon, scenarios, type TestSachet, testSachet } from '../support/sachet.ts';
import { scenariosOf, stageWithScenarios, stateOf } from '../support/scenarios.ts';
import { broken, outcomeOf, testStage, times } from '../support/stage.ts';
import { correctClients } from './correct-clients.ts';

/** The PAG of demo's brand for 30 days. */
const pag30 = '30000000-0000-4000-8000-000000000002';
/** Patches of that PAG, as a scenario has them. */
const pagPatch = (patch: object) => ({ data: { pags: [{ id: pag30, ...patch }] } });

const match = { method: 'PUT' };

/** Three scenarios with some of the same settings, which affect no call of a client. */
const overlapping = {
  one: {
    switches: { rate_limit: { burst: 2, match }, inactive_pags: { all: true } },
    assumptions: { next_cursor: 'meta', list_order: 'oldest_first' },
    faults: [{ status: 404, match }],
    ...pagPatch({ status: 'Inactive' }),
  },
  two: {
    switches: { rate_limit: { burst: 5, match }, server_error: { burst: 1, match } },
    assumptions: { next_cursor: 'header' },
    faults: [{ status: 404, match }],
    ...pagPatch({ name: 'Two' }),
  },
  three: { ...pagPatch({ status: 'Active', name: 'Three' }), assumptions: { list_order: 'newest_first' } },
} as const;

test('each shipped scenario has a correct client here', () => {
  expect(Object.keys(correctClients)).toEqual(scenarios.map(({ name }) => name));
});

/** It adds fulfillments, which stay. */
const adding = 'paging-under-change';

describe.each(scenarios.map((one) => [one.name, one] as const))('%s', (name, { expect: expectations = [] }) => {
  // Other servers do not see how long a call waits.
  test.skipIf(isReplicated && name === 'slow-service')('its correct client meets all that it expects', async () => {
    const world = await testStage();
    const act = await correctClients[name]?.(world);
    await world.stage.requests.clear();
    await world.stage.scenarios.apply(name);
    await act?.();
    for (const { match, count } of expectations)
      expect(await world.stage.requests.verify({ match, count }), JSON.stringify(match)).toMatchObject({
        satisfied: true,
      });
  });

  test('is a layer: applied once, taken back without a trace, in this sandbox only', async () => {
    const { stage, sachet, elapse } = await testStage();
    const state = () => stateOf(stage);
    const elsewhere = () => stateOf(sachet.control.sandbox('production'));
    const [before, other] = [await state(), await elsewhere()];
    await stage.snapshots.create({ name: 'before' });
    const applied = await stage.scenarios.apply(name);
    expect(applied).toMatchObject({ name, applied_at: '2026-11-20T12:00:00.000Z' });
    const { scenarios: list } = await stage.scenarios.list();
    expect(list.filter(({ applied_at }) => applied_at !== null)).toEqual([applied]);
    const after = await state();
    expect(after).not.toEqual(before);
    expect(await elsewhere()).toEqual(other);
    await stage.snapshots.create({ name: 'after' });

    await elapse(1000);
    await stage.scenarios.apply(name);
    const { clock, exported_at, ...twice } = await state();
    expect({ ...twice, clock: after.clock, exported_at: after.exported_at }).toEqual(after);
    expect(clock.now).not.toBe(after.clock.now);

    await stage.snapshots.restore('before');
    expect(await state()).toEqual(before);
    await stage.snapshots.restore('after');
    expect(await state()).toEqual(after);
    await stage.scenarios.take_back(name);
    const { data, ...left } = await state();
    const fulfillments = data.fulfillments.slice(0, name === adding ? -2 : undefined);
    expect({ ...left, data: { ...data, fulfillments } }).toEqual(before);
    await expect(stage.scenarios.take_back(name)).rejects.toThrow('404');
  });
});

test('unknown scenarios and those that are not applied are 404, with the available names', async () => {
  const { admin } = controlled();
  const call = async (method: string, name: string) =>
    failureOf(await admin(method, `/sandboxes/stage/scenarios/${name}`));
  const unknown = /^There is no scenario "no-pags"; available: discontinued-product, .*\. Did you mean "no-pag"\?$/;
  expect(await call('POST', 'no-pags')).toEqual([404, expect.stringMatching(unknown)]);
  const notApplied = expect.stringContaining('There is no applied scenario "nothing"');
  expect(await call('DELETE', 'nothing')).toEqual([404, notApplied]);
  await call('POST', 'no-pag');
  const message = 'There is no applied scenario "maintenance"; available: no-pag';
  expect(await call('DELETE', 'maintenance')).toEqual([404, message]);
});

describe('an applied scenario', () => {
  test('is not filled up or renewed if it is applied again, and expired tokens stay expired', async () => {
    const { stage, order, status } = await testStage();
    await stage.scenarios.apply('rate-limit-burst');
    for (let n = 0; n < 3; n += 1) expect((await order()).status).toBe(429);
    await stage.scenarios.apply('rate-limit-burst');
    expect((await order()).status).toBe(201);
    await stage.scenarios.apply('token-expiry');
    await stage.scenarios.take_back('token-expiry');
    expect(await status()).toBe(401);
  });

  test('keeps its clock and its new records when it is taken back', async () => {
    const pack = { id: 'PACK-NEW', brand_id: '11000000-0000-4000-8000-000000000001', name: 'New' };
    const { stage } = await stageWithScenarios({
      later: { clock: { now: '2027-01-01T00:00:00Z' }, data: { packs: [pack] } },
    });
    await stage.scenarios.apply('later');
    await stage.scenarios.take_back('later');
    expect((await stage.clock.get()).now).toBe('2027-01-01T00:00:00.000Z');
    expect(await stage.records.packs.get(pack.id)).toEqual(pack);
  });

  test('is applied whole or not at all', async () => {
    const last = {
      ...pagPatch({ status: 'Inactive' }),
      switches: { token_expiry: { expire_issued: true }, server_error: {} },
      assumptions: { next_cursor: 'meta' },
      clock: { now: '2027-01-01T00:00:00Z' },
      faults: [{ status: 404 }, { status: 404 }, { id: 'taken', status: 500 }],
    };
    const { stage, status } = await stageWithScenarios({ last });
    await stage.faults.create({ id: 'taken', status: 404, match: { method: 'PUT' } });
    const before = await stage.state.get();
    await expect(stage.scenarios.apply('last')).rejects.toThrow('409');
    await expect(stage.scenarios.apply('last')).rejects.toThrow('faults[2].id: found "taken"');
    expect(await stage.state.get()).toEqual(before);
    expect(await status()).toBe(200);
  });
});

describe('records that changed after a scenario', () => {
  const afterNoPag = async (change: (stage: Awaited<ReturnType<typeof testStage>>['stage']) => Promise<unknown>) => {
    const { stage } = await testStage();
    await stage.scenarios.apply('no-pag');
    await change(stage);
    await stage.scenarios.take_back('no-pag');
    return (await stage.records.pags.list()).pags.slice(0, 3).map(({ name, duration }) => [name, duration]);
  };

  test('by the tester stay as they are, deleted ones stay deleted, the others go back', async () => {
    const [box, , carton] = [['Daily Grove Standard Box', null], [], ['Daily Grove 90-Day Carton', 90]];
    expect(await afterNoPag((stage) => stage.records.pags.update(pag30, { name: 'Mine' }))).toEqual([
      box,
      ['Mine', 36_500],
      carton,
    ]);
    expect((await afterNoPag((stage) => stage.records.pags.delete(pag30))).slice(0, 2)).toEqual([box, carton]);
    const changedBack = await afterNoPag(async (stage) => {
      await stage.records.pags.update(pag30, { duration: 45 });
      await stage.records.pags.update(pag30, { duration: 36_500 });
    });
    expect(changedBack[1]).toEqual([expect.any(String), 30]);
  });

  test('and before the next one go back to what they were in between', async () => {
    const { stage } = await stageWithScenarios({ one: pagPatch({ name: 'One' }), two: pagPatch({ name: 'Two' }) });
    await stage.scenarios.apply('one');
    await stage.records.pags.update(pag30, { name: 'Mine' });
    await stage.scenarios.apply('two');
    for (const name of ['one', 'two']) await stage.scenarios.take_back(name);
    expect((await stage.records.pags.get(pag30)).name).toBe('Mine');
  });
});

describe('several scenarios', () => {
  test('with the same settings: the later one counts, and each can be taken back first', async () => {
    const { stage } = await stageWithScenarios(overlapping);
    const shown = async () => [
      (await stage.switches.get()).rate_limit?.burst,
      (await stage.assumptions.get()).next_cursor,
      (await stage.faults.list()).faults.map(({ id }) => id),
      (await stage.records.pags.get(pag30)).name === 'Two',
    ];
    await stage.scenarios.apply('one');
    const alone = await shown();
    expect(alone).toEqual([2, 'meta', ['one-1'], false]);
    await stage.scenarios.apply('two');
    expect(await shown()).toEqual([5, 'header', ['one-1', 'two-1'], true]);
    await stage.scenarios.take_back('two');
    expect(await shown()).toEqual(alone);
    await stage.scenarios.apply('two');
    await stage.scenarios.take_back('one');
    expect(await shown()).toEqual([5, 'header', ['two-1'], true]);
    expect((await stage.switches.get()).inactive_pags).toBeNull();
  });

  test('leave everything as it was, taken back in any order', async () => {
    const all = [...scenariosOf(overlapping), ...scenarios.filter(({ name }) => name !== adding)];
    const names = fc.array(fc.constantFrom(...all.map(({ name }) => name)), { maxLength: 12 });
    const property = fc.asyncProperty(names, async (sequence) => {
      const { stage } = await testStage({ scenarios: all });
      const before = await stateOf(stage);
      const applied = new Set<string>();
      for (const name of [...sequence, ...Object.keys(overlapping)]) {
        if (applied.delete(name)) await stage.scenarios.take_back(name);
        else {
          applied.add(name);
          await stage.scenarios.apply(name);
        }
      }
      for (const name of applied) await stage.scenarios.take_back(name);
      expect(await stateOf(stage)).toEqual(before);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

describe("the tester's own settings", () => {
  test('override a scenario and stay when it is taken back; null also turns off the layers below', async () => {
    const limit = (burst: number) => ({ switches: { rate_limit: { burst } } });
    const { stage, statuses } = await stageWithScenarios({ limit: limit(9), other: limit(8) });
    for (const name of ['limit', 'other']) await stage.scenarios.apply(name);
    expect(await statuses(1)).toEqual([429]);
    await stage.switches.set({ rate_limit: { burst: 2 } });
    expect((await stage.switches.get()).rate_limit).toEqual({ burst: 2, hits: 0, remaining: 2 });
    await stage.scenarios.take_back('other');
    expect(await statuses(3)).toEqual([429, 429, 200]);
    await stage.switches.set({ rate_limit: null });
    expect(await statuses(1)).toEqual([200]);
    await stage.scenarios.take_back('limit');
    expect((await stage.switches.get()).rate_limit).toBeNull();
  });

  test('from before a scenario apply again after it, with what remained of them', async () => {
    const { stage, statuses } = await stageWithScenarios({
      limit: { switches: { rate_limit: { burst: 1, retry_after: 9 } } },
    });
    await stage.switches.set({ rate_limit: { burst: 3 } });
    expect(await statuses(1)).toEqual([429]);
    await stage.scenarios.apply('limit');
    expect((await stage.switches.get()).rate_limit).toMatchObject({ burst: 1, retry_after: 9, scenario: 'limit' });
    expect(await statuses(2)).toEqual([429, 200]);
    await stage.scenarios.take_back('limit');
    expect((await stage.switches.get()).rate_limit).toEqual({ burst: 3, hits: 1, remaining: 2 });
    expect(await statuses(3)).toEqual([...times(2, 429), 200]);
  });
});

const applied = async ({ control }: TestSachet, name = 'stage') =>
  (await control.sandbox(name).scenarios.list()).scenarios.flatMap((one) => (one.applied_at === null ? [] : one.name));

describe('the scenarios of a server', () => {
  test('are applied in every sandbox, as if by hand', async () => {
    const { sachet, stage } = await testStage({ scenario: ['rate-limit-burst', 'no-pag'] });
    await sachet.login('demo+w7');
    await sachet.control.create({ name: 'team' });
    for (const name of ['stage', 'production', 'w7', 'team'])
      expect(await applied(sachet, name), name).toEqual(['no-pag', 'rate-limit-burst']);
    const byHand = await testStage();
    const untouched = await stateOf(byHand.stage);
    for (const name of ['rate-limit-burst', 'no-pag']) await byHand.stage.scenarios.apply(name);
    expect(await stateOf(stage)).toEqual(await stateOf(byHand.stage));
    for (const name of ['no-pag', 'rate-limit-burst']) await stage.scenarios.take_back(name);
    expect(await stateOf(stage)).toEqual(untouched);
  });

  test('are restored by a reset: used up ones are whole, those taken back are applied, others are gone', async () => {
    const { sachet, stage, client, order } = await testStage({ scenario: ['lost-answer', 'no-pag'] });
    await stage.scenarios.take_back('no-pag');
    await stage.scenarios.apply('inactive-pag');
    expect([await outcomeOf(order()), await outcomeOf(order())]).toEqual([broken.whole, 201]);
    await stage.reset();
    expect(await applied(sachet)).toEqual(['lost-answer', 'no-pag']);
    await stage.scenarios.take_back('no-pag');
    expect(await outcomeOf(client.post('/v2/orders', someOrder()))).toBe(broken.whole);
    expect((await order()).body.order.status).toBe('Pending');
  });

  test.each([
    ['frozen', noon],
    ['running from an instant', `${noon}+`],
    ['real', undefined],
  ])('begin their windows anew with a reset, with a clock that is %s', async (_, clock) => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const sachet = testSachet({ scenario: ['maintenance'], clock } as { scenario: string[]; clock: string });
    const stage = sachet.control.sandbox('stage');
    const statusAfter = async (milliseconds: number) => {
      if (clock === noon) await stage.clock.advance({ seconds: milliseconds / 1000 });
      else move(milliseconds);
      return (await sachet.call('GET', '/v2/products')).status;
    };
    // The server may be up for a while before the first call.
    move(600_000);
    const seen = [await statusAfter(0), await statusAfter(300_000)];
    await stage.reset();
    const { scenarios } = await stage.scenarios.list();
    const [at = ''] = scenarios.flatMap(({ applied_at }) => applied_at ?? []);
    expect(Date.parse((await stage.clock.get()).now) - Date.parse(at)).toBeLessThan(60_000);
    seen.push(await statusAfter(0), await statusAfter(299_999), await statusAfter(1));
    expect(seen).toEqual([500, 401, 500, 500, 401]);
  });
});

test('the scenario of a single sandbox replaces those of the server, and is restored by a reset', async () => {
  const { sachet, admin } = controlled({ scenario: ['no-pag'] });
  await admin('POST', '/sandboxes', { name: 'team', scenario: 'server-errors' });
  expect(await applied(sachet, 'team')).toEqual(['server-errors']);
  const team = sachet.control.sandbox('team');
  const status = async () => (await sachet.call('GET', '/sandboxes/team/v2/products')).status;
  for (let resets = 0; resets < 2; resets += 1) {
    expect([await status(), await status(), await status()]).toEqual([500, 500, 401]);
    await team.scenarios.take_back('server-errors');
    await team.reset();
  }
  expect(await applied(sachet)).toEqual(['no-pag']);
});
