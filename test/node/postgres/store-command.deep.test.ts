// What the command makes of a database's URL: the tables, or words without the password.
import { describe, expect, test } from 'vitest';
import { sachetHere } from '../../support/command-here.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { adminKey, databaseOfTest, secret, withPassword } from '../../support/postgres/stores.ts';

/** The first edition's was 1. */
const last = 2;

describe.skipIf(postgresMissing())('sachet store migrate', () => {
  test('makes the tables, and tells where and how far', async () => {
    const url = await databaseOfTest();
    const { host, pathname } = new URL(url);
    const tables = `The tables of postgres://${host}${pathname} are at version ${last}: `;
    for (const did of ['created', 'no change needed']) {
      const command = sachetHere(['store', 'migrate'], { SACHET_STORE: withPassword(url) });
      expect([await command.ended(), command.stderr, command.stdout]).toEqual([0, '', `${tables}${did}\n`]);
    }
  });

  test('says of a database that is not there that it is not, and not with what password', async () => {
    const url = new URL(withPassword(process.env.TEST_POSTGRES ?? ''));
    url.pathname = 'nowhere';
    const command = sachetHere(['store', 'migrate', '--store', url.href]);
    expect([await command.ended(), command.stdout]).toEqual([78, '']);
    expect(command.stderr).toContain(
      `the database at postgres://${url.host}/nowhere cannot be used: database "nowhere" does not exist`,
    );
    expect(command.stderr).not.toContain(secret);
  });

  test('waits a while for a database that does not answer, then says so', async () => {
    // Nobody listens on this port, which only root may.
    const command = sachetHere(['store', 'migrate', '--store', `postgres://somebody:${secret}@127.0.0.1:1/sachet`]);
    expect(await command.ended(60_000)).toBe(1);
    expect(command.stderr).toMatch(
      /^sachet: the database at postgres:\/\/127\.0\.0\.1:1\/sachet cannot be used: .*ECONNREFUSED.*$/m,
    );
    expect(command.stderr).not.toContain(secret);
  });
});

const good = `postgres://somebody:${secret}@127.0.0.1:1/sachet`;

test.each<[string, readonly string[], string]>([
  ['no URL', ['store', 'migrate'], 'no database; pass its URL with --store'],
  ['what is no URL', ['store', 'migrate', '--store', secret], 'is not the URL of a database'],
  [
    'a URL of another scheme',
    ['store', 'migrate', '--store', good.replace('postgres', 'mysql')],
    'is not the URL of a database',
  ],
  ...['/', '#', '?'].map((cut): [string, readonly string[], string] => [
    `a URL whose password has a ${cut}`,
    ['--store', `postgres://somebody:7${cut}${secret}@127.0.0.1:1/sachet`, '--admin-key', adminKey],
    'is not the URL of a database',
  ]),
  [
    'a URL without a database',
    ['store', 'migrate', '--store', good.replace('sachet', '')],
    'postgres://127.0.0.1:1 does not name a database',
  ],
  [
    'a folder beside the database',
    ['--store', good, '--admin-key', adminKey, '--state', '/tmp/none'],
    'or a database (--store, SACHET_STORE), not both',
  ],
  ['--sync without a folder', ['--store', good, '--admin-key', adminKey, '--sync', 'always'], 'needs a state folder'],
  ['no key for all servers', ['--store', good], 'the same on every server that shares the database'],
])('%s is refused at once, with 2', async (_, args, words) => {
  const command = sachetHere(args);
  expect([await command.ended(), command.stdout]).toEqual([2, '']);
  expect(command.stderr).toContain(words);
  expect(command.stderr).not.toContain(secret);
});
