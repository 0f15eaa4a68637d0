// Many logins at once at --max-sandboxes (product.md): each is let in, or refused at once for want of room, and there are never too many sandboxes.
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

type LoggedIn = Awaited<ReturnType<typeof enter>>;

const outcome = ({ status, headers, body }: LoggedIn) => [status, headers.get('sandbox-rule'), body.message];

const refusal = (name: string) => [
  404,
  'no_room',
  expect.stringMatching(`^There is no sandbox "${name}", and none can be made: there are ${most} sandboxes`),
];

describe('of eight sandboxes', () => {
  test('25 logins at once fill the room, round after round, and there are never more than eight', async () => {
    const server = eight();
    await namesOf(server);
    for (let round = 0; round < 4; round += 1) {
      const names = numbered(`x${round}-`, 25);
      const logins = Promise.all(names.map((name) => enter(server, name)));
      expect(await mostSeen(server, logins)).toBeLessThanOrEqual(most);
      const answers = await logins;
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(most - 2);
      for (const [index, answer] of answers.entries())
        if (answer.status !== 200) expect(outcome(answer)).toEqual(refusal(names[index] ?? ''));
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

  test('six that cannot go leave no room: each of many logins at once is refused', async () => {
    const server = eight();
    for (const name of numbered('made', 6)) expect((await make(server, name)).status).toBe(201);
    const names = ['alone', ...numbered('y', 10)];
    const logins = await Promise.all(names.map((name) => enter(server, name)));
    expect(logins.map(outcome)).toEqual(names.map(refusal));
    expect((await namesOf(server)).length).toBe(most);
  });

  test('one place for ten at once goes to one of them', async () => {
    const server = eight();
    for (const name of numbered('made', 5)) await make(server, name);
    const logins = await Promise.all(numbered('v', 10).map((name) => enter(server, name)));
    expect(logins.map(({ status }) => status)).toContain(200);
    expect((await namesOf(server)).filter((name) => name.startsWith('v'))).toHaveLength(1);
  });
});
