// The tables of a database: made where there are none, by one of many who come at the same time.
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/stores/postgres/database.ts';
import { migrate } from '../../../src/stores/postgres/open-store.ts';
import { call, serving } from '../../support/command.ts';
import { sachetHere } from '../../support/command-here.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { adminKey, databaseOfTest, withPassword } from '../../support/postgres/stores.ts';

/** The first edition's was 1. */
const last = 2;

function databaseAt(url: string): Database {
  const database = new Database({ url, notify: () => undefined });
  onTestFinished(() => database.close());
  return database;
}

/** What ends a start and `sachet store migrate` over this database. */
async function refusals(url: string): Promise<string[]> {
  const told: string[] = [];
  for (const args of [
    ['store', 'migrate'],
    ['--port', '0', '--admin-key', adminKey],
  ]) {
    const command = sachetHere([...args, '--store', withPassword(url)]);
    expect(await command.ended()).toBe(78);
    told.push(command.stderr);
  }
  return told;
}

const stepsTaken = async (url: string): Promise<number[]> =>
  (await ask(url, 'select step from migrations order by step')).map(({ step }) => step);
const everyStep = [last];

describe.skipIf(postgresMissing())('the tables', () => {
  test('are made in an empty database, and left as they are the next time', async () => {
    const url = await databaseOfTest();
    const database = databaseAt(url);
    expect([await migrate(database), await migrate(database)]).toEqual([true, false]);
    expect(await stepsTaken(url)).toEqual(everyStep);
  });

  test('are made by one of six who come at once', async () => {
    const url = await databaseOfTest();
    const done = await Promise.all(Array.from({ length: 6 }, () => migrate(databaseAt(url))));
    expect(done.filter((isNew) => isNew)).toHaveLength(1);
    expect(await stepsTaken(url)).toEqual(everyStep);
  });

  test('that are there take no right to make any', async () => {
    const url = await databaseOfTest();
    await migrate(databaseAt(url));
    const user = `${new URL(url).pathname.slice(1)}_reader`;
    await ask(url, `create role ${user} login password '${user}'`);
    onTestFinished(async () => {
      await ask(url, `drop owned by ${user}`);
      await ask(url, `drop role ${user}`);
    });
    await ask(url, 'revoke create on schema public from public');
    await ask(url, `grant select, insert, update, delete on all tables in schema public to ${user}`);
    const own = new URL(url);
    [own.username, own.password] = [user, user];
    expect(await migrate(databaseAt(own.href))).toBe(false);
  });

  test('of a newer version are left alone, with 78 and words', async () => {
    const url = await databaseOfTest();
    await migrate(databaseAt(url));
    await ask(url, 'insert into migrations values ($1, now())', [last + 1]);
    const words = `sachet: the tables of the database have version ${last + 1}, and this version of Sachet supports ${last}: nothing was changed; use the version of Sachet that created them, or a newer one\n`;
    expect(await refusals(url)).toEqual([words, words]);
    expect(await stepsTaken(url)).toEqual([...everyStep, last + 1]);
  });

  test('of the first edition are left alone, with 78 and the way to bring their sandboxes over', async () => {
    const url = await databaseOfTest();
    await ask(url, 'create table migrations (step int primary key, taken_at timestamptz not null)');
    await ask(url, 'insert into migrations values (1, now())');
    for (const words of await refusals(url)) {
      expect(words).toMatch(/^sachet: the tables of the database are from Sachet 0\.1, /);
      expect(words).toContain('save GET /_admin/sandboxes/{sandbox}/state of each sandbox');
    }
    const tables = `select table_name as name from information_schema.tables where table_schema = 'public'`;
    expect(await ask(url, tables)).toEqual([{ name: 'migrations' }]);
    expect(await stepsTaken(url)).toEqual([1]);
  });
});

test.skipIf(postgresMissing())('servers that are started together over an empty database share it', async () => {
  const url = await databaseOfTest();
  const args = ['--store', withPassword(url), '--admin-key', adminKey, '--log', 'off'];
  const servers = await Promise.all([serving(args), serving(args), serving(args)]);
  expect(await stepsTaken(url)).toEqual(everyStep);
  for (const { ready, stderr } of servers) {
    expect(stderr).toBe('');
    expect((await call('GET', `${ready.url}/health`)).body.status).toBe('ok');
  }
});
