// How many sandboxes there may be (product.md, --max-sandboxes).
import { describe, expect, test } from 'vitest';
import { createChaosStore } from '../../support/chaos-store.ts';
import { type Controlled, controlled, everything, machineAt, namesOf, told } from '../../support/control.ts';
import { passwordOf } from '../../support/sachet.ts';
import { logIn } from '../../support/tokens.ts';

const others = async (server: Pick<Controlled, 'sachet'>) =>
  (await namesOf(server)).filter((name) => name !== 'stage' && name !== 'production');
const make = async ({ admin }: Controlled, name: string, told: object = {}) =>
  (await admin('POST', '/sandboxes', { name, ...told })).status;
const enter = async ({ sachet }: Controlled, name: string) =>
  (await logIn(sachet, `demo+${name}`, passwordOf('demo'))).status;

describe('of four sandboxes, stage and production among them', () => {
  const four = () => controlled({ maxSandboxes: 4 });

  test('there are four, and with a fifth the longest unused one made by login goes', async () => {
    const server = four();
    expect([await enter(server, 'a'), await enter(server, 'b')]).toEqual([200, 200]);
    expect(await others(server)).toEqual(['a', 'b']);
    expect(await enter(server, 'c')).toBe(200);
    expect(await others(server)).toEqual(['b', 'c']);
    expect(await make(server, 'd')).toBe(201);
    expect(await others(server)).toEqual(['c', 'd']);
  });

  test.each([
    ['a call', async ({ sachet }: Controlled) => void (await sachet.call('GET', '/sandboxes/a/v2/products'))],
    ['a login', async (server: Controlled) => void (await enter(server, 'a'))],
    ['a call of the control API', async ({ admin }: Controlled) => void (await admin('GET', '/sandboxes/a/clock'))],
  ])('%s uses a sandbox', async (_, use) => {
    const server = four();
    await enter(server, 'a');
    await enter(server, 'b');
    await use(server);
    await enter(server, 'c');
    expect(await others(server)).toEqual(['a', 'c']);
  });

  test('those that a tester made stay, whoever comes', async () => {
    const server = four();
    await make(server, 'made');
    await enter(server, 'a');
    await enter(server, 'b');
    expect(await others(server)).toEqual(['b', 'made']);
  });

  test('with none to go a new one is refused in clear words, and nothing is lost', async () => {
    const server = four();
    await make(server, 'one');
    await make(server, 'two');
    const before = await everything(server);
    const [status, message] = told(await server.admin('POST', '/sandboxes', { name: 'three' }));
    expect(status).toBe(422);
    expect(message).toMatch(/^the server already has 4 sandboxes, the maximum; .*--max-sandboxes/);
    const login = await logIn(server.sachet, 'demo+three', passwordOf('demo'));
    expect([login.status, login.headers.get('sandbox-rule'), login.body.message]).toEqual([
      404,
      'no_room',
      expect.stringMatching(
        /^There is no sandbox "three", and it cannot be created: the server already has 4 sandboxes/,
      ),
    ]);
    const { sandboxes, versions } = await everything(server);
    expect([sandboxes, versions]).toEqual([before.sandboxes, before.versions]);
    await server.admin('DELETE', '/sandboxes/one');
    expect(await make(server, 'three')).toBe(201);
  });

  test('a refused one makes nobody go', async () => {
    const server = four();
    await enter(server, 'a');
    await enter(server, 'b');
    expect(await make(server, 'c', { scenario: 'nope' })).toBe(404);
    expect(await make(server, 'c', { fixtures: { products: [] } })).toBe(422);
    expect(await make(server, 'a')).toBe(409);
    expect((await logIn(server.sachet, 'demo+c', 'wrong')).status).toBe(401);
    expect(await others(server)).toEqual(['a', 'b']);
  });

  test('one whose time is over makes room at once', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const server = four();
    await make(server, 'one', { ttl_seconds: 10 });
    await make(server, 'two');
    move(9500);
    expect(await make(server, 'three')).toBe(422);
    move(500);
    expect(await make(server, 'three')).toBe(201);
    expect(await others(server)).toEqual(['three', 'two']);
  });

  test('many at once are never more than four', async () => {
    const server = four();
    const names = Array.from({ length: 12 }, (_, n) => `w${n}`);
    await Promise.all(names.map((name) => enter(server, name)));
    expect((await others(server)).length).toBeLessThanOrEqual(2);
    await Promise.all(names.map((name) => make(server, `m${name}`)));
    expect((await others(server)).length).toBe(2);
  });

  test('a look for one that is not there takes no room', async () => {
    const server = controlled({ maxSandboxes: 4, store: createChaosStore() });
    await server.admin('GET', '/sandboxes');
    await enter(server, 'a');
    let isMade = false;
    const making = make(server, 'b').finally(() => {
      isMade = true;
    });
    for (let n = 0; !isMade; n += 1) {
      void server.sachet.call('GET', `/sandboxes/none-${n}/v2/products`);
      if (n % 5 === 4) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await making).toBe(201);
    expect(await others(server)).toEqual(['a', 'b']);
  });
});
