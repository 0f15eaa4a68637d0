// The handle of a Sachet: addresses, fetches, sandboxes and their making, alike however it was come by.
import { describe, expect, test } from 'vitest';
import { passwordOf } from '../support/sachet.ts';
import { starts } from './starts.ts';

const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe.each(starts)('%s', (_, open) => {
  test('the base URL has no slash at its end, and the key is the one that was given', async () => {
    const sachet = await open({ adminKey: 'a-key-of-the-tests' });
    expect(sachet.baseUrl).toMatch(/^http:\/\/[^/]+$/);
    expect(sachet.adminKey).toBe('a-key-of-the-tests');
  });

  test('fetch takes a path, a URL as text, a URL and a Request', async () => {
    const { fetch, baseUrl } = await open();
    const health = `${baseUrl}/health`;
    for (const input of ['/health', health, new URL(health), new Request(health)]) {
      const { status, url } = await fetch(input);
      expect({ status, url }, String(input)).toEqual({ status: 200, url: health });
    }
    expect(await statusOf(fetch('/health', { method: 'POST' }))).toBe(404);
    expect(await statusOf(fetch(new Request(health), { method: 'POST' }))).toBe(404);
  });

  test('fetch keeps the query of a path, its headers and its body', async () => {
    const sachet = await open();
    const sandbox = await sachet.createSandbox();
    const body = JSON.stringify(sandbox.login);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const { access_token } = await (await sandbox.fetch('/v2/authentication/token', init)).json();
    const headers = { authorization: `Bearer ${access_token}` };
    const page = await (await sandbox.fetch('/v2/fulfillments?limit=2', { headers })).json();
    expect(page.fulfillments).toHaveLength(2);
  });

  test('a sandbox has a fetch under its own base URL', async () => {
    const sachet = await open();
    const sandbox = await sachet.createSandbox({ name: 'w7' });
    expect(sandbox.baseUrl).toBe(`${sachet.baseUrl}/sandboxes/w7`);
    await sandbox.fetch('/v2/products');
    await sachet.fetch(`${sandbox.baseUrl}/v2/orders`);
    const { requests } = await sandbox.requests.list();
    expect(requests.map(({ path }) => path)).toEqual(['/v2/products', '/v2/orders']);
  });

  test('sandboxes() lists what there is, with the base URLs of the handles', async () => {
    const sachet = await open();
    await sachet.createSandbox({ name: 'w7', environment: 'production', ttl_seconds: 60 });
    const shown = await sachet.sandboxes();
    expect(shown.map(({ name }) => name)).toEqual(['production', 'stage', 'w7']);
    expect(shown.map(({ base_url }) => base_url)).toEqual(shown.map(({ name }) => sachet.sandbox(name).baseUrl));
    expect(shown[2]).toMatchObject({ environment: 'production', ttl_seconds: 60, made_by_login: false });
  });

  test('a sandbox that a login made is reached by its name', async () => {
    const sachet = await open();
    const body = JSON.stringify({ username: 'demo+w7', password: passwordOf('demo') });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    expect(await statusOf(sachet.fetch('/v2/authentication/token', init))).toBe(200);
    expect(await sachet.sandbox('w7').get()).toMatchObject({ name: 'w7', made_by_login: true });
  });

  test('a fetch that is aborted before it begins rejects, and nothing is called', async () => {
    const sandbox = await (await open()).createSandbox();
    const aborted = sandbox.fetch('/v2/products', { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect((await sandbox.requests.list()).requests).toEqual([]);
  });

  test('a fetch that is aborted while it waits rejects, as that of a client whose time is up', async () => {
    const sandbox = await (await open()).createSandbox();
    await sandbox.switches.set({ latency: { milliseconds: 60_000 } });
    const timeouts = new AbortController();
    const late = sandbox.fetch('/v2/products', { signal: timeouts.signal });
    const isUnderWay = async () => (await sandbox.requests.list()).requests.some(({ completed }) => !completed);
    await expect.poll(isUnderWay).toBe(true);
    timeouts.abort(new DOMException('too late', 'TimeoutError'));
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('a fetch that is aborted while its body is on its way rejects', async () => {
    const sandbox = await (await open()).createSandbox();
    const timeouts = new AbortController();
    const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
    const half = { method: 'POST', body, duplex: 'half', signal: timeouts.signal } as RequestInit;
    const sending = sandbox.fetch('/v2/orders', half);
    timeouts.abort();
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each(['before_processing', 'after_processing'] as const)(
    'a connection that breaks %s rejects as a fetch does',
    async (drop) => {
      const sandbox = await (await open()).createSandbox();
      await sandbox.switches.set({ connection: { drop, burst: 1 } });
      await expect(sandbox.fetch('/v2/products')).rejects.toThrow(TypeError);
      expect(await statusOf(sandbox.fetch('/v2/products'))).toBe(401);
    },
  );

  test('a sandbox that there is none of tells so when it is asked', async () => {
    const sandbox = (await open()).sandbox('nope');
    const missing = { status: 404, message: expect.stringContaining('There is no sandbox "nope"') };
    await expect(sandbox.get()).rejects.toMatchObject(missing);
    await expect(sandbox.clock.advance({ seconds: 1 })).rejects.toMatchObject(missing);
    const answer = await sandbox.fetch('/v2/products');
    expect([answer.status, (await answer.json()).message]).toEqual([404, 'There is no sandbox "nope"']);
  });
});
