// Calls in progress when their sandbox is reset, restored or deleted: they end at once and write nothing.
import { describe, expect, test } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import { controlled, untilSo } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';

const slow = { latency: { milliseconds: 3_600_000, match: { operation: 'orders.create' } } } as const;
const error500 = { statusCode: 500, error: 'Internal Server Error', message: 'An internal server error occurred' };

/** A sandbox where an order is delayed by an hour, and its response. */
async function delayed() {
  const server = controlled();
  const { sachet, admin } = server;
  await admin('POST', '/sandboxes', { name: 'team' });
  await admin('POST', '/sandboxes/team/snapshots', { name: 'kept' });
  const team = sachet.control.sandbox('team');
  const client = await sachet.login('demo', { base: '/sandboxes/team' });
  await team.switches.set(slow);
  const response = client.post('/v2/orders', someOrder());
  await untilSo(async () => (await team.switches.get()).latency?.hits === 1);
  return { ...server, team, client, response };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
/** Whether it ends; only a call that hangs meets the deadline. */
async function ends(call: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  call.then(settle, settle);
  const deadline = performance.now() + 30_000;
  await untilSo(() => isSettled || performance.now() > deadline);
  return isSettled;
}

describe.each(['reset', 'snapshots/kept/restore'])('%s', (path) => {
  test('answers a delayed call with 500 at once, and stores no order', async () => {
    const { admin, sachet, team, client, response } = await delayed();
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await response).body).toEqual(error500);
    if (path !== 'reset') {
      const calls = (await team.requests.list()).requests.map(({ operation, status }) => [operation, status]);
      expect(calls).toEqual([
        ['authentication.token', 200],
        ['orders.create', 500],
      ]);
    }
    expect((await sachet.sandbox('team')).state.table('orders').size).toBe(fixtures.orders.length);
    const next = await client.post('/v2/orders', someOrder());
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await client.post('/v2/orders', someOrder())).text).toBe(next.text);
  });

  test.each([-1, 0, 1, 2, 3])(
    'ends a call that came any number of ticks before it, the store busy at tick %i',
    async (busyAt) => {
      for (let ticks = 0; ticks < 8; ticks += 1) {
        const { admin, sachet } = controlled({ store: createChaosStore() });
        const client = await sachet.login();
        const { snapshots, switches } = sachet.control.sandbox('stage');
        await snapshots.create({ name: 'kept' });
        await switches.set(slow);
        const stage = await sachet.sandbox();
        const response = client.post('/v2/orders', someOrder());
        const writes: unknown[] = [];
        for (let n = 0; n < ticks; n += 1) {
          if (n === busyAt) writes.push(stage.write((draft) => draft.count('what keeps the store busy')));
          await tick();
        }
        await Promise.all([admin('POST', `/sandboxes/stage/${path}`), ...writes]);
        const isEnded = await ends(response);
        stage.close();
        await response;
        expect(isEnded, `${ticks} ticks`).toBe(true);
      }
    },
  );
});

test('a deletion answers a delayed call with 500 at once, and nothing of it is left', async () => {
  const { admin, response } = await delayed();
  expect((await admin('DELETE', '/sandboxes/team')).status).toBe(204);
  expect((await response).body).toEqual(error500);
  await admin('POST', '/sandboxes', { name: 'team' });
  expect((await admin('GET', '/sandboxes/team/requests')).body.requests).toEqual([]);
});
