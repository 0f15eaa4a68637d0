// The typed client of the control API: a method per operation, and errors that say what failed.
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { ControlError, controlClient } from '../../src/client/control-client.ts';
import type { NewSandboxOptions } from '../../src/client/sandbox.ts';
import type { Method, SandboxControl } from '../../src/client/sandbox-control.ts';
import type { ControlArguments, ControlOperation } from '../../src/contract/control/control-operation.ts';
import { type ControlId, type ControlOperations, controlOperationList } from '../../src/contract/control/operations.ts';
import { thrownBy } from '../library/starts.ts';
import { testSachet } from '../support/sachet.ts';

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
