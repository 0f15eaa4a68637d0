// The typed client of the control API: a method per operation, errors that say what failed, and calls that are repeated over a port and done once.
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { ControlError, controlClient, retryingFetch } from '../../src/client/control-client.ts';
import { connect } from '../../src/client/sachet.ts';
import type { NewSandboxOptions } from '../../src/client/sandbox.ts';
import type { Method, SandboxControl } from '../../src/client/sandbox-control.ts';
import type { ControlArguments, ControlOperation } from '../../src/contract/control/control-operation.ts';
import { type ControlId, type ControlOperations, controlOperationList } from '../../src/contract/control/operations.ts';
import { thrownBy } from '../library/starts.ts';
import { listening } from '../support/command.ts';
import { noon, testSachet } from '../support/sachet.ts';
import { type Wire, wire } from '../support/wire.ts';

/** Operations whose path names a sandbox; a stream has no method. */
type OfSandbox = Exclude<
  { [Id in ControlId]: ControlOperations[Id]['path'] extends `${string}{sandbox}${string}` ? Id : never }[ControlId],
  'events.follow'
>;
/** `sandboxes.reset` is the handle's `reset`, `clock.get` its `clock.get`. */
type PlaceOf<Id extends string> = Id extends `sandboxes.${infer Verb}` ? Verb : Id;
/** The type at a place such as `clock.get`. */
type At<Whole, Place extends string> = Place extends `${infer First}.${infer Rest}`
  ? First extends keyof Whole
    ? At<Whole[First], Rest>
    : never
  : Place extends keyof Whole
    ? Whole[Place]
    : never;
/** The operations whose method takes or returns something else. */
type Different = {
  [Id in OfSandbox]: At<SandboxControl, PlaceOf<Id>> extends Method<Id>
    ? Method<Id> extends At<SandboxControl, PlaceOf<Id>>
      ? never
      : Id
    : Id;
}[OfSandbox];
/** The places of functions in an object. */
type Places<Whole> = {
  [Key in keyof Whole & string]: Whole[Key] extends (...sent: never[]) => unknown
    ? Key
    : `${Key}.${Places<Whole[Key]>}`;
}[keyof Whole & string];

test('the written types of the handle and of the options are those of the operations', () => {
  expectTypeOf<Different>().toEqualTypeOf<never>();
  expectTypeOf<Places<SandboxControl>>().toEqualTypeOf<PlaceOf<OfSandbox>>();
  type Accepted = ControlArguments<ControlOperations['sandboxes.create']>[0];
  expectTypeOf<keyof NewSandboxOptions>().toEqualTypeOf<keyof Accepted>();
  expectTypeOf<NewSandboxOptions>().toExtend<Accepted>();
  // The options describe fixtures more closely than the operation.
  expectTypeOf<Omit<Accepted, 'fixtures'>>().toExtend<Omit<NewSandboxOptions, 'fixtures'>>();
});

/** A client whose requests are recorded, each with this response. */
function recorded(respond = () => Response.json({})) {
  const fetch = vi.fn(async (_: Request | URL | string, __?: RequestInit) => respond());
  const client = controlClient({ url: 'http://sachet.test/', adminKey: 'key', fetch });
  return { client, sent: () => fetch.mock.calls.map(([url, init]) => [init?.method, url, init?.body]), fetch };
}

test('every operation has a method that sends its method, path, query and body', async () => {
  const methodOf = (handle: SandboxControl, { id }: ControlOperation) => {
    const place = id.replace(/^sandboxes\./, '').split('.');
    // biome-ignore lint/suspicious/noExplicitAny: the place is computed
    return place.reduce((at: any, key) => at[key], handle) as (...args: unknown[]) => Promise<unknown>;
  };
  const odd = 'a/b?c#d e%ü';
  for (const operation of controlOperationList) {
    if (!operation.path.includes('{sandbox}') || operation.id === 'events.follow') continue;
    const { client, sent } = recorded();
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].slice(1).map(() => odd);
    const part = operation.body ? [{ a: 1 }] : operation.query ? [{ a: 'x y', b: undefined, c: 2 }] : [];
    await methodOf(client.sandbox(odd), operation)(...names, ...part);
    const path = operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(odd));
    const query = operation.query && !operation.body ? '?a=x+y&c=2' : '';
    const body = operation.body ? '{"a":1}' : undefined;
    expect(sent(), operation.id).toEqual([[operation.method, `http://sachet.test${path}${query}`, body]]);
  }
  const { client, sent, fetch } = recorded();
  await client.list();
  await client.create({ name: 'a' });
  expect(sent()).toEqual([
    ['GET', 'http://sachet.test/_admin/sandboxes', undefined],
    ['POST', 'http://sachet.test/_admin/sandboxes', '{"name":"a"}'],
  ]);
  const headers = new Headers(fetch.mock.calls[1]?.[1]?.headers);
  expect([headers.get('authorization'), headers.get('content-type')]).toEqual(['Bearer key', 'application/json']);
});

describe('an error', () => {
  test('is a ControlError with the status, the body and a message that names the operation', async () => {
    const { control } = testSachet();
    const error = await thrownBy(() => control.sandbox('w9').clock.get());
    expect(error).toBeInstanceOf(ControlError);
    expect(error).toMatchObject({
      ...{ name: 'ControlError', status: 404 },
      body: { statusCode: 404, error: 'Not Found', message: expect.stringMatching(/^There is no sandbox "w9"; /) },
      message: expect.stringMatching(/^clock.get failed with 404: There is no sandbox "w9"; /),
    });
    const details = [{ field: 'name' }, { field: 'ttl_seconds' }];
    const rejected = control.create({ name: 'A', ttl_seconds: 0 });
    await expect(rejected).rejects.toMatchObject({ status: 422, body: { details } });
  });

  test('is a ControlError for any response of another server', async () => {
    for (const text of ['<html>Bad Gateway</html>', '', 'null']) {
      const { client } = recorded(() => new Response(text, { status: 500 }));
      await expect(client.list(), text).rejects.toMatchObject({ name: 'ControlError', status: 500 });
    }
    const { client } = recorded(() => new Response('<html>Welcome</html>'));
    await expect(client.list()).rejects.toMatchObject({ name: 'ControlError', status: 200 });
  });

  test('names the URL where no server responds; a bug of a server in process is thrown as it is', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(controlClient({ url: 'http://x', adminKey: 'k' }).list()).rejects.toMatchObject({
      message: expect.stringContaining('no server answers at http://x'),
      cause: new TypeError('fetch failed'),
    });
    const bug = new TypeError('undefined is no function');
    const client = controlClient({ url: 'http://x', adminKey: 'k', fetch: () => Promise.reject(bug) });
    await expect(client.list()).rejects.toBe(bug);
  });
});

test.each(['.', '..', ''])('the name %j, which no URL can contain, reaches nothing else', async (name) => {
  const { control } = testSachet();
  for (const other of ['clock', 'switches', 'reset', 'requests']) await control.create({ name: other });
  const handle = control.sandbox(name);
  const { faults, snapshots } = control.sandbox('clock');
  const acts = [() => handle.delete(), () => handle.switches.clear(), () => handle.requests.clear()];
  for (const act of [...acts, () => faults.delete(name), () => snapshots.delete(name)])
    await expect(act()).rejects.toThrow(`"${name}" is not a valid `);
  const names = (await control.list()).sandboxes.map((one) => one.name);
  expect(names).toEqual(['clock', 'production', 'requests', 'reset', 'stage', 'switches']);
});

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

test('a redirect is not followed: the error has its target', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.writeHead(302, { location: '/login' }).end();
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const listed = connect({ url, adminKey: 'some-key-1' }).sandboxes();
  await expect(listed).rejects.toThrow(`${url}/_admin/sandboxes redirects to /login, maybe to a login page`);
  expect(calls).toBe(1);
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
