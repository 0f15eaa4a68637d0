// One clock over every expiry of a sandbox, to the millisecond, and no other: the machine's Date moves none of them.
import { describe, expect, test } from 'vitest';
import { controlled, machineAt } from '../../support/control.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { someOrder } from '../../support/order-requests.ts';
import { noon } from '../../support/sachet.ts';
import { present, refresh } from '../../support/tokens.ts';

const day = 86_400_000;

/** What expires: the time it has in milliseconds, and a question that is answered by whether it is still good. */
async function goods(clock = noon) {
  const server = controlled({ clock });
  const { sachet } = server;
  const client = await sachet.login();
  const url = await labelUrlOf(client);
  const limited = await sachet.login('demo', { base: '/sandboxes/production' });
  await sachet.control.sandbox('production').switches.set({ rate_limit: { for_seconds: 60 } });
  return {
    ...server,
    'an access token': { lasts: day, isGood: async () => (await present(sachet, client.token)).status === 200 },
    'a refresh token': {
      lasts: 30 * day,
      isGood: async () => (await refresh(sachet, client.refreshToken)).status === 200,
    },
    'a label URL': { lasts: 900_000, isGood: async () => (await sachet.call('GET', url)).status === 200 },
    'a rate limit': { lasts: 60_000, isGood: async () => (await limited.get('/v2/products')).status === 429 },
  };
}
const kinds = ['an access token', 'a refresh token', 'a label URL', 'a rate limit'] as const;

describe.each(kinds)('%s', (kind) => {
  const sandbox = kind === 'a rate limit' ? 'production' : 'stage';

  test('lasts to its last millisecond when the clock is moved on', async () => {
    const { admin, [kind]: one } = await goods();
    const advance = (milliseconds: number) =>
      admin('POST', `/sandboxes/${sandbox}/clock/advance`, { seconds: milliseconds / 1000 });
    await advance(one.lasts - 1);
    expect(await one.isGood()).toBe(true);
    await advance(1);
    expect(await one.isGood()).toBe(false);
  });

  test('lasts to its last millisecond when the clock is set, and is good again when it is set back', async () => {
    const { admin, [kind]: one } = await goods();
    const setTo = (milliseconds: number) =>
      admin('PATCH', `/sandboxes/${sandbox}/clock`, { now: new Date(Date.parse(noon) + milliseconds).toISOString() });
    const seen = [];
    for (const at of [one.lasts - 1, one.lasts, one.lasts - 1]) {
      await setTo(at);
      seen.push(await one.isGood());
    }
    expect(seen).toEqual([true, false, true]);
  });

  test.each(['.000Z', '.001Z', '.999Z'])(
    'lasts exactly its seconds from a time with the fraction %s',
    async (fraction) => {
      const { admin, [kind]: one } = await goods(noon.replace('.000Z', fraction));
      const advance = (seconds: number) => admin('POST', `/sandboxes/${sandbox}/clock/advance`, { seconds });
      await advance(one.lasts / 1000 - 1);
      expect(await one.isGood()).toBe(true);
      await advance(1);
      expect(await one.isGood()).toBe(false);
    },
  );

  test('does not go by the Date of the machine under a frozen clock', async () => {
    const move = machineAt(noon);
    const { [kind]: one } = await goods();
    move(1000 * day);
    expect(await one.isGood()).toBe(true);
    move(-2000 * day);
    expect(await one.isGood()).toBe(true);
  });

  test('goes by the Date of the machine under a running clock', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const { [kind]: one } = await goods(`${noon}+`);
    move(one.lasts - 1);
    expect(await one.isGood()).toBe(true);
    move(1);
    expect(await one.isGood()).toBe(false);
  });

  test('does not go by the clock of another sandbox', async () => {
    const { admin, [kind]: one } = await goods();
    const another = sandbox === 'stage' ? 'production' : 'stage';
    await admin('POST', `/sandboxes/${another}/clock/advance`, { by: 'P1000D' });
    expect(await one.isGood()).toBe(true);
  });
});

describe('the Date of an answer', () => {
  const dateOf = async ({ sachet }: Pick<Awaited<ReturnType<typeof goods>>, 'sachet'>) =>
    (await sachet.call('GET', '/v2/products')).headers.get('date');

  test('is the time of the sandbox in whole seconds', async () => {
    const move = machineAt('2001-01-01T00:00:00Z');
    const server = await goods();
    move(day);
    expect(await dateOf(server)).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
    await server.admin('POST', '/sandboxes/stage/clock/advance', { seconds: 59.999 });
    expect(await dateOf(server)).toBe('Fri, 20 Nov 2026 12:00:59 GMT');
    await server.admin('POST', '/sandboxes/stage/clock/advance', { seconds: 0.001 });
    expect(await dateOf(server)).toBe('Fri, 20 Nov 2026 12:01:00 GMT');
  });

  test('of the control API is not', async () => {
    const { headers } = await (await goods()).admin('GET', '/sandboxes/stage/clock');
    expect(headers.get('date')).toBeNull();
  });
});

test('an order carries the time of the sandbox, and what is made later under an earlier clock comes later in the list', async () => {
  const { admin, sachet } = controlled({ assumptions: { list_order: 'oldest_first' } });
  const client = await sachet.login();
  await admin('PATCH', '/sandboxes/stage/clock', { now: '2026-11-20T18:00:00Z' });
  const first = (await client.post('/v2/orders', someOrder())).body.order.id;
  await admin('PATCH', '/sandboxes/stage/clock', { now: '2026-11-20T13:00:00Z' });
  const second = (await client.post('/v2/orders', someOrder())).body.order.id;
  const { orders } = (await client.get('/v2/orders?limit=100')).body;
  expect(orders.slice(-2).map(({ id }: { id: string }) => id)).toEqual([first, second]);
  const rows = [...(await sachet.sandbox()).state.table('orders').entries()].slice(-2).map(([, row]) => row.created_at);
  expect(rows).toEqual(['2026-11-20T18:00:00.000Z', '2026-11-20T13:00:00.000Z']);
});
