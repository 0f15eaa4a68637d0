// Room while sandboxes are being made (product.md, --max-sandboxes): a login waits for one that can go, and only where none will is it refused.
import { describe, expect, test } from 'vitest';
import { type Controlled, controlled, namesOf } from '../../support/control.ts';
import { passwordOf } from '../../support/sachet.ts';
import { logIn } from '../../support/tokens.ts';

const most = 8;
const eight = () => controlled({ maxSandboxes: most });

const enter = ({ sachet }: Controlled, name: string) => logIn(sachet, `demo+${name}`, passwordOf('demo'));
const make = ({ admin }: Controlled, name: string) => admin('POST', '/sandboxes', { name });
const numbered = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/** The largest number of sandboxes that a look saw, until this is through. */
async function mostSeen(server: Controlled, through: Promise<unknown>): Promise<number> {
  let isThrough = false;
  let seen = 0;
  const ending = through.finally(() => {
    isThrough = true;
  });
  while (!isThrough) {
    seen = Math.max(seen, (await namesOf(server)).length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ending;
  return Math.max(seen, (await namesOf(server)).length);
}

/** What each of these logins was told. */
async function refusals(logins: Promise<Awaited<ReturnType<typeof enter>>>[]): Promise<unknown[]> {
  return (await Promise.all(logins)).map(({ status, headers, body }) => [
    status,
    headers.get('sandbox-rule'),
    body.message,
  ]);
}

const refusal = (name: string) => [
  404,
  'no_room',
  expect.stringMatching(
    `^There is no sandbox "${name}", and it cannot be created: the server already has ${most} sandboxes`,
  ),
];

describe('of eight sandboxes', () => {
  test('of 25 logins at once none wants for room, round after round, and there are never more than eight', async () => {
    const server = eight();
    await namesOf(server);
    for (let round = 0; round < 4; round += 1) {
      const logins = Promise.all(numbered('x', 25).map((name) => enter(server, name)));
      expect(await mostSeen(server, logins)).toBeLessThanOrEqual(most);
      expect((await logins).map(({ headers }) => headers.get('sandbox-rule'))).not.toContain('no_room');
      expect((await namesOf(server)).length).toBe(most);
    }
  });

  test('those that exist from the start have their room also while they are being opened', async () => {
    for (let round = 0; round < 10; round += 1) {
      const server = eight();
      const logins = numbered('x', 12).map((name) => enter(server, name));
      expect(await mostSeen(server, Promise.all(logins))).toBeLessThanOrEqual(most);
    }
  });

  test('each of 25 logins at once is let in, round after round', async () => {
    const server = eight();
    for (let round = 0; round < 4; round += 1) {
      const logins = numbered(`x${round}-`, 25).map((name) => enter(server, name));
      expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 200));
    }
  });

  test('six that cannot go leave no room: each of many logins at once is refused', async () => {
    const server = eight();
    for (const name of numbered('made', 6)) expect((await make(server, name)).status).toBe(201);
    expect(await refusals([enter(server, 'alone')])).toEqual([refusal('alone')]);
    const names = numbered('y', 10);
    expect(await refusals(names.map((name) => enter(server, name)))).toEqual(names.map(refusal));
    expect((await namesOf(server)).length).toBe(most);
  });

  test('logins that wait for one that then cannot go are refused', async () => {
    const server = eight();
    for (const name of numbered('made', 5)) await make(server, name);
    for (let round = 0; round < 5; round += 1) {
      const making = make(server, 'sixth');
      const logins = numbered('z', 10).map((name) => enter(server, name));
      expect(await mostSeen(server, Promise.all([making, ...logins]))).toBeLessThanOrEqual(most);
      expect((await making).status).toBe(201);
      const refused = (await Promise.all(logins)).filter(({ status }) => status === 404);
      for (const { headers } of refused) expect(headers.get('sandbox-rule')).toBe('no_room');
      expect(await refusals([enter(server, 'late')])).toEqual([refusal('late')]);
      await server.admin('DELETE', '/sandboxes/sixth');
    }
  });

  test('one place for ten at once goes from one to the next', async () => {
    const server = eight();
    for (const name of numbered('made', 5)) await make(server, name);
    const logins = await Promise.all(numbered('v', 10).map((name) => enter(server, name)));
    expect(logins.map(({ headers }) => headers.get('sandbox-rule'))).not.toContain('no_room');
    expect(logins.map(({ status }) => status)).toContain(200);
    expect((await namesOf(server)).filter((name) => name.startsWith('v'))).toHaveLength(1);
  });
});
