// The next events on the sandbox's clock: ends of switches and faults, expiries of tokens and label URLs, steps of orders.
import { describe, expect, test } from 'vitest';
import { type Upcoming, upcoming } from '../../src/console/pages/upcoming.ts';
import type { Choice } from '../../src/contract/assumptions.ts';
import { nodeHashes as hashes } from '../../src/node/platform.ts';
import { machineTime } from '../../src/system/time.ts';
import { another, labelled, labelUrlOf } from '../support/labels.ts';
import { type TestStage, testStage } from '../support/stage.ts';
import { onTimeline } from '../support/timeline.ts';

/** The events of these kinds, or of all; `in` is in seconds. */
async function eventsIn({ sachet }: Pick<TestStage, 'sachet'>, ...kinds: Upcoming['kind'][]) {
  const sandbox = await sachet.sandbox();
  const events = await sandbox.readAt(machineTime(), (draft, now) =>
    upcoming(draft, { now, hashes }, sandbox.journal.newestFirst()).map(({ at, ...rest }) => ({
      ...rest,
      in: (at - now) / 1000,
    })),
  );
  return events.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}

async function refresh({ sachet, client }: TestStage) {
  const body = { refresh_token: client.refreshToken };
  expect((await sachet.call('POST', '/v2/authentication/refresh-token', { body })).status).toBe(200);
}

const day = 86_400;

describe('tokens', () => {
  test('the last of each user; a refresh gives a new access token', async () => {
    const world = await testStage();
    // Tokens expire on whole seconds.
    await world.elapse(999);
    await world.sachet.login();
    expect((await eventsIn(world)).map((event) => event.in)).toEqual([day - 0.999, 30 * day - 0.999]);
    await world.elapse(59_001);
    await world.sachet.login('other-brand');
    await world.sachet.login();
    await world.elapse(60_000);
    expect(await eventsIn(world, 'access_token')).toEqual([
      { kind: 'access_token', name: 'demo', in: day - 60 },
      { kind: 'access_token', name: 'other-brand', in: day - 60 },
    ]);
    await refresh(world);
    expect((await eventsIn(world)).filter(({ name }) => name === 'demo')).toEqual([
      { kind: 'access_token', name: 'demo', in: day },
      { kind: 'refresh_token', name: 'demo', in: 30 * day - 60 },
    ]);
  });

  test.each<[Choice<'refresh_token_lifetime'>, number[]]>([
    ['30d', [30 * day]],
    ['24h', [day]],
    ['never', []],
    ['single_use', [30 * day]],
  ])('to refresh live as long as the assumption says: %s', async (choice, seconds) => {
    const world = await testStage({ assumptions: { refresh_token_lifetime: choice } });
    expect((await eventsIn(world, 'refresh_token')).map((event) => event.in)).toEqual(seconds);
    await refresh(world);
    expect(await eventsIn(world, 'refresh_token')).toHaveLength(choice === 'single_use' ? 0 : seconds.length);
  });
});

describe('label URLs', () => {
  test('the last of each fulfillment, with the lifetime it was signed with', async () => {
    const world = await testStage();
    await labelUrlOf(world.client);
    await labelUrlOf(world.client, another?.id);
    await world.elapse(60_000);
    await world.stage.switches.set({ label_expiry: { lifetime_seconds: 5 } });
    await labelUrlOf(world.client);
    expect(await eventsIn(world, 'label')).toEqual([
      { kind: 'label', name: labelled?.id, in: 5 },
      { kind: 'label', name: another?.id, in: 840 },
    ]);
    await world.stage.switches.set({ label_expiry: { expire_issued: true } });
    await world.stage.switches.clear();
    expect(await eventsIn(world, 'label')).toEqual([]);
    await labelUrlOf(world.client);
    expect(await eventsIn(world, 'label')).toHaveLength(1);
  });
});

test('switches, windows and faults end by the clock', async () => {
  const world = await testStage();
  await world.stage.requests.clear();
  await world.stage.switches.set({ rate_limit: { for_seconds: 30 }, server_error: { burst: 1 } });
  await world.stage.faults.create({ id: 'slow', delay: { milliseconds: 1 }, for_seconds: 20 });
  expect(await eventsIn(world)).toEqual([
    { kind: 'fault', name: 'slow', in: 20 },
    { kind: 'switch', name: 'rate_limit', in: 30 },
  ]);
  await world.elapse(30_000);
  expect(await eventsIn(world)).toEqual([]);

  // A window starts with its first call; a fault that has affected all its calls is over.
  await world.stage.switches.set({ rate_limit: { limit: 5, window_seconds: 60 }, server_error: null });
  await world.stage.faults.create({ status: 422, times: 1, for_seconds: 60 });
  expect((await eventsIn(world, 'window', 'fault')).map(({ kind }) => kind)).toEqual(['fault']);
  await world.status();
  expect(await eventsIn(world, 'window', 'fault')).toEqual([{ kind: 'window', name: 'rate_limit', in: 60 }]);
});

test('the next ten steps of orders and packages, in automatic mode only', async () => {
  const world = await onTimeline();
  const first = await world.place();
  await world.until(first, 'picked_up');
  const { id: fulfillment } = await world.onlyPackage(first);
  expect(await eventsIn(world, 'fulfillment')).toMatchObject([{ name: fulfillment, step: 'picked_up' }]);
  const steps = [];
  for (let n = 0; n < 12; n += 1) steps.push(await world.next(await world.place()));
  steps.push(await world.next(first));
  const soonest = steps.toSorted((one, other) => (one.due_at < other.due_at ? -1 : 1)).slice(0, 10);
  const listed = (await eventsIn(world, 'order', 'fulfillment')).map(({ name, step }) => [name, step]);
  expect(listed).toEqual(soonest.map(({ id, step }) => [id, step]));
  await world.setTimeline('manual');
  expect(await eventsIn(world, 'order', 'fulfillment')).toEqual([]);
});
