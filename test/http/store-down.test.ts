// A store that fails where a sandbox is opened or made: the service's 500, never a bug, and all is well once it answers again.
import { expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import type { Store } from '../../src/state/store.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { fixtures, noon } from '../support/sachet.ts';

function failing(call: 'load' | 'append') {
  const store = createChaosStore({ everyThird: false });
  const state = { isDown: true, loaded: [] as string[] };
  const down = () => {
    if (state.isDown) throw new Error('no connection');
  };
  const wrapped: Store = {
    load: (name, version) => {
      state.loaded.push(name);
      if (call === 'load') down();
      return store.load(name, version);
    },
    append: (...asked) => {
      if (call === 'append') down();
      return store.append(...asked);
    },
    names: store.names,
    remove: store.remove,
    problem: store.problem,
  };
  return { state, sachet: createEngine({ fixtures, clock: noon, store: wrapped }) };
}

test.each(['load', 'append'] as const)(
  'a failing %s of a sandbox is the 500 of the contract (HTTP-3), and heals',
  async (call) => {
    const { state, sachet } = failing(call);
    const response = await sachet.fetch('http://localhost/v2/products');
    expect([response.status, await response.json()]).toEqual([
      500,
      { statusCode: 500, error: 'Internal Server Error', message: 'An internal server error occurred' },
    ]);
    state.isDown = false;
    expect((await sachet.fetch('http://localhost/v2/products')).status).toBe(401);
  },
);

test('a label of a failing store is the InternalError of S3', async () => {
  const { sachet } = failing('load');
  const response = await sachet.fetch('http://localhost/_storage/labels/x.pdf');
  expect([response.status, (await response.text()).includes('<Code>InternalError</Code>')]).toEqual([500, true]);
});

test.each(['/v2/products', '/_storage/labels/a.pdf'])(
  '%s under a name that is none never reaches the store',
  async (path) => {
    const { state, sachet } = failing('append');
    for (const name of ['..%2f..%2fetc', 'UPPER', '%00', `a${'b'.repeat(63)}`]) {
      expect((await sachet.fetch(`http://localhost/sandboxes/${name}${path}`)).status).toBe(404);
    }
    expect(state.loaded).toEqual([]);
  },
);

test('promises of another library are waited for', async () => {
  const chaos = createChaosStore();
  const foreign = <T>(promise: T | Promise<T>): Promise<T> =>
    ({
      // biome-ignore lint/suspicious/noThenProperty: a thenable that is no Promise is the point
      then: (done: (value: T) => void, failed: (error: unknown) => void) => Promise.resolve(promise).then(done, failed),
    }) as never;
  const store: Store = {
    load: (...asked) => foreign(chaos.load(...asked)),
    append: (...asked) => foreign(chaos.append(...asked)),
    names: () => foreign(chaos.names()),
    remove: (...asked) => foreign(chaos.remove(...asked)),
    problem: chaos.problem,
  };
  const sachet = createEngine({ fixtures, clock: noon, store });
  const body = JSON.stringify({ username: 'demo', password: 'sachet-demo' });
  const headers = { 'content-type': 'application/json' };
  const login = await sachet.fetch('http://localhost/v2/authentication/token', { method: 'POST', headers, body });
  expect(login.status).toBe(200);
});

test('a login that its schema refuses makes no sandbox', async () => {
  const sachet = createEngine({ fixtures, clock: noon });
  const body = JSON.stringify({ username: 'demo+w9', password: 'sachet-demo', remember: true });
  const headers = { 'content-type': 'application/json' };
  const login = await sachet.fetch('http://localhost/v2/authentication/token', { method: 'POST', headers, body });
  expect([login.status, await sachet.sandboxes.get('w9')]).toEqual([422, undefined]);
});
