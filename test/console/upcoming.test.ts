// What is to come by the sandbox's clock: the steps, ends, tokens and label URLs that it is made of, and what is none.
import { describe, expect, test } from 'vitest';
import { upcoming } from '../../src/console/pages/upcoming.ts';
import { assumptionRegister } from '../../src/contract/assumptions.ts';
import { logIn } from '../../src/domain/tokens.ts';
import { nodeHashes as hashes } from '../../src/node/platform.ts';
import { operatorWorld } from '../../src/sandbox/sandbox-world.ts';
import { timeOf } from '../../src/state/clock.ts';
import { machineTime } from '../../src/system/time.ts';
import { type Bent, bent } from '../support/bent.ts';
import { another, labelled, labelUrlOf } from '../support/labels.ts';
import { passwordOf } from '../support/sachet.ts';
import { onTimeline } from '../support/timeline.ts';

type World = Pick<Bent, 'sachet'>;

async function comingIn({ sachet }: World) {
  const sandbox = await sachet.sandbox();
  return sandbox.readAt(machineTime(), (draft, now) =>
    upcoming(draft, { now, hashes }, sandbox.journal.newestFirst()).map(({ at, ...rest }) => ({
      ...rest,
      in: (at - now) / 1000,
    })),
  );
}
const kindsIn = async (world: World) => (await comingIn(world)).map(({ kind }) => kind);
const of = async (world: World, ...kinds: string[]) =>
  (await comingIn(world)).filter(({ kind }) => kinds.includes(kind));

const day = 86_400;

/** A fulfillment to make others of. */
const { id: _, ...unnamed } = labelled ?? { id: '' };

describe('tokens', () => {
  test('of each caller the last is told', async () => {
    const world = await bent();
    await world.elapse(60_000);
    await world.sachet.login();
    await world.sachet.login('other-brand');
    await world.elapse(60_000);
    expect(await of(world, 'access_token')).toEqual([
      { kind: 'access_token', name: 'demo', in: day - 60 },
      { kind: 'access_token', name: 'other-brand', in: day - 60 },
    ]);
  });

  test('a refresh gives a new access token and leaves the refresh token', async () => {
    const world = await bent();
    await world.elapse(3_600_000);
    await refresh(world);
    expect(await comingIn(world)).toEqual([
      { kind: 'access_token', name: 'demo', in: day },
      { kind: 'refresh_token', name: 'demo', in: 30 * day - 3600 },
    ]);
  });

  test('a refresh whose login was forgotten has no name', async () => {
    const world = await bent();
    await world.stage.requests.clear();
    await refresh(world);
    expect(await comingIn(world)).toEqual([{ kind: 'access_token', name: undefined, in: day }]);
  });

  test('one that was made between two seconds expires with the second of its exp', async () => {
    const world = await bent();
    await world.elapse(999);
    await world.sachet.login();
    expect((await comingIn(world)).map((one) => one.in)).toEqual([day - 0.999, 30 * day - 0.999]);
  });

  test('a refused login gives nothing', async () => {
    const world = await bent();
    await world.stage.requests.clear();
    await world.sachet.call('POST', '/v2/authentication/token', { body: { username: 'demo', password: 'wrong' } });
    expect(await comingIn(world)).toEqual([]);
  });

  test('the lifetime of the switch is that of the answer', async () => {
    const world = await bent();
    await world.stage.switches.set({ token_expiry: { lifetime_seconds: 60 } });
    await world.sachet.login();
    expect(await of(world, 'access_token')).toEqual([{ kind: 'access_token', name: 'demo', in: 60 }]);
  });

  test('those that the switch has expired are not told, those of a login behind a refusal are', async () => {
    const world = await bent();
    await world.elapse(1000);
    await world.stage.switches.set({ token_expiry: { expire_issued: true } });
    expect(await kindsIn(world)).toEqual(['refresh_token']);
    expect(await world.status()).toBe(401);
    await refresh(world);
    expect(await kindsIn(world)).toEqual(['access_token', 'refresh_token']);
  });

  test('one that was refused as expired is not told, also when the switch is off again', async () => {
    const world = await bent();
    await world.stage.switches.set({ token_expiry: { expire_issued: true } });
    await world.status();
    await world.stage.switches.clear();
    expect(await kindsIn(world)).toEqual(['refresh_token']);
  });

  test('a 401 of a fault says nothing of the token', async () => {
    const world = await bent();
    await world.stage.faults.create({ status: 401, times: 1 });
    expect(await world.status()).toBe(401);
    expect(await kindsIn(world)).toEqual(['access_token', 'refresh_token']);
  });

  test.each(assumptionRegister.refresh_token_lifetime.choices.map(([choice]) => choice))(
    'a refresh token lives as it is signed: %s',
    async (choice) => {
      const world = await bent({ assumptions: { refresh_token_lifetime: choice } });
      const sandbox = await world.sachet.sandbox();
      const { iat, exp } = await sandbox.dryRun((draft) => {
        const now = timeOf(draft.value('clock'), machineTime());
        const login = { username: 'demo', password: passwordOf('demo') };
        return logIn(operatorWorld(draft, { now, hashes }), login).refresh;
      });
      const told = (await of(world, 'refresh_token')).map((token) => token.in);
      expect(told).toEqual(exp === undefined ? [] : [exp - iat]);
    },
  );

  test('one for a single use is spent by it', async () => {
    const world = await bent({ assumptions: { refresh_token_lifetime: 'single_use' } });
    await refresh(world);
    expect(await kindsIn(world)).toEqual(['access_token']);
  });
});

async function refresh({ sachet, client }: Pick<Bent, 'sachet' | 'client'>) {
  const body = { refresh_token: client.refreshToken };
  expect((await sachet.call('POST', '/v2/authentication/refresh-token', { body })).status).toBe(200);
}

describe('label URLs', () => {
  test('of each fulfillment the last is told, of one or of a list, by the lifetime it was signed with', async () => {
    const world = await bent();
    await labelUrlOf(world.client);
    await labelUrlOf(world.client, another?.id);
    await world.elapse(60_000);
    await world.stage.switches.set({ label_expiry: { lifetime_seconds: 5 } });
    await labelUrlOf(world.client);
    expect(await of(world, 'label')).toEqual([
      { kind: 'label', name: labelled?.id, in: 5 },
      { kind: 'label', name: another?.id, in: 840 },
    ]);
  });

  test('those that the storage refuses by now are not told, those of afterwards are', async () => {
    const world = await bent();
    await labelUrlOf(world.client);
    await world.stage.switches.set({ label_expiry: { expire_issued: true } });
    await world.stage.switches.clear();
    expect(await of(world, 'label')).toEqual([]);
    await labelUrlOf(world.client);
    expect(await of(world, 'label')).toHaveLength(1);
  });

  test('of a list all are told, the last ten at most', async () => {
    const world = await bent();
    const { body } = await world.client.get('/v2/fulfillments?limit=3');
    const listed = body.fulfillments.map(({ id }: { id: string }) => id);
    expect((await of(world, 'label')).map(({ name }) => name)).toEqual(listed);
    for (let n = 0; n < 12; n += 1)
      await world.stage.records.fulfillments.create({ ...unnamed, shipment_order_number: `S-${n}` });
    await world.client.get('/v2/fulfillments?limit=20');
    expect(await of(world, 'label')).toHaveLength(10);
  });
});

describe('switches and faults', () => {
  test('are told where the clock ends them', async () => {
    const world = await bent();
    await world.stage.requests.clear();
    await world.stage.switches.set({ rate_limit: { for_seconds: 30 }, server_error: { burst: 1 } });
    await world.stage.faults.create({ id: 'slow', delay: { milliseconds: 1 }, for_seconds: 20 });
    expect(await comingIn(world)).toEqual([
      { kind: 'fault', name: 'slow', in: 20 },
      { kind: 'switch', name: 'rate_limit', in: 30 },
    ]);
    await world.elapse(30_000);
    expect(await comingIn(world)).toEqual([]);
  });

  test('a window is told once a call has begun it', async () => {
    const world = await bent();
    await world.stage.switches.set({ rate_limit: { limit: 5, window_seconds: 60 } });
    expect(await of(world, 'window')).toEqual([]);
    await world.status();
    expect(await of(world, 'window')).toEqual([{ kind: 'window', name: 'rate_limit', in: 60 }]);
  });

  test('a fault that has met all its calls does not end any more', async () => {
    const world = await bent();
    await world.stage.faults.create({ status: 422, times: 1, for_seconds: 60 });
    expect(await of(world, 'fault')).toHaveLength(1);
    await world.status();
    expect(await of(world, 'fault')).toEqual([]);
  });
});

describe('steps of the timeline', () => {
  test('the next ten are told in the order of their times, and are still there afterwards', async () => {
    const world = await onTimeline();
    const ids = await Promise.all(Array.from({ length: 12 }, () => world.place()));
    const due = await Promise.all(ids.map((id) => world.next(id)));
    const soonest = due.toSorted((one, other) => (one.due_at < other.due_at ? -1 : 1)).slice(0, 10);
    const expected = soonest.map(({ id, step }) => ({ kind: 'order', name: id, step }));
    for (const _ of [1, 2]) expect((await of(world, 'order')).map(({ in: _in, ...step }) => step)).toEqual(expected);
  });

  test('packages have steps, too', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'picked_up');
    const { id: fulfillment } = await world.onlyPackage(id);
    expect(await of(world, 'fulfillment')).toEqual([expect.objectContaining({ name: fulfillment, step: 'picked_up' })]);
  });

  test('by hand there are none', async () => {
    const world = await onTimeline();
    await world.place();
    await world.turn('manual');
    expect(await of(world, 'order')).toEqual([]);
  });
});

test('calls are looked at no further back than two hundred', async () => {
  const world = await bent();
  for (let n = 0; n < 199; n += 1) await world.status();
  expect(await kindsIn(world)).toEqual(['access_token', 'refresh_token']);
  await world.status();
  expect(await kindsIn(world)).toEqual([]);
});
