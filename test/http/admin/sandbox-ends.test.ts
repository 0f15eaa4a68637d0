// Calls that are under way while their sandbox begins anew or goes: they end at once, and write nothing.
import { describe, expect, test } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import { controlled, untilSo } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';

const hour = 3_600_000;
const slow = { latency: { milliseconds: hour, match: { operation: 'orders.create' } } } as const;

/** A sandbox where an order waits for an hour, and the promise of its answer. */
async function waiting() {
  const server = controlled();
  const { sachet, admin } = server;
  await admin('POST', '/sandboxes', { name: 'team' });
  await admin('POST', '/sandboxes/team/snapshots', { name: 'kept' });
  const team = sachet.control.sandbox('team');
  const client = await sachet.login('demo', { base: '/sandboxes/team' });
  await team.switches.set(slow);
  const answer = client.post('/v2/orders', someOrder());
  await untilSo(async () => (await team.switches.get()).latency?.hits === 1);
  return { ...server, team, client, answer };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
/** Whether it is answered; a deadline is met only by one that hangs. */
async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  call.then(settle, settle);
  const deadline = performance.now() + 30_000;
  await untilSo(() => settled || performance.now() > deadline);
  return settled;
}

const wholeError = { statusCode: 500, error: 'Internal Server Error', message: 'An internal server error occurred' };

describe.each(['reset', 'snapshots/kept/restore'])('over a %s', (path) => {
  test('a call that waits is answered at once by the 500 of the contract, and no order is stored', async () => {
    const { admin, sachet, client, answer } = await waiting();
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await answer).body).toEqual(wholeError);
    const { state } = await sachet.sandbox('team');
    expect(state.table('orders').size).toBe(fixtures.orders.length);
    const next = await client.post('/v2/orders', someOrder());
    await admin('POST', `/sandboxes/team/${path}`);
    expect((await client.post('/v2/orders', someOrder())).text).toBe(next.text);
  });

  test.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
    'a call that comes %i ticks before it never waits for a life that is over',
    async (ticks) => {
      const { admin, sachet } = controlled();
      const stage = sachet.control.sandbox('stage');
      await stage.snapshots.create({ name: 'kept' });
      const client = await sachet.login();
      await stage.switches.set(slow);
      const answer = client.post('/v2/orders', someOrder());
      for (let n = 0; n < ticks; n += 1) await tick();
      await admin('POST', `/sandboxes/stage/${path}`);
      const wasAnswered = await isAnswered(answer);
      (await sachet.sandbox()).close();
      await answer;
      expect(wasAnswered).toBe(true);
    },
  );
});

test.each([2, 3, 4, 5])(
  'a call that is admitted together with a reset, %i ticks before it, does not wait for a life that is over',
  async (ticks) => {
    for (const busyAt of [0, 1, 2, 3]) {
      const { admin, sachet } = controlled({ store: createChaosStore() });
      const client = await sachet.login();
      await client.get('/v2/products');
      await sachet.control.sandbox('stage').switches.set(slow);
      const stage = await sachet.sandbox();
      const answer = client.post('/v2/orders', someOrder());
      const writes: unknown[] = [];
      for (let n = 0; n < ticks; n += 1) {
        if (n === busyAt) writes.push(stage.write((draft) => draft.count('what keeps the store busy')));
        await tick();
      }
      await Promise.all([admin('POST', '/sandboxes/stage/reset'), ...writes]);
      const wasAnswered = await isAnswered(answer);
      stage.close();
      await answer;
      expect(wasAnswered, `busy at ${busyAt}`).toBe(true);
    }
  },
);

test('over a deletion a call that waits is answered at once, and nothing comes of it', async () => {
  const { admin, answer } = await waiting();
  expect((await admin('DELETE', '/sandboxes/team')).status).toBe(204);
  expect((await answer).body).toEqual(wholeError);
  await admin('POST', '/sandboxes', { name: 'team' });
  expect((await admin('GET', '/sandboxes/team/requests')).body.requests).toEqual([]);
});

test('a call that waits uses its sandbox when it came, and its end is in the journal', async () => {
  const { admin, team, answer } = await waiting();
  await admin('POST', '/sandboxes/team/snapshots/kept/restore');
  await answer;
  const { requests } = await team.requests.list();
  expect(requests.map(({ operation, status }) => [operation, status])).toEqual([
    ['authentication.token', 200],
    ['orders.create', 500],
  ]);
});
