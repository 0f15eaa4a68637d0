// The typed client of the control API: a method per operation, and errors that say what failed.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ControlError, controlClient } from '../../src/client/control-client.ts';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { ControlOperation } from '../../src/contract/control/control-operation.ts';
import { controlOperationList } from '../../src/contract/control/operations.ts';
import { testSachet } from '../support/sachet.ts';

/** Operations that answer once; the event stream is followed in its own way. */
const operations = controlOperationList.filter(({ id }) => id !== 'events.follow');
const ofSandbox = operations.filter(({ path }) => path.includes('{sandbox}'));

/** The method of an operation, at the place its id says. */
function methodOf(handle: SandboxControl, { id }: ControlOperation): (...sent: unknown[]) => Promise<unknown> {
  let place: unknown = handle;
  for (const key of id.replace(/^sandboxes\./, '').split('.')) place = (place as Record<string, unknown>)[key];
  return (place as (...sent: unknown[]) => Promise<unknown>).bind(undefined);
}

/** A client whose requests are kept, each answered by this. */
function recorded(answer = () => Response.json({})) {
  const fetch = vi.fn(async (_: Request | URL | string, __?: RequestInit) => answer());
  const client = controlClient({ url: 'http://sachet.test/', adminKey: 'key', fetch });
  return { client, sent: () => fetch.mock.calls.map(([url, init]) => [init?.method, url, init?.body] as const) };
}

describe('every operation', () => {
  test.each(ofSandbox.map((operation) => [operation.id, operation] as const))(
    '%s has a method',
    async (_, operation) => {
      const { client, sent } = recorded();
      const odd = 'a/b?c#d e%ü';
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].slice(1).map(() => odd);
      const part = operation.body ? [{ a: 1 }] : operation.query ? [{ a: 'x y', b: undefined, c: 2 }] : [];
      await methodOf(client.sandbox(odd), operation)(...names, ...part);
      const path = operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(odd));
      const query = operation.query && !operation.body ? '?a=x+y&c=2' : '';
      const body = operation.body ? '{"a":1}' : undefined;
      expect(sent()).toEqual([[operation.method, `http://sachet.test${path}${query}`, body]]);
    },
  );

  test('of the server has one, too', async () => {
    const { client, sent } = recorded();
    await client.list();
    await client.create({ name: 'a' });
    expect(sent()).toEqual([
      ['GET', 'http://sachet.test/_admin/sandboxes', undefined],
      ['POST', 'http://sachet.test/_admin/sandboxes', '{"name":"a"}'],
    ]);
    expect(operations.length - ofSandbox.length).toBe(2);
  });

  test('sends the key, and JSON', async () => {
    const fetch = vi.fn(async (_: Request | URL | string, __?: RequestInit) => Response.json({ sandboxes: [] }));
    await controlClient({ url: 'http://x', adminKey: 'key', fetch }).list();
    const headers = new Headers(fetch.mock.calls[0]?.[1]?.headers);
    expect([headers.get('authorization'), headers.get('content-type')]).toEqual(['Bearer key', 'application/json']);
  });
});

describe('an error', () => {
  test('is a ControlError with the status and the whole body, and says what failed', async () => {
    const { control } = testSachet();
    const error = await control
      .sandbox('w9')
      .clock.get()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ControlError);
    expect(error).toMatchObject({
      name: 'ControlError',
      status: 404,
      body: { statusCode: 404, error: 'Not Found', message: expect.stringMatching(/^There is no sandbox "w9"; /) },
      message: expect.stringMatching(/^clock.get failed with 404: There is no sandbox "w9"; /),
    });
  });

  test('has the details of a refused body', async () => {
    const refused = testSachet().control.create({ name: 'A', ttl_seconds: 0 });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      body: { details: [{ field: 'name' }, { field: 'ttl_seconds' }] },
    });
  });

  test.each([
    ['<html>Bad Gateway</html>', 502],
    ['', 503],
    ['null', 500],
    ['"text"', 500],
  ])('of somebody else, who answers %j, is one, too', async (text, status) => {
    const { client } = recorded(() => new Response(text, { status }));
    await expect(client.list()).rejects.toBeInstanceOf(ControlError);
    await expect(client.list()).rejects.toMatchObject({ status });
  });

  test('of the connection says where nothing answers, and why', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(controlClient({ url: 'http://x', adminKey: 'k' }).list()).rejects.toMatchObject({
      message: expect.stringContaining('no server answers at http://x'),
      cause: new TypeError('fetch failed'),
    });
  });

  test('of a server in process is its own: a bug there is no connection that failed', async () => {
    const bug = new TypeError('undefined is no function');
    const client = controlClient({ url: 'http://x', adminKey: 'k', fetch: () => Promise.reject(bug) });
    await expect(client.list()).rejects.toBe(bug);
  });
});

describe.each(['.', '..', ''])('the name %j, which no URL can carry', (name) => {
  test('reaches nothing else', async () => {
    const { control } = testSachet();
    for (const other of ['clock', 'switches', 'reset', 'requests']) await control.create({ name: other });
    const handle = control.sandbox(name);
    const asked = [() => handle.delete(), () => handle.switches.clear(), () => handle.requests.clear()];
    asked.push(
      () => control.sandbox('clock').faults.delete(name),
      () => control.sandbox('clock').snapshots.delete(name),
    );
    for (const ask of asked) await expect(ask()).rejects.toThrow();
    const { sandboxes } = await control.list();
    expect(sandboxes.map((one) => one.name)).toEqual(['clock', 'production', 'requests', 'reset', 'stage', 'switches']);
  });
});
