// A store that fails under the control API: the 500 of the contract, and nothing is done until the store works again.
import { expect, test, vi } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import { controlled, failureOf } from '../../support/control.ts';

test.each([
  ['PATCH', 'clock', { now: '2030-01-01T00:00:00Z' }],
  ['POST', 'faults', { status: 500 }],
  ['POST', 'snapshots', { name: 'one' }],
  ['POST', 'snapshots/kept/restore', undefined],
  ['POST', 'reset', undefined],
  ['POST', 'scenarios/no-pag', undefined],
] as const)('%s …/%s', async (method, path, body) => {
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
