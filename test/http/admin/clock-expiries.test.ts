// One clock for every expiry of a sandbox, to the millisecond.
import { describe, expect, test } from 'vitest';
import { controlled, machineAt } from '../../support/control.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { someOrder } from '../../support/order-requests.ts';
import { noon } from '../../support/sachet.ts';
import { present, refresh } from '../../support/tokens.ts';

const day = 86_400_000;

/** What expires: how long it lasts in milliseconds, and whether it is still valid. */
async function expiring(clock = noon) {
  const server = controlled({ clock });
  const { sachet } = server;
  const client = await sachet.login();
  const url = await labelUrlOf(client);
  const limited = await sachet.login('demo', { base: '/sandboxes/production' });
  await sachet.control.sandbox('production').switches.set({ rate_limit: { for_seconds: 60 } });
  return {
    ...server,
    'an access token': { lasts: day, isValid: async () => (await present(sachet, client.token)).status === 200 },
    'a refresh token': {
      lasts: 30 * day,
      isValid: async () => (await refresh(sachet, client.refreshToken)).status === 200,
    },
    'a label URL': { lasts: 900_000, isValid: async () => (await sachet.call('GET', url)).status === 200 },
    'a rate limit': { lasts: 60_000, isValid: async () => (await limited.get('/v2/products')).status === 429 },
  };
}

describe.each(['an access token', 'a refresh token', 'a label URL', 'a rate limit'] as const)('%s', (kind) => {
  const sandbox = kind === 'a rate limit' ? 'production' : 'stage';

  // Tokens and label URLs count whole seconds.
  test.each([
    ['.000Z', 1],
    ['.999Z', 1000],
  ])('lasts to its end from a time with the fraction %s, to %i ms', async (fraction, step) => {
    const { admin, [kind]: one } = await expiring(noon.replace('.000Z', fraction));
    const another = sandbox === 'stage' ? 'production' : 'stage';
    await admin('POST', `/sandboxes/${another}/clock/advance`, { by: 'P1000D' });
    const advance = (milliseconds: number) =>
      admin('POST', `/sandboxes/${sandbox}/clock/advance`, { seconds: milliseconds / 1000 });
    await advance(one.lasts - step);
    expect(await one.isValid()).toBe(true);
    await advance(step);
    expect(await one.isValid()).toBe(false);
  });

  test('is valid again when the clock is set back', async () => {
    const { admin, [kind]: one } = await expiring();
    const valid = [];
    for (const at of [one.lasts - 1, one.lasts, one.lasts - 1]) {
      const now = new Date(Date.parse(noon) + at).toISOString();
      await admin('PATCH', `/sandboxes/${sandbox}/clock`, { now });
      valid.push(await one.isValid());
    }
    expect(valid).toEqual([true, false, true]);
  });

  test('follows the machine under a running clock, and not under a frozen one', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const { [kind]: frozen } = await expiring();
    const { [kind]: one } = await expiring(`${noon}+`);
    move(one.lasts - 1);
    expect(await one.isValid()).toBe(true);
    move(1);
    expect(await one.isValid()).toBe(false);
    move(1000 * day);
    expect(await frozen.isValid()).toBe(true);
    move(-2000 * day);
    expect(await frozen.isValid()).toBe(true);
  });
});

test('the Date header has the time of the sandbox in whole seconds; the control API has none', async () => {
  const { admin, sachet } = controlled();
  const date = async () => (await sachet.call('GET', '/v2/products')).headers.get('date');
  expect(await date()).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  await admin('POST', '/sandboxes/stage/clock/advance', { seconds: 59.999 });
  expect(await date()).toBe('Fri, 20 Nov 2026 12:00:59 GMT');
  await admin('POST', '/sandboxes/stage/clock/advance', { seconds: 0.001 });
  expect(await date()).toBe('Fri, 20 Nov 2026 12:01:00 GMT');
  expect((await admin('GET', '/sandboxes/stage/clock')).headers.get('date')).toBeNull();
});

test('an order has the time of the sandbox; one created later under an earlier clock comes later in the list', async () => {
  const { admin, sachet } = controlled({ assumptions: { list_order: 'oldest_first' } });
  const client = await sachet.login();
  const times = ['2026-11-20T18:00:00.000Z', '2026-11-20T13:00:00.000Z'];
  const ids: string[] = [];
  for (const now of times) {
    await admin('PATCH', '/sandboxes/stage/clock', { now });
    ids.push((await client.post('/v2/orders', someOrder())).body.order.id);
  }
  const { orders } = (await client.get('/v2/orders?limit=100')).body;
  expect(orders.slice(-2).map(({ id }: { id: string }) => id)).toEqual(ids);
  const rows = [...(await sachet.sandbox()).state.table('orders').entries()].slice(-2).map(([, row]) => row.created_at);
  expect(rows).toEqual(times);
});
