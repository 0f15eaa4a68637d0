// A scenario is a layer: taken back it leaves the sandbox as if it had not been, but for new records and the clock. Applying twice is once.
import { describe, expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { layered, scenariosOf, stateOf } from '../support/layers.ts';
import { orderId } from '../support/order-requests.ts';
import { scenarios } from '../support/sachet.ts';

const names = scenarios.map(({ name }) => name);
/** It brings new fulfillments, which stay. */
const bringing = 'paging-under-change';

describe.each(names)('%s', (name) => {
  test('taken back leaves the sandbox as if it had not been', async () => {
    const { stage } = await bent();
    const before = await stateOf(stage);
    await stage.scenarios.apply(name);
    expect(await stateOf(stage)).not.toEqual(before);
    await stage.scenarios.take_back(name);
    const { data, ...rest } = await stateOf(stage);
    const fulfillments = data.fulfillments.slice(0, name === bringing ? -2 : undefined);
    expect({ ...rest, data: { ...data, fulfillments } }).toEqual(before);
    expect((await stage.scenarios.list()).scenarios.every(({ applied_at }) => applied_at === null)).toBe(true);
  });

  test('applied twice is applied once', async () => {
    const { stage, elapse } = await bent();
    await stage.scenarios.apply(name);
    const [once, applied] = [await stage.state.get(), (await stage.scenarios.list()).scenarios];
    await elapse(1000);
    await stage.scenarios.apply(name);
    const { clock, exported_at, ...rest } = await stage.state.get();
    expect({ ...rest, clock: { ...clock, now: once.clock.now }, exported_at: once.exported_at }).toEqual(once);
    expect((await stage.scenarios.list()).scenarios).toEqual(applied);
    await stage.scenarios.take_back(name);
    await expect(stage.scenarios.take_back(name)).rejects.toThrow('404');
  });

  test('can be applied again once it was taken back, as at the first time', async () => {
    const { stage } = await bent();
    await stage.scenarios.apply(name);
    const first = await stateOf(stage);
    await stage.scenarios.take_back(name);
    await stage.scenarios.apply(name);
    const second = await stateOf(stage);
    const withoutGenerations = ({ levers, scenarios: rows, ...rest }: typeof first) => ({
      ...rest,
      levers: levers.map((override) => ({ ...override, generation: null })),
      // What it brought was new the first time, and was there the second.
      scenarios: name === bringing ? rows.map((row) => row.name) : rows,
    });
    expect(withoutGenerations(second)).toEqual(withoutGenerations(first));
  });
});

test('a burst that was used up is not filled up by applying it again', async () => {
  const { stage, order } = await bent();
  await stage.scenarios.apply('rate-limit-burst');
  for (let n = 0; n < 3; n += 1) expect((await order()).status).toBe(429);
  await stage.scenarios.apply('rate-limit-burst');
  expect((await order()).status).toBe(201);
});

test('tokens that a scenario expired stay expired when it is taken back', async () => {
  const { stage, status } = await bent();
  await stage.scenarios.apply('token-expiry');
  await stage.scenarios.take_back('token-expiry');
  expect(await status()).toBe(401);
});

const pag = '30000000-0000-4000-8000-000000000002';

describe('records that were changed since', () => {
  test('by the tester stay as they are, and the others go back', async () => {
    const { stage } = await bent();
    await stage.scenarios.apply('no-pag');
    await stage.records.pags.update(pag, { name: 'Mine' });
    await stage.scenarios.take_back('no-pag');
    const { pags } = await stage.records.pags.list();
    expect(pags.slice(0, 3).map(({ name, duration }) => [name, duration])).toEqual([
      ['Daily Grove Standard Box', null],
      ['Mine', 36_500],
      ['Daily Grove 90-Day Carton', 90],
    ]);
  });

  test('by a client stay, too: an order that was canceled is not Pending again', async () => {
    const { stage, client } = await layered({ moved: { data: { orders: [{ id: orderId(18), status: 'On Hold' }] } } });
    await stage.scenarios.apply('moved');
    await client.post(`/v2/orders/${orderId(18)}/cancel`);
    await stage.scenarios.take_back('moved');
    expect((await stage.records.orders.get(orderId(18))).status).toBe('Canceled');
  });

  test('and that are gone stay gone', async () => {
    const { stage } = await bent();
    await stage.scenarios.apply('no-pag');
    await stage.records.pags.delete(pag);
    await stage.scenarios.take_back('no-pag');
    const { pags } = await stage.records.pags.list();
    expect(pags.map(({ id }) => id)).not.toContain(pag);
  });

  test('and changed back are those of the scenario, and go back with it', async () => {
    const { stage } = await bent();
    await stage.scenarios.apply('no-pag');
    await stage.records.pags.update(pag, { duration: 45 });
    await stage.records.pags.update(pag, { duration: 36_500 });
    await stage.scenarios.take_back('no-pag');
    expect((await stage.records.pags.get(pag)).duration).toBe(30);
  });
});

test('the clock that a scenario set is not turned back, and new records stay', async () => {
  const pack = { id: 'PACK-NEW', brand_id: '11000000-0000-4000-8000-000000000001', name: 'New' };
  const { stage } = await layered({ later: { clock: { now: '2027-01-01T00:00:00Z' }, data: { packs: [pack] } } });
  await stage.scenarios.apply('later');
  await stage.scenarios.take_back('later');
  expect((await stage.clock.get()).now).toBe('2027-01-01T00:00:00.000Z');
  expect(await stage.records.packs.get(pack.id)).toEqual(pack);
});

test('a scenario whose last part is refused leaves nothing behind', async () => {
  const given = scenariosOf({
    last: {
      data: { pags: [{ id: pag, status: 'Inactive' }] },
      switches: { token_expiry: { expire_issued: true }, server_error: {} },
      assumptions: { next_cursor: 'meta' },
      clock: { now: '2027-01-01T00:00:00Z' },
      faults: [{ status: 404 }, { status: 404 }, { id: 'taken', status: 500 }],
    },
  });
  const { stage, status } = await bent({ scenarios: given });
  await stage.faults.create({ id: 'taken', status: 404, match: { method: 'PUT' } });
  const before = await stage.state.get();
  await expect(stage.scenarios.apply('last')).rejects.toThrow('faults[2].id: found "taken"');
  expect(await stage.state.get()).toEqual(before);
  expect(await status()).toBe(200);
});

test('a scenario that cannot be applied whole is not applied at all', async () => {
  const given = scenariosOf({
    half: {
      switches: { rate_limit: { burst: 1 } },
      faults: [{ id: 'taken', status: 500 }],
      assumptions: { next_cursor: 'meta' },
      data: { pags: [{ id: pag, status: 'Inactive' }] },
    },
  });
  const { stage } = await bent({ scenarios: given });
  await stage.faults.create({ id: 'taken', status: 404, match: { method: 'PUT' } });
  const before = await stage.state.get();
  await expect(stage.scenarios.apply('half')).rejects.toThrow('409');
  expect(await stage.state.get()).toEqual(before);
});
