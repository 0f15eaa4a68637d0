// Limits: how many sandboxes a server has (--max-sandboxes), how long one without use stays (ttl_seconds), how many waits one has.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bounds } from '../../../src/contract/control/bounds.ts';
import { createChaosStore } from '../../support/chaos-store.ts';
import {
  bearer,
  type Controlled,
  controlled,
  everything,
  failureOf,
  machineAt,
  namesOf,
  unseeded,
  untilSo,
} from '../../support/control.ts';
import { passwordOf, testSachet } from '../../support/sachet.ts';
import { scenariosOf } from '../../support/scenarios.ts';
import { logIn, present } from '../../support/tokens.ts';

afterEach(() => void vi.useRealTimers());

const others = async (server: Controlled) =>
  (await namesOf(server)).filter((name) => name !== 'stage' && name !== 'production');
const create = async ({ admin }: Controlled, name: string, options: object = {}) =>
  (await admin('POST', '/sandboxes', { name, ...options })).status;
const logInTo = ({ sachet }: Controlled, name: string) => logIn(sachet, `demo+${name}`, passwordOf('demo'));
const enter = async (server: Controlled, name: string) => (await logInTo(server, name)).status;
const numbered = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
describe('with four sandboxes, stage and production among them', () => {
  const four = () => controlled({ maxSandboxes: 4 });

  test('a new one replaces the one of a login that was unused for the longest time, not one of a tester', async () => {
    const server = four();
    expect([await enter(server, 'a'), await enter(server, 'b')]).toEqual([200, 200]);
    expect(await others(server)).toEqual(['a', 'b']);
    expect(await enter(server, 'c')).toBe(200);
    expect(await others(server)).toEqual(['b', 'c']);
    expect(await create(server, 'd')).toBe(201);
    expect(await others(server)).toEqual(['c', 'd']);
    await enter(server, 'e');
    expect(await others(server)).toEqual(['d', 'e']);
  });

  test('a call, a login and a call of the control API count as use', async () => {
    for (const use of [
      ({ sachet }: Controlled) => sachet.call('GET', '/sandboxes/a/v2/products'),
      (server: Controlled) => enter(server, 'a'),
      ({ admin }: Controlled) => admin('GET', '/sandboxes/a/clock'),
    ]) {
      const server = four();
      await enter(server, 'a');
      await enter(server, 'b');
      await use(server);
      await enter(server, 'c');
      expect(await others(server), `${use}`).toEqual(['a', 'c']);
    }
  });

  test('a new one is rejected where none can go, and nothing is lost', async () => {
    const server = four();
    await create(server, 'one');
    await create(server, 'two');
    const before = await everything(server);
    const message = expect.stringMatching(/^the server already has 4 sandboxes, the maximum; .*--max-sandboxes/);
    expect(failureOf(await server.admin('POST', '/sandboxes', { name: 'three' }))).toEqual([422, message]);
    const { status, headers, body } = await logInTo(server, 'three');
    expect([status, headers.get('sandbox-rule')]).toEqual([404, 'no_room']);
    const words = 'There is no sandbox "three", and it cannot be created: the server already has 4 sandboxes';
    expect(body.message).toContain(words);
    const { journals: _, ...after } = await everything(server);
    expect(before).toMatchObject(after);
    await server.admin('DELETE', '/sandboxes/one');
    expect(await create(server, 'three')).toBe(201);
  });

  test('a rejected one replaces none', async () => {
    const server = four();
    await enter(server, 'a');
    await enter(server, 'b');
    expect(await create(server, 'c', { scenario: 'nope' })).toBe(404);
    expect(await create(server, 'c', { fixtures: { products: [] } })).toBe(422);
    expect(await create(server, 'a')).toBe(409);
    expect((await logIn(server.sachet, 'demo+c', 'wrong')).status).toBe(401);
    expect(await others(server)).toEqual(['a', 'b']);
  });

  test('one whose ttl_seconds are over makes room at once', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const server = four();
    await create(server, 'one', { ttl_seconds: 10 });
    await create(server, 'two');
    move(9999);
    expect(await create(server, 'three')).toBe(422);
    move(1);
    expect(await create(server, 'three')).toBe(201);
    expect(await others(server)).toEqual(['three', 'two']);
  });

  test('looking for a sandbox that does not exist takes no room', async () => {
    const server = controlled({ maxSandboxes: 4, store: createChaosStore() });
    await server.admin('GET', '/sandboxes');
    await enter(server, 'a');
    let isCreated = false;
    const creating = create(server, 'b').finally(() => {
      isCreated = true;
    });
    for (let n = 0; !isCreated; n += 1) {
      void server.sachet.call('GET', `/sandboxes/none-${n}/v2/products`);
      if (n % 5 === 4) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await creating).toBe(201);
    expect(await others(server)).toEqual(['a', 'b']);
  });
});

describe('with eight sandboxes', () => {
  const eight = () => controlled({ maxSandboxes: 8 });

  test('25 logins at once all get in, twice, and there are never more than eight', async () => {
    const server = eight();
    for (let round = 0; round < 2; round += 1) {
      let [isSettled, most] = [false, 0];
      const logins = Promise.all(numbered(`x${round}-`, 25).map((name) => enter(server, name))).finally(() => {
        isSettled = true;
      });
      while (!isSettled) {
        most = Math.max(most, (await namesOf(server)).length);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect([await logins, most, (await namesOf(server)).length]).toEqual([Array(25).fill(200), 8, 8]);
    }
  });

  test('one place goes from one of ten logins at once to the next', async () => {
    const server = eight();
    for (const name of numbered('made', 5)) await create(server, name);
    const logins = await Promise.all(numbered('v', 10).map((name) => logInTo(server, name)));
    expect(logins.map(({ headers }) => headers.get('sandbox-rule'))).not.toContain('no_room');
    expect(logins.map(({ status }) => status)).toContain(200);
    expect((await others(server)).filter((name) => name.startsWith('v'))).toHaveLength(1);
  });
});

test('a login whose response is delayed by a minute keeps its place for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const faults = [{ match: { operation: 'authentication.token' }, delay: { milliseconds: 60_000 } }];
  const scenarios = scenariosOf({ waiting: { faults } });
  const server = controlled({ maxSandboxes: 3, scenarios, scenario: ['waiting'] });
  const isCreated = (name: string) => untilSo(async () => (await namesOf(server)).includes(name));
  const isWaiting = (timers: number) => untilSo(() => vi.getTimerCount() === timers);
  const first = enter(server, 'first');
  await isCreated('first');
  await isWaiting(1);
  const second = enter(server, 'second');
  await isWaiting(2);
  await vi.advanceTimersByTimeAsync(9000);
  expect(await namesOf(server)).toContain('first');
  await vi.advanceTimersByTimeAsync(2000);
  await isCreated('second');
  await isWaiting(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await first, await second]).toEqual([500, 200]);
});

test(`a sandbox has at most ${bounds.waits} waits, which end with it`, async () => {
  const { control } = testSachet();
  await control.create({ name: 'w' });
  const { requests, delete: remove } = control.sandbox('w');
  const wait = (timeout_ms: number) => requests.wait({ match: {}, timeout_ms }).catch((error: unknown) => error);
  const waiting = Array.from({ length: bounds.waits }, () => wait(60_000));
  await requests.list();
  const message = expect.stringContaining(`${bounds.waits} calls already wait`);
  expect(await wait(1)).toMatchObject({ status: 422, message });
  await remove();
  for (const ended of await Promise.all(waiting)) expect(ended).toMatchObject({ status: 409 });
});

/** A server with a sandbox `team` of 60 seconds. */
async function mortal() {
  const move = machineAt('2026-11-20T08:00:00Z');
  const server = controlled();
  const { body } = await server.admin('POST', '/sandboxes', { name: 'team', ttl_seconds: 60, own_key: true });
  const isThere = async () => (await namesOf(server)).includes('team');
  return { ...server, move, isThere, key: body.key as string };
}

describe('ttl_seconds', () => {
  test('a sandbox of 60 seconds, its key and its tokens exist for 59,999 milliseconds; then its name is free', async () => {
    const { sachet, admin, input, move, isThere, key } = await mortal();
    const { token } = await sachet.login('demo', { base: '/sandboxes/team' });
    move(59_999);
    expect([await isThere(), (await present(sachet, token)).status]).toEqual([true, 200]);
    move(59_999);
    expect(await isThere()).toBe(true);
    move(1);
    expect(await isThere()).toBe(false);
    for (const path of [
      '/_admin/sandboxes/team',
      '/sandboxes/team/v2/products',
      '/sandboxes/team/_storage/labels/x.pdf',
    ])
      expect((await sachet.call('GET', path, { headers: bearer(sachet.adminKey) })).status, path).toBe(404);
    const own = await input('GET', '/_admin/sandboxes/team', { headers: bearer(key) });
    expect([own.status, (await present(sachet, token)).status]).toEqual([401, 401]);
    const { status, body } = await admin('POST', '/sandboxes', { name: 'team' });
    expect([status, body.ttl_seconds, body.has_own_key]).toEqual([201, null, false]);
  });

  describe('the time starts again', () => {
    test('with each call, whatever the response', async () => {
      const { sachet, move, isThere } = await mortal();
      const headers = bearer(sachet.adminKey);
      for (const call of [
        'GET /_admin/sandboxes/team/snapshots/none',
        'POST /_admin/sandboxes/team/reset',
        'GET /sandboxes/team/v2/nothing',
        'GET /sandboxes/team/_storage/labels/x.pdf',
      ]) {
        const [method = '', path = ''] = call.split(' ');
        move(59_999);
        await sachet.call(method, path, { headers });
        const team = (await sachet.control.list()).sandboxes.find(({ name }) => name === 'team');
        expect(team?.last_used_at, call).toBe(new Date().toISOString());
      }
      move(60_000);
      expect(await isThere()).toBe(false);
    });

    test('not with a call without the right key, to all sandboxes or to another', async () => {
      const { input, admin, move, isThere } = await mortal();
      move(59_999);
      await input('GET', '/_admin/sandboxes/team');
      await input('GET', '/_admin/sandboxes/team', { headers: bearer('wrong') });
      await admin('GET', '/sandboxes/stage');
      expect(await isThere()).toBe(true);
      move(1);
      expect(await isThere()).toBe(false);
    });
  });

  test('the clock of the sandbox, a reset and a restore leave the time as it is', async () => {
    const { sachet, admin, move } = await mortal();
    await admin('POST', '/sandboxes/team/clock/advance', { by: 'P365D' });
    await admin('POST', '/sandboxes/team/snapshots', { name: 'kept' });
    for (const path of ['reset', 'snapshots/kept/restore']) await admin('POST', `/sandboxes/team/${path}`);
    expect((await admin('GET', '/sandboxes/team')).body.ttl_seconds).toBe(60);
    await admin('POST', '/sandboxes', { name: 'another', ttl_seconds: 60 });
    move(60_000);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test('stage, production and those of a login have no such time', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const { sachet } = controlled(unseeded);
    await sachet.login('demo+w1');
    move(20 * 365 * 86_400_000);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage', 'w1']);
  });
});
