// The databases that tests are given on the server of the run.
import { describe, expect, test } from 'vitest';
import { ask, freshDatabase } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';

describe.skipIf(postgresMissing())('fresh databases', () => {
  const server = { url: process.env.TEST_POSTGRES ?? '' };

  test('do not see one another', async () => {
    const [one, other] = await Promise.all([freshDatabase(server), freshDatabase(server)]);
    await ask(one.url, 'create table seen (n int)');
    await expect(ask(other.url, 'select * from seen')).rejects.toThrow('relation "seen" does not exist');
    await Promise.all([one.drop(), other.drop()]);
  });

  test('are gone when they are dropped, also a second time', async () => {
    const { url, drop } = await freshDatabase(server);
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await drop();
    await drop();
    await expect(ask(url, 'select 1')).rejects.toThrow('does not exist');
  });
});
