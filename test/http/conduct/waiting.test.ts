// The rules about coming again: by the sandbox's clock, and only for what came after the answer had been seen.
import { expect, test } from 'vitest';
import { idOf, type Judged, judged } from '../../support/conduct/judged.ts';

const limited = async (): Promise<Judged> => {
  const world = await judged();
  await world.stage.switches.set({ rate_limit: { burst: 1, retry_after: 30 } });
  return world;
};
const failing = async (count: number, options?: Parameters<typeof judged>[0]): Promise<Judged> => {
  const world = await judged(options);
  await world.stage.switches.set({ server_error: { burst: count } });
  return world;
};
const ofBackoff = async (pauses: readonly number[]) => {
  const world = await failing(pauses.length);
  await world.status();
  for (const pause of pauses) {
    await world.elapse(pause);
    await world.status();
  }
  return (await world.ruled('backoff_on_500')).outcome;
};

test('Retry-After is over at its last millisecond', async () => {
  for (const [milliseconds, outcome] of [
    [29_999, 'fail'],
    [30_000, 'pass'],
  ] as const) {
    const world = await limited();
    await world.order();
    await world.elapse(milliseconds);
    await world.order();
    expect((await world.ruled('retry_after')).outcome).toBe(outcome);
  }
});

test('what came how early is told', async () => {
  const world = await limited();
  await world.order();
  await world.elapse(12_000);
  await world.order();
  expect((await world.ruled('retry_after')).advice).toMatch(
    /^The client called orders\.create 12 s after a 429 with Retry-After 30\. After a 429, wait for the seconds/,
  );
});

test('another call than the one that met the limit may come, and one that never comes back has not been tried', async () => {
  const world = await limited();
  await world.order();
  await world.status();
  expect((await world.ruled('retry_after')).outcome).toBe('not_exercised');
});

test('calls that meet the limit together are no early ones', async () => {
  const world = await judged();
  await world.stage.switches.set({ rate_limit: { burst: 5 } });
  await Promise.all(Array.from({ length: 5 }, () => world.status()));
  await world.elapse(60_000);
  expect(await world.status()).toBe(200);
  expect((await world.ruled('retry_after')).outcome).toBe('pass');
});

test('a clock that is turned back makes no call early', async () => {
  const world = await limited();
  await world.order();
  await world.setTo(-60_000);
  await world.order();
  expect((await world.ruled('retry_after')).outcome).toBe('pass');
});

test('pauses after a 500 grow until they are ten seconds', async () => {
  expect(await ofBackoff([100])).toBe('pass');
  expect(await ofBackoff([99])).toBe('fail');
  expect(await ofBackoff([1000, 1200, 1440])).toBe('pass');
  expect(await ofBackoff([1000, 1000])).toBe('fail');
  expect(await ofBackoff([1000, 2000, 1000])).toBe('fail');
  expect(await ofBackoff([1000, 10_000, 10_000])).toBe('pass');
});

test.each([502, 503, 504] as const)('a %i of a gateway asks for the same pauses as a 500', async (status) => {
  for (const [pause, outcome] of [
    [100, 'pass'],
    [99, 'fail'],
  ] as const) {
    const world = await judged();
    await world.stage.faults.create({ status, times: 1 });
    await world.status();
    await world.elapse(pause);
    await world.status();
    const ruled = await world.ruled('backoff_on_500');
    expect(ruled.outcome).toBe(outcome);
    if (outcome === 'fail')
      expect(ruled.advice).toContain(`The client repeated products.list 99 ms after a ${status}.`);
  }
});

test.each([502, 503, 504] as const)('an order is not sent again unseen after a %i of a gateway', async (status) => {
  const world = await judged();
  await world.stage.faults.create({ status, times: 1 });
  await world.order();
  await world.elapse(1000);
  await world.order();
  expect((await world.ruled('no_double_submit')).outcome).toBe('fail');
});

test('who looks for its order after a 500 has a reason to wait; a look of another user is none', async () => {
  for (const [username, outcome] of [
    ['demo', 'pass'],
    ['other-brand', 'fail'],
  ] as const) {
    const world = await judged();
    await world.stage.switches.set({ server_error: { burst: 2, match: { operation: 'orders.create' } } });
    const other = await world.sachet.login(username);
    await world.order();
    await world.elapse(100);
    await other.get('/v2/orders');
    await world.elapse(900);
    await world.order();
    await world.elapse(200);
    expect((await world.order()).status).toBe(201);
    expect((await world.ruled('backoff_on_500')).outcome, username).toBe(outcome);
  }
});

test('another call may come at once after a 500, and a success ends the series', async () => {
  const world = await failing(2);
  expect(await world.statuses(1)).toEqual([500]);
  expect(await world.status('/v2/fulfillments/60000000-0000-4000-8000-000000000001')).toBe(500);
  await world.elapse(500);
  expect(await world.statuses(3)).toEqual([200, 200, 200]);
  expect((await world.ruled('backoff_on_500')).outcome).toBe('pass');
});

test('maintenance is outlasted by pauses that grow', async () => {
  const world = await judged();
  await world.stage.switches.set({ maintenance: { for_seconds: 300 } });
  const ids: string[] = [];
  for (const pause of [0, 20_000, 40_000, 80_000, 160_000]) {
    await world.elapse(pause);
    ids.push(idOf(await world.client.get('/v2/products')));
  }
  expect(await world.ruled('backoff_on_500')).toMatchObject({ outcome: 'pass', evidence: ids.slice(1) });
});
