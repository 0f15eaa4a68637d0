// The limits of a server: how many sandboxes it has (--max-sandboxes), also while some are being created, and how many waits one has.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bounds } from '../../../src/contract/control/bounds.ts';
import { createChaosStore } from '../../support/chaos-store.ts';
import {
  type Controlled,
  controlled,
  everything,
  failureOf,
  machineAt,
  namesOf,
  untilSo,
} from '../../support/control.ts';
import { passwordOf, testSachet } from '../../support/sachet.ts';
import { scenariosOf } from '../../support/scenarios.ts';
import { logIn } from '../../support/tokens.ts';

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
