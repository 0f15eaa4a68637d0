// The events of a sandbox as server-sent events: each arrives once and in order, also at a listener that reconnects. Listeners that are slow,
// far behind, many, or gone harm neither the sandbox nor other listeners.
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bounds } from '../../src/contract/control/bounds.ts';
import { listen } from '../../src/node/listen.ts';
import { bearer } from '../support/control.ts';
import { eventsOf, follow, followerOf, idsOf, numbers } from '../support/follower.ts';
import { type BareSachet, bareSachet, origin, send } from '../support/sachet.ts';

/** Events that a feed keeps. */
const kept = 1000;
const call = async (sachet: BareSachet, path = '/v2/products') => (await send(sachet, 'GET', path)).status;
/** Calls the app itself, without a check of the responses. */
async function calls(sachet: BareSachet, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    expect((await sachet.app.fetch(new Request(`${origin}/v2/products`), {})).status).toBe(401);
}

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
  // `changed` does not name the stored response that an Idempotency-Key adds.
  const headers = { ...bearer(sachet.adminKey), 'content-type': 'application/json', 'idempotency-key': 'k' };
  await sachet.fetch(`${origin}/_admin/sandboxes/stage/snapshots`, {
    method: 'POST',
    headers,
    body: '{"name":"base"}',
  });
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

test('a listener that reconnects gets the events that it missed, up to 1,000, and an event `missed` if there were more or some were cleared', async () => {
  const sachet = bareSachet();
  await (await follow(sachet)).leave();
  await calls(sachet, kept + 50);
  const all = numbers(51, kept + 50);
  expect(idsOf(await (await follow(sachet, 'stage', 50)).take(kept))).toEqual(all);
  const [missed, ...others] = await (await follow(sachet, 'stage', 49)).take(kept + 1);
  expect([missed?.type, idsOf(others)]).toEqual(['missed', all]);
  await sachet.control.sandbox('stage').requests.clear();
  await calls(sachet, 1);
  const events = await (await follow(sachet, 'stage', kept + 49)).take(2);
  expect(events.map(({ type, id }) => [type, id])).toEqual([
    ['missed', undefined],
    ['request', kept + 51],
  ]);
});

test('a listener that does not read delays no other, and gets all events once it reads', async () => {
  const sachet = bareSachet();
  const lazy = await eventsOf(sachet);
  const follower = await follow(sachet);
  for (let n = 0; n < 7; n += 1) {
    await calls(sachet, 150);
    expect(idsOf(await follower.take(150))).toEqual(numbers(n * 150 + 1, n * 150 + 150));
  }
  expect(idsOf(await followerOf(lazy).take(1050))).toEqual(numbers(1, 1050));
});

test('a listener that is 32 MiB behind is disconnected, and no more is held for it', async () => {
  const sachet = bareSachet();
  const response = await eventsOf(sachet);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(1_000_000)}"` };
  for (let n = 0; n < 38; n += 1) await sachet.app.fetch(new Request(`${origin}/v2/orders`, init), {});
  const { byteLength } = await response.arrayBuffer();
  expect(byteLength).toBeGreaterThan(33_554_432);
  expect(byteLength).toBeLessThan(33_554_432 + 1_100_000);
});

test('listeners in process that abort make room for others', async () => {
  const { fetch, adminKey } = bareSachet();
  for (let n = 0; n <= bounds.listeners; n += 1) {
    const following = new AbortController();
    const init = { headers: bearer(adminKey), signal: following.signal };
    const response = await fetch(`${origin}/_admin/sandboxes/stage/events`, init);
    expect(response.status).toBe(200);
    following.abort();
    await expect(response.text()).rejects.toThrow('aborted');
  }
});

const microtasks = async (count: number) => {
  for (let n = 0; n < count; n += 1) await undefined;
};

/** The stream ends, or the sandbox was gone already. */
async function expectOver(response: Response): Promise<void> {
  if (response.ok) expect(await followerOf(response).rest()).toEqual([]);
  else expect(response.status).toBe(404);
}

test('a listener that connects while the sandbox is deleted, or the server closes, is not kept waiting', async () => {
  const sachet = bareSachet();
  const deleted = () => sachet.control.sandbox('w1').delete();
  for (let apart = 0; apart < 12; apart += 1) {
    await sachet.control.create({ name: 'w1' });
    const connecting = eventsOf(sachet, 'w1');
    await microtasks(apart);
    await Promise.all([connecting.then(expectOver), deleted()]);
    await sachet.control.create({ name: 'w1' });
    const deleting = deleted();
    await microtasks(apart);
    await Promise.all([eventsOf(sachet, 'w1').then(expectOver), deleting]);

    const closing = bareSachet();
    await closing.control.list();
    const late = eventsOf(closing);
    await microtasks(apart);
    closing.close();
    await expectOver(await late);
  }
});

const beat = 15_000;

/** A server whose heartbeats come when the test advances the timers. */
function sachetBeating(): BareSachet {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return bareSachet();
}

test.each([
  ['events', '/_admin/sandboxes/stage/events', 'retry: 1000\n\n', ':\n\n'],
  ['console', '/_console/_live/stage', '{"changed":[]}\n', '{"changed":[]}\n'],
])('the stream of the %s has a heartbeat every 15 seconds', async (_, path, first, heartbeat) => {
  const sachet = sachetBeating();
  const { body } = await send(sachet, 'GET', path, { token: sachet.adminKey });
  const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(first);
  for (let beats = 0; beats < 3; beats += 1) {
    vi.advanceTimersByTime(beat);
    expect((await reader.read()).value).toBe(heartbeat);
  }
  await reader.cancel();
  expect(vi.getTimerCount()).toBe(0);
});

test('a listener that is gone, with calls waiting on its connection, is noticed by the next heartbeat', async () => {
  const sachet = sachetBeating();
  const { url, close } = await listen(sachet, { port: 0, host: '127.0.0.1' });
  onTestFinished(close);
  // Other timers than those of heartbeats.
  const timers = vi.getTimerCount();
  const head = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${sachet.adminKey}\r\n\r\n`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head('/_admin/sandboxes/stage/events') + head('/v2/products').repeat(2000));
  const journal = (await sachet.sandboxes.get('stage'))?.journal;
  await expect.poll(() => [vi.getTimerCount() - timers, (journal?.list().length ?? 0) > 0]).toEqual([1, true]);
  socket.resetAndDestroy();
  await expect
    .poll(() => {
      vi.advanceTimersByTime(beat);
      return vi.getTimerCount() - timers;
    })
    .toBe(0);
});
