// Named snapshots: taken, listed, forgotten.
import { describe, expect, test } from 'vitest';
import { everything, told } from '../../support/control.ts';
import { noon } from '../../support/sachet.ts';
import { snapshots } from '../../support/snapshots.ts';

describe('a snapshot', () => {
  test('is taken, listed, read and forgotten, with the time of the sandbox', async () => {
    const { take, list, get, drop, advance } = snapshots();
    expect(await list()).toEqual([]);
    const one = { name: 'one', created_at: noon };
    const taken = await take('one');
    expect([taken.status, taken.body]).toEqual([201, one]);
    await advance(1);
    const two = (await take('two')).body;
    expect(two.created_at).toBe('2026-11-20T12:00:01.000Z');
    expect([await list(), (await get('two')).body]).toEqual([[one, two], two]);
    expect((await drop('one')).status).toBe(204);
    expect(await list()).toEqual([two]);
    expect((await get('one')).status).toBe(404);
  });

  test('of a name that is taken is 409, and the first one stays', async () => {
    const { take, list, advance, drop } = snapshots();
    await take('one');
    await advance(1);
    expect(told(await take('one'))).toEqual([409, expect.stringContaining('"one"')]);
    expect(await list()).toEqual([{ name: 'one', created_at: noon }]);
    await drop('one');
    expect((await take('one')).status).toBe(201);
  });

  test('by ten at once is taken once', async () => {
    const { take } = snapshots();
    const answers = await Promise.all(Array.from({ length: 10 }, () => take('one')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test.each<unknown>(['', 'A', '-a', 'a b', 'a/b', 'ü', 'x'.repeat(64), 5, null, undefined])(
    'may not be named %j',
    async (name) => {
      const { take, list } = snapshots();
      const { status, body } = await take(name);
      expect([status, body.details[0].field]).toEqual([422, 'name']);
      expect(await list()).toEqual([]);
    },
  );

  test.each(['GET', 'DELETE', 'restore'])(
    'that is not there is 404, and those that are are named: %s',
    async (verb) => {
      const server = snapshots();
      const { take, admin } = server;
      await take('one');
      await take('two');
      const before = await everything(server);
      const [method, end] = verb === 'restore' ? ['POST', '/restore'] : [verb, ''];
      for (const name of ['three', '__proto__', 'ONE', '%20']) {
        const [status, message] = told(await admin(method, `/sandboxes/stage/snapshots/${name}${end}`));
        expect([status, message]).toEqual([404, expect.stringContaining('available: one, two')]);
      }
      expect((await everything(server)).versions).toEqual(before.versions);
    },
  );

  test('is one of at most a hundred', async () => {
    const { take, list, drop } = snapshots();
    for (let n = 0; n < 100; n += 1) expect((await take(`s${n}`)).status).toBe(201);
    expect(told(await take('one-more'))).toEqual([422, expect.stringContaining('100 snapshots')]);
    expect(await list()).toHaveLength(100);
    await drop('s50');
    expect((await take('one-more')).status).toBe(201);
  });

  test('is of its own sandbox alone', async () => {
    const { take, admin } = snapshots();
    await take('one');
    expect((await admin('GET', '/sandboxes/production/snapshots')).body.snapshots).toEqual([]);
    expect((await admin('POST', '/sandboxes/production/snapshots/one/restore')).status).toBe(404);
  });
});
