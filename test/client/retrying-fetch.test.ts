// Over a port, a client repeats a call whose request or response was lost, and it is done once.
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { retryingFetch } from '../../src/client/control-client.ts';
import { connect } from '../../src/client/sachet.ts';
import { listening } from '../support/command.ts';
import { noon } from '../support/sachet.ts';
import { type Wire, wire } from '../support/wire.ts';

const adminKey = 'the-key-behind-the-proxy';
let server: Wire;
beforeAll(async () => {
  server = await wire({ adminKey });
});
afterAll(() => server.close());

/** A request is lost, or its response is lost whole or by half, or the proxy itself responds. */
const failures = ['lost', 'unanswered', 'cut', 502, 503, 504] as const;

/** A client behind a proxy that fails the next calls in these ways, and the Idempotency-Keys that the proxy sees. */
async function behindProxy() {
  const next: (typeof failures)[number][] = [];
  const keys: (string | undefined)[] = [];
  const proxy = createServer(async (request, response) => {
    const { method = '', url, headers } = request;
    keys.push(headers['idempotency-key'] as string | undefined);
    const failure = next.shift();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (failure === 'lost') return request.socket.destroy();
    if (typeof failure === 'number') return response.writeHead(failure).end(`<h1>${failure}</h1>`);
    const isPassed = ([name]: [string, unknown]) => /^(authorization|content-type|idempotency-key)$/.test(name);
    const passed = Object.entries(headers).filter(isPassed) as [string, string][];
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const answer = await fetch(server.url + url, { method, headers: passed, body });
    const [status, text] = [answer.status, await answer.text()];
    if (failure === 'unanswered') return request.socket.destroy();
    if (failure !== 'cut') return response.writeHead(status).end(text);
    response.writeHead(status, { 'content-length': text.length + 9 });
    return response.write(text, () => request.socket.destroy());
  });
  onTestFinished(() => proxy.closeAllConnections());
  const sachet = connect({ url: `http://127.0.0.1:${await listening(proxy)}`, adminKey });
  const sandbox = await sachet.createSandbox();
  keys.length = 0;
  return { next, keys, sachet, sandbox };
}

test.each(failures)('a call that fails by "%s" is repeated, and done once', async (failure) => {
  const { sachet, sandbox, next, keys } = await behindProxy();
  next.push(failure, failure);
  const { now } = await sandbox.clock.advance({ seconds: 60 });
  expect(Date.parse(now) - Date.parse(noon)).toBe(60_000);
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(3);
  next.push(failure);
  expect(await sandbox.clock.get()).toMatchObject({ now });

  const count = async () => (await sachet.sandboxes()).length;
  const before = await count();
  next.push(failure);
  const created = await sachet.createSandbox({ own_key: true });
  expect(await count()).toBe(before + 1);
  const own = connect({ url: server.url, adminKey: created.key ?? '' });
  expect(await own.sandbox(created.name).get()).toMatchObject({ has_own_key: true });
  next.push(failure);
  expect(await created.delete()).toBeUndefined();
  expect(await count()).toBe(before);
});

test('each call that changes something has its own key, others have none', async () => {
  const { sachet, sandbox, keys } = await behindProxy();
  await sandbox.clock.advance({ seconds: 1 });
  await sandbox.clock.advance({ seconds: 1 });
  await sandbox.requests.verify({ match: {} });
  await sandbox.get();
  const key = expect.stringMatching(/^[0-9a-z]{21}$/);
  expect(keys).toEqual([key, key, undefined, undefined]);
  expect(keys[0]).not.toBe(keys[1]);
  await expect(sachet.sandbox('nobody').delete()).rejects.toMatchObject({ status: 404 });
});

describe('a fetch with retries', () => {
  afterEach(() => void vi.useRealTimers());

  const response = (status: number, text: string) => async () => new Response(text, { status });
  const thrown = (error: Error) => () => Promise.reject(error);
  const last = { status: 502, text: 'Bad Gateway', isRepeated: true };
  const json = async () => Response.json({}, { status: 503 });
  test.each<[string, () => Promise<Response>, number, unknown]>([
    ['gives up within ten seconds with the last response', response(502, 'Bad Gateway'), 6, last],
    ['gives up sooner where no server ever responded', thrown(new TypeError('failed')), 4, new TypeError('failed')],
    ['does not repeat after JSON', json, 1, expect.objectContaining({ status: 503 })],
    ['does not repeat after another status', response(500, 'none'), 1, expect.objectContaining({ status: 500 })],
    ['does not repeat after a bug', thrown(new RangeError('a bug')), 1, new RangeError('a bug')],
  ])('%s', async (_, respond, times, expected) => {
    vi.useFakeTimers();
    const fetch = vi.fn(respond);
    const result = retryingFetch(fetch)('http://sachet.test', {}).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([fetch.mock.calls.length, await result]).toEqual([times, expected]);
  });
});
