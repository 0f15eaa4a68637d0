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

describe.each(['reset', 'snapshots/kept/restore'])('%s', (path) => {
  test('answers a delayed call with 500 at once, and stores no order', async () => {
    const { admin, sachet, team, client, response } = await delayed();
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await response).body).toEqual(error500);
    if (path !== 'reset') {
      const { requests } = await team.requests.list();
      expect(requests).toMatchObject([
        { operation: 'authentication.token' },
        { operation: 'orders.create', status: 500 },
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
        let isSettled = false;
        const settle = () => {
          isSettled = true;
        };
        client.post('/v2/orders', someOrder()).then(settle, settle);
        const writes: unknown[] = [];
        for (let n = 0; n < ticks; n += 1) {
          if (n === busyAt) writes.push(stage.write((draft) => draft.count('what keeps the store busy')));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all([admin('POST', `/sandboxes/stage/${path}`), ...writes]);
        await expect.poll(() => isSettled, { interval: 1, message: `${ticks} ticks` }).toBe(true);
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
