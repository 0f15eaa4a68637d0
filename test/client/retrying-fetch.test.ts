// A client over a port sends a call again where it or its answer was lost, and it is done once.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { retryingFetch } from '../../src/client/control-client.ts';
import { connect } from '../../src/client/sachet.ts';
import { lossyProxy, type Mood } from '../support/lossy-proxy.ts';
import { noon } from '../support/sachet.ts';
import { type Wire, wire } from '../support/wire.ts';

const adminKey = 'the-key-behind-the-proxy';
let server: Wire;
beforeAll(async () => {
  server = await wire({ adminKey });
});
afterAll(() => server.close());

async function behindProxy() {
  const proxy = await lossyProxy(server.url);
  const sachet = connect({ url: proxy.url, adminKey });
  const sandbox = await sachet.createSandbox();
  proxy.seen.length = 0;
  return { ...proxy, sachet, sandbox };
}

const lost: readonly Mood[] = ['lost', 'unanswered', 'cut', 502, 503, 504];

describe.each(lost)('a call that meets "%s"', (mood) => {
  test('is done once, and answered', async () => {
    const { sandbox, moods, seen } = await behindProxy();
    moods.push(mood, mood);
    const { now } = await sandbox.clock.advance({ seconds: 60 });
    expect(Date.parse(now) - Date.parse(noon)).toBe(60_000);
    expect(await sandbox.clock.get()).toMatchObject({ now });
    expect(new Set(seen.slice(0, 3).map(({ key }) => key)).size).toBe(1);
    expect(seen).toHaveLength(4);
  });

  test('makes one sandbox, whose key is good, and deletes it', async () => {
    const { sachet, moods } = await behindProxy();
    const count = async () => (await sachet.sandboxes()).length;
    const before = await count();
    moods.push(mood);
    const made = await sachet.createSandbox({ own_key: true });
    expect(await count()).toBe(before + 1);
    const own = connect({ url: server.url, adminKey: made.key ?? '' });
    expect(await own.sandbox(made.name).get()).toMatchObject({ has_own_key: true });
    moods.push(mood);
    expect(await made.delete()).toBeUndefined();
    expect(await count()).toBe(before);
  });

  test('is asked again where it only looks', async () => {
    const { sandbox, moods } = await behindProxy();
    moods.push(mood);
    expect(await sandbox.switches.get()).toMatchObject({ rate_limit: null });
  });
});

test('each call that changes something has a key of its own, others have none', async () => {
  const { sandbox, seen } = await behindProxy();
  await sandbox.clock.advance({ seconds: 1 });
  await sandbox.clock.advance({ seconds: 1 });
  await sandbox.requests.verify({ match: {} });
  await sandbox.get();
  const keys = seen.map(({ key }) => key);
  expect(keys.slice(0, 2)).toEqual([expect.stringMatching(/^[0-9a-z]{21}$/), expect.stringMatching(/^[0-9a-z]{21}$/)]);
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys.slice(2)).toEqual([undefined, undefined]);
});

test('a sandbox that was not there before is not deleted', async () => {
  const { sachet } = await behindProxy();
  await expect(sachet.sandbox('nobody').delete()).rejects.toMatchObject({ status: 404 });
});

describe('a fetch with retries', () => {
  afterEach(() => void vi.useRealTimers());
  const broken = () => Promise.reject(new TypeError('fetch failed'));
  const url = 'http://sachet.test';

  /** How often it asks, all pauses over, and what comes of it. */
  async function tried(ask: () => Promise<Response>) {
    vi.useFakeTimers();
    const asked = vi.fn(ask);
    const outcome = retryingFetch(asked)(url, {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    return { times: asked.mock.calls.length, outcome: await outcome };
  }

  test('gives up within ten seconds, with what it heard last', async () => {
    const outcome = { status: 502, text: 'Bad Gateway', isRepeated: true };
    expect(await tried(async () => new Response('Bad Gateway', { status: 502 }))).toEqual({ times: 6, outcome });
  });

  test('gives up sooner where nothing ever answered', async () => {
    expect(await tried(broken)).toEqual({ times: 4, outcome: new TypeError('fetch failed') });
  });

  test.each([
    ['JSON', async () => Response.json({}, { status: 503 })],
    ['another status', async () => new Response('none', { status: 500 })],
    ['a bug', () => Promise.reject(new RangeError('a bug'))],
  ])('takes %s as it is', async (_, ask) => {
    expect((await tried(ask)).times).toBe(1);
  });
});
