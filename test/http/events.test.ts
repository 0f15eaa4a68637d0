// The live feed of a sandbox as server-sent events: what happens arrives once and in order, also at a listener who was cut off.
import { describe, expect, test } from 'vitest';
import { type BareSachet, bareSachet, send } from '../support/bare-sachet.ts';
import { eventsOf, follow, idsOf, numbers } from '../support/follower.ts';

const call = async (sachet: BareSachet, path = '/v2/products') => (await send(sachet, 'GET', path)).status;
const calls = async (sachet: BareSachet, count: number) => {
  for (let n = 0; n < count; n += 1) expect(await call(sachet)).toBe(401);
};

describe('what happens arrives', () => {
  test('a request as the journal has it, when it is answered', async () => {
    const sachet = bareSachet();
    const follower = await follow(sachet);
    await calls(sachet, 1);
    const { requests } = await sachet.control.sandbox('stage').requests.list();
    expect(await follower.next()).toEqual({ id: 1, type: 'request', data: requests[0] });
  });

  test('a request under way is not told before its answer', async () => {
    const sachet = bareSachet();
    const stage = sachet.control.sandbox('stage');
    await stage.switches.set({ latency: { milliseconds: 3_600_000 } });
    const follower = await follow(sachet);
    const delayed = call(sachet);
    await expect.poll(async () => (await stage.requests.list()).requests.length).toBe(1);
    await stage.clock.advance({ seconds: 1 });
    await stage.switches.clear();
    sachet.close();
    await delayed;
    expect((await follower.rest()).filter(({ type, data }) => type === 'request' && !data.completed)).toEqual([]);
  });

  test('a change of the state, with the names of what changed', async () => {
    const sachet = bareSachet();
    const stage = sachet.control.sandbox('stage');
    const follower = await follow(sachet);
    await stage.faults.create({ status: 500 });
    await stage.snapshots.create({ name: 'base' });
    const [made, kept] = await follower.take(2);
    expect(made).toMatchObject({ id: 1, type: 'state', data: { changed: ['levers', 'counters'] } });
    expect(kept).toMatchObject({ id: 2, type: 'state', data: { changed: ['snapshots'] } });
    expect(kept?.data.version).toBe(made?.data.version + 1);
  });

  test('the clock as it was turned, also by a reset', async () => {
    const sachet = bareSachet();
    const stage = sachet.control.sandbox('stage');
    const follower = await follow(sachet);
    const turned = await stage.clock.advance({ by: 'PT15M' });
    await stage.reset();
    const events = await follower.take(4);
    expect(events.map(({ type }) => type)).toEqual(['state', 'clock', 'state', 'clock']);
    expect(events[1]?.data).toEqual(turned);
    expect(events[3]?.data).toEqual(await stage.clock.get());
  });

  test('of one sandbox at the listeners of that one', async () => {
    const sachet = bareSachet();
    await sachet.control.create({ name: 'w1' });
    const [stage, other] = [await follow(sachet), await follow(sachet, 'w1')];
    await call(sachet, '/sandboxes/w1/v2/orders');
    await call(sachet, '/v2/products');
    expect((await stage.next())?.data.path).toBe('/v2/products');
    expect((await other.next())?.data.path).toBe('/v2/orders');
  });
});

describe('a listener who comes back with Last-Event-ID', () => {
  test.each([1, 2, 3, 4, 5])('after event %i misses none and gets none twice', async (cut) => {
    const sachet = bareSachet();
    const first = await follow(sachet);
    await calls(sachet, 5);
    const before = await first.take(cut);
    await first.leave();
    await calls(sachet, 2);
    const second = await follow(sachet, 'stage', before.at(-1)?.id);
    await calls(sachet, 1);
    expect(idsOf([...before, ...(await second.take(8 - cut))])).toEqual(numbers(1, 8));
  });

  test('gets what happened while nobody listened', async () => {
    const sachet = bareSachet();
    await (await follow(sachet)).leave();
    await calls(sachet, 3);
    expect(idsOf(await (await follow(sachet, 'stage', 0)).take(3))).toEqual([1, 2, 3]);
  });

  test('is told of an id that is none of this feed', async () => {
    const sachet = bareSachet();
    const follower = await follow(sachet, 'stage', 99);
    expect(await follower.next()).toEqual({ id: undefined, type: 'missed', data: {} });
    await calls(sachet, 1);
    expect((await follower.next())?.id).toBe(1);
  });
});

describe('the end', () => {
  test('comes when the sandbox is deleted, after all that happened in it', async () => {
    const sachet = bareSachet();
    await sachet.control.create({ name: 'w1' });
    const [one, two] = [await follow(sachet, 'w1'), await follow(sachet, 'w1')];
    await call(sachet, '/sandboxes/w1/v2/orders');
    await sachet.control.sandbox('w1').delete();
    expect([idsOf(await one.rest()), idsOf(await two.rest())]).toEqual([[1], [1]]);
    expect((await eventsOf(sachet, 'w1')).status).toBe(404);
  });

  test('comes when the server closes', async () => {
    const sachet = bareSachet();
    const [stage, production] = [await follow(sachet), await follow(sachet, 'production')];
    sachet.close();
    expect([await stage.rest(), await production.rest()]).toEqual([[], []]);
  });

  test('of a remade sandbox is its own: its events begin at 1', async () => {
    const sachet = bareSachet();
    for (const life of ['first', 'second']) {
      await sachet.control.create({ name: 'w1' });
      const follower = await follow(sachet, 'w1');
      await call(sachet, `/sandboxes/w1/v2/orders?life=${life}`);
      await sachet.control.sandbox('w1').delete();
      const events = await follower.rest();
      expect(events.map(({ id, data }) => [id, data.query])).toEqual([[1, `?life=${life}`]]);
    }
  });
});
