// A store that fails, under the service and under the control API: the 500 of the contract, and nothing is done until the store works again.
import { expect, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { docsPath } from '../../src/contract/addresses.ts';
import { errorOf } from '../cases/assumptions/choices.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { controlled, failureOf } from '../support/control.ts';
import { fixtures, noon } from '../support/sachet.ts';

function failing(call: 'load' | 'append') {
  const store = createChaosStore({ everyThird: false });
  const state = { isDown: true, loaded: [] as string[], failures: [] as unknown[] };
  const check = (name: 'load' | 'append') => {
    if (call === name && state.isDown) throw new Error('no connection');
  };
  const { fetch } = createEngine({
    fixtures,
    clock: noon,
    onFailure: (error) => void state.failures.push(error),
    store: {
      ...store,
      load: (name, version) => {
        state.loaded.push(name);
        check('load');
        return store.load(name, version);
      },
      append: (...batch) => {
        check('append');
        return store.append(...batch);
      },
    },
  });
  return { state, get: (path: string) => fetch(`http://localhost${path}`) };
}

test.each(['load', 'append'] as const)('a failing %s is a 500 (HTTP-3) until the store works again', async (call) => {
  const { state, get } = failing(call);
  expect(await (await get('/v2/products')).json()).toEqual(errorOf(500, 'An internal server error occurred'));
  const others = { '/_storage/labels/x.pdf': '<Code>InternalError</Code>', [docsPath]: 'Something went wrong' };
  for (const [path, text] of Object.entries(call === 'load' ? others : {})) {
    state.failures = [];
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining(text)]);
    expect(state.failures).toHaveLength(1);
  }
  state.isDown = false;
  expect((await get('/v2/products')).status).toBe(401);
});

test('an invalid sandbox name never reaches the store', async () => {
  const { state, get } = failing('append');
  for (const path of ['/v2/products', '/_storage/labels/a.pdf'])
    for (const name of ['..%2f..%2fetc', 'UPPER', '%00', `a${'b'.repeat(63)}`])
      expect((await get(`/sandboxes/${name}${path}`)).status, name).toBe(404);
  expect(state.loaded).toEqual([]);
});

test.each([
  ['PATCH', 'clock', { now: '2030-01-01T00:00:00Z' }],
  ['POST', 'faults', { status: 500 }],
  ['POST', 'snapshots', { name: 'one' }],
  ['POST', 'snapshots/kept/restore', undefined],
  ['POST', 'reset', undefined],
  ['POST', 'scenarios/no-pag', undefined],
] as const)('%s …/%s is a 500 if the store fails, and succeeds afterwards', async (method, path, body) => {
  const store = createChaosStore({ everyThird: false });
  const { admin, sachet } = controlled({ store });
  await admin('POST', '/sandboxes/stage/snapshots', { name: 'kept' });
  const { version } = await sachet.sandbox();
  store.failNext(1);
  const failed = await admin(method, `/sandboxes/stage/${path}`, body);
  expect(failureOf(failed)).toEqual([500, 'An internal server error occurred']);
  expect((await sachet.sandbox()).version).toBe(version);
  expect((await admin(method, `/sandboxes/stage/${path}`, body)).status).toBeLessThan(300);
});

test('what onFailure throws reaches the caller of fetch, and onFailure is called once', async () => {
  const store = createChaosStore({ everyThird: false });
  const onFailure = vi.fn(() => {
    throw new Error('from onFailure');
  });
  const { admin } = controlled({ store, onFailure });
  await admin('GET', '/sandboxes/stage');
  store.failNext(1);
  await expect(admin('PATCH', '/sandboxes/stage/clock', { frozen: true })).rejects.toThrow('from onFailure');
  expect(onFailure).toHaveBeenCalledTimes(1);
});
