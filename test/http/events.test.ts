// The events of a sandbox as server-sent events: each arrives once and in order, also at a listener that reconnects.
import { expect, test } from 'vitest';
import { eventsOf, follow, idsOf, numbers } from '../support/follower.ts';
import { type BareSachet, bareSachet, send } from '../support/sachet.ts';

const call = async (sachet: BareSachet, path = '/v2/products') => (await send(sachet, 'GET', path)).status;
const calls = async (sachet: BareSachet, count: number) => {
  for (let n = 0; n < count; n += 1) expect(await call(sachet)).toBe(401);
};

test('a request arrives when it is answered, as the journal has it, at the listeners of its sandbox', async () => {
  const sachet = bareSachet();
  await sachet.control.create({ name: 'w1' });
  const [stage, other] = [await follow(sachet), await follow(sachet, 'w1')];
  await call(sachet, '/sandboxes/w1/v2/orders');
  await calls(sachet, 1);
  const { requests } = await sachet.control.sandbox('stage').requests.list();
  expect(await stage.next()).toEqual({ id: 1, type: 'request', data: requests[0] });
  expect((await other.next())?.data.path).toBe('/v2/orders');
});

test('a request in flight does not arrive before it is answered', async () => {
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

test('a change of the state arrives with what changed, and a change of the clock, also by a reset', async () => {
  const sachet = bareSachet();
  const stage = sachet.control.sandbox('stage');
  const follower = await follow(sachet);
  await stage.faults.create({ status: 500 });
  await stage.snapshots.create({ name: 'base' });
  const [made, kept] = await follower.take(2);
  expect(made).toMatchObject({ id: 1, type: 'state', data: { changed: ['levers', 'counters'] } });
  expect(kept).toMatchObject({ id: 2, type: 'state', data: { changed: ['snapshots'] } });
  expect(kept?.data.version).toBe(made?.data.version + 1);
  const advanced = await stage.clock.advance({ by: 'PT15M' });
  await stage.reset();
  const events = await follower.take(4);
  expect(events.map(({ type }) => type)).toEqual(['state', 'clock', 'state', 'clock']);
  expect([events[1]?.data, events[3]?.data]).toEqual([advanced, await stage.clock.get()]);
});

test('a listener that reconnects with Last-Event-ID misses no event and gets none twice', async () => {
  for (const cut of [1, 3, 5]) {
    const sachet = bareSachet();
    const first = await follow(sachet);
    await calls(sachet, 5);
    const before = await first.take(cut);
    await first.leave();
    await calls(sachet, 2);
    const second = await follow(sachet, 'stage', before.at(-1)?.id);
    await calls(sachet, 1);
    expect(idsOf([...before, ...(await second.take(8 - cut))])).toEqual(numbers(1, 8));
  }
});

test('the stream ends when the sandbox is deleted, after its last event; a new sandbox begins at 1', async () => {
  const sachet = bareSachet();
  for (const query of ['?life=first', '?life=second']) {
    await sachet.control.create({ name: 'w1' });
    const followers = [await follow(sachet, 'w1'), await follow(sachet, 'w1')];
    await call(sachet, `/sandboxes/w1/v2/orders${query}`);
    await sachet.control.sandbox('w1').delete();
    for (const follower of followers)
      expect((await follower.rest()).map(({ id, data }) => [id, data.query])).toEqual([[1, query]]);
    expect((await eventsOf(sachet, 'w1')).status).toBe(404);
  }
});
