// Both roads of a port, the direct one and the adaptor's, give the same answers byte by byte, the same journal, and the same ends of connections.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { UnderWay } from '../../src/node/under-way.ts';
import { goodRequests, known } from '../cases/requests.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { bodies } from '../support/roads/body-cases.ts';
import type { Cases } from '../support/roads/cases.ts';
import { connections } from '../support/roads/connection-cases.ts';
import { exchange, speak } from '../support/roads/exchange.ts';
import { authorizations, headers, hosts } from '../support/roads/header-cases.ts';
import { ordered, unordered } from '../support/roads/heads.ts';
import { broken, refused } from '../support/roads/lever-scenes.ts';
import { authentication, operations } from '../support/roads/operation-cases.ts';
import { type OpenPlace, openPlace } from '../support/roads/places.ts';
import { last, posted, type Road, request } from '../support/roads/requests.ts';
import { list, type Scene, scenes, told } from '../support/roads/scenes.ts';
import { methods, paths, queries } from '../support/roads/target-cases.ts';

const unseen: unknown[] = [];
const see = (error: unknown) => void unseen.push(error);
const holding = vi.spyOn(UnderWay.prototype, 'hold');
let places: readonly [OpenPlace, OpenPlace];

beforeAll(async () => {
  process.on('unhandledRejection', see).on('uncaughtException', see);
  places = [await openPlace('direct'), await openPlace('adapted')];
  // A new token is verified first, and what breaks a connection meanwhile breaks answers that would have been sent.
  for (const { port, on } of places) await exchange(port, on(last));
});
afterAll(async () => {
  process.off('unhandledRejection', see).off('uncaughtException', see);
  holding.mockRestore();
  await Promise.all(places.map(({ close }) => close()));
});
beforeEach(async () => {
  for (const { stage, taken } of places) {
    await stage.reset();
    taken.length = 0;
  }
});

/** What came of it on each road. */
const onBoth = (scene: Scene): Promise<unknown[]> => Promise.all(places.map((place) => scene(place)));

const answered =
  (text: string): Scene =>
  async (place) => {
    const { received, end } = await exchange(place.port, place.on(text));
    return { received: ordered(received), end, journal: await told(place) };
  };

const groups: Readonly<Record<string, Cases>> = {
  ...{ operations, authentication, paths, queries, methods, bodies, headers, authorizations, hosts, connections },
};
describe.each(Object.entries(groups))('%s', (_, cases) => {
  test.each(Object.entries(cases))('%s', async (_, text) => {
    const [direct, adapted] = await onBoth(answered(text + last));
    expect(direct).toEqual(adapted);
    expect(places[1].taken).not.toContain('direct');
  });
});

const all: Readonly<Record<string, Scene>> = { ...broken, ...refused, ...scenes };
test.each(Object.entries(all))('%s', async (_, scene) => {
  const [direct, adapted] = await onBoth(scene);
  expect(unordered(direct)).toBe(unordered(adapted));
});

test('a good request of each operation takes the direct road, unless it is sent the other way', async () => {
  for (const id of Object.keys(goodRequests)) await onBoth(answered((operations[id] ?? '') + last));
  expect(places[0].taken).toHaveLength(2 * Object.keys(goodRequests).length);
  expect(new Set(places[0].taken)).toEqual(new Set(['direct']));
  expect(new Set(places[1].taken)).toEqual(new Set(['adapted']));
});

test('nothing was thrown that nobody caught, and nothing is under way any more', async () => {
  const servers = new Set(holding.mock.contexts as UnderWay[]);
  expect(servers.size).toBe(2);
  await expect.poll(() => [...servers].map(({ size }) => size)).toEqual([0, 0]);
  expect(unseen).toEqual([]);
});

test('a server that closes answers what is under way on either road, as the last of its connection', async () => {
  const closed = async (road: Road) => {
    const { port, on, stage, close } = await openPlace(road);
    await stage.requests.clear();
    await stage.faults.create({ delay: { milliseconds: 60_000 } });
    const all = [await speak(port), await speak(port), await speak(port)];
    const texts = [list, list + list, posted('POST /v2/orders', {})];
    for (const [at, { socket }] of all.entries()) socket.write(on(texts[at] ?? ''));
    await expect.poll(async () => (await stage.requests.list()).requests.length).toBe(4);
    await close();
    return Promise.all(all.map(({ ended }) => ended));
  };
  const [direct, adapted] = [await closed('direct'), await closed('adapted')];
  expect(unordered(direct)).toBe(unordered(adapted));
  expect(unordered(direct).match(/connection: close/g)).toHaveLength(3);
});

// The first request for the adaptor waits until that is loaded; what stands behind it on its connection does not.
test('a read behind the first request of the adaptor sees what that did', async () => {
  const { port, on, stage, close } = await openPlace('direct');
  const cancel = request(`POST /v2/orders/${known.pendingOrder}/cancel`);
  await exchange(port, on(cancel + request(`GET /v2/orders/${known.pendingOrder}`) + last));
  const { requests } = await stage.requests.list({ path: `/v2/orders/${known.pendingOrder}` });
  await close();
  expect(JSON.stringify(requests[0]?.response?.body)).toContain('Canceled');
});

// The adaptor ends such a connection after half a second; the direct road keeps it until the request has taken its 30 seconds.
test('a connection whose unread body does not come is closed soon', inMachineTime, async () => {
  const [{ port, on }] = places;
  const { socket, heard, ended } = await speak(port);
  const line = `POST /v2/orders/${known.pendingOrder}/cancel`;
  socket.write(on(request(line, { headers: ['Content-Length: 100'] })));
  await expect.poll(heard).toContain('HTTP/1.1 200');
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  try {
    await expect.poll(() => isEnded, { timeout: 1000 }).toBe(true);
  } finally {
    socket.destroy();
  }
});
