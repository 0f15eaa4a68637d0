// The rules about pauses: by the sandbox's clock, and only for calls after the response was received.
import { expect, test } from 'vitest';
import { type Judged, judged } from './judged.ts';

const limited = async (): Promise<Judged> => {
  const world = await judged();
  await world.stage.switches.set({ rate_limit: { burst: 1, retry_after: 30 } });
  return world;
};
const failing = async (burst: number, match = {}): Promise<Judged> => {
  const world = await judged();
  await world.stage.switches.set({ server_error: { burst, ...match } });
  return world;
};
/** Each pause with a call after it. */
const paused = async (world: Judged, pauses: readonly number[]) => {
  await world.status();
  for (const pause of pauses) {
    await world.elapse(pause);
    await world.status();
  }
  return world.outcome('backoff_on_500');
};

test('Retry-After ends at its last millisecond, and the advice says how early a call was', async () => {
  const ruledAfter = async (milliseconds: number) => {
    const world = await limited();
    await world.order();
    await world.elapse(milliseconds);
    await world.order();
    return world.ruled('retry_after');
  };
  expect((await ruledAfter(29_999)).outcome).toBe('fail');
  expect((await ruledAfter(30_000)).outcome).toBe('pass');
  expect((await ruledAfter(12_000)).advice).toMatch(
    /^The client called orders\.create 12 s after a 429 with Retry-After 30\. /,
  );
});

test('no call is early that is another one, came at the same time, or came after the clock was set back', async () => {
  const other = await limited();
  await other.order();
  await other.status();
  expect(await other.outcome('retry_after')).toBe('not_exercised');

  const together = await judged();
  await together.stage.switches.set({ rate_limit: { burst: 5 } });
  await Promise.all(Array.from({ length: 5 }, () => together.status()));
  await together.elapse(60_000);
  expect(await together.status()).toBe(200);
  expect(await together.outcome('retry_after')).toBe('pass');

  const back = await limited();
  await back.order();
  await back.setTo(-60_000);
  await back.order();
  expect(await back.outcome('retry_after')).toBe('pass');
});

test('pauses after a 500 grow until they are ten seconds', async () => {
  const outcomeOf = async (...pauses: readonly number[]) => paused(await failing(pauses.length), pauses);
  expect([await outcomeOf(100), await outcomeOf(99)]).toEqual(['pass', 'fail']);
  expect([await outcomeOf(1000, 1200, 1440), await outcomeOf(1000, 1000)]).toEqual(['pass', 'fail']);
  expect([await outcomeOf(1000, 10_000, 10_000), await outcomeOf(1000, 2000, 1000)]).toEqual(['pass', 'fail']);
  // A pause in which the tester advanced the clock says nothing about the next one.
  expect(await outcomeOf(1000, 300_000, 4000)).toBe('pass');
});

test('a 502, 503 or 504 of a gateway is like a 500', async () => {
  for (const status of [502, 503, 504] as const) {
    const world = await judged();
    await world.stage.faults.create({ status, times: 1 });
    expect(await paused(world, [99])).toBe('fail');
    const { advice } = await world.ruled('backoff_on_500');
    expect(advice).toContain(`The client repeated products.list 99 ms after a ${status}.`);
    await world.stage.faults.create({ status, times: 1 });
    await world.order();
    await world.order();
    expect(await world.outcome('no_double_submit')).toBe('fail');
  }
});

test('looking for its order after a 500 takes a client its own time, looks of another user do not', async () => {
  for (const [username, outcome] of [
    ['demo', 'pass'],
    ['other-brand', 'fail'],
  ] as const) {
    const world = await failing(2, { match: { operation: 'orders.create' } });
    const other = await world.sachet.login(username);
    await world.order();
    await world.elapse(100);
    await other.get('/v2/orders');
    await world.elapse(900);
    await world.order();
    await world.elapse(200);
    expect((await world.order()).status).toBe(201);
    expect(await world.outcome('backoff_on_500'), username).toBe(outcome);
  }
  const world = await failing(4, { match: { method: 'POST' } });
  for (const [pause, look] of [
    [1000, 4000],
    [2000, 0],
  ] as const) {
    await world.order();
    await world.elapse(pause);
    await world.client.get('/v2/orders');
    await world.elapse(look);
    await world.client.get('/v2/orders');
  }
  await world.order();
  expect(await world.outcome('backoff_on_500')).toBe('pass');
});

test('a 429 or a 500 of one user says nothing to another', async () => {
  for (const [id, switches] of [
    ['retry_after', { rate_limit: { burst: 1 } }],
    ['backoff_on_500', { server_error: { burst: 1 } }],
  ] as const) {
    const world = await judged();
    const other = await world.sachet.login('read-only');
    await world.stage.switches.set(switches);
    await world.status();
    await other.get('/v2/products');
    expect(await world.outcome(id), id).toBe('not_exercised');
  }
});
