// The connections to a database, beside what is asked by them.
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/stores/postgres/database.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest } from '../../support/postgres/stores.ts';

test.skipIf(postgresMissing())(
  'many transactions, one after the other, leave nothing on their connection',
  async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const database = new Database({ url: await databaseOfTest(), tell: () => undefined });
    const pid = async () => {
      const { rows } = await database.transaction((ask) =>
        ask<{ pid: number }>({ text: 'select pg_backend_pid() as pid' }),
      );
      return rows[0]?.pid;
    };
    const first = await pid();
    for (let n = 0; n < 20; n += 1) expect(await pid()).toBe(first);
    await database.close();
    expect(warnings).toEqual([]);
  },
);

test.skipIf(postgresMissing())(
  'who stands still in a transaction loses its locks before others are refused',
  async () => {
    const url = await databaseOfTest();
    const [still, other] = [1, 2].map(() => new Database({ url, tell: () => undefined })) as [Database, Database];
    await other.ask({ text: 'create table locked as select 0 as n' });
    const update = { text: 'update locked set n = n + 1' };
    const standing = still.transaction(async (ask) => {
      await ask(update);
      await other.ask(update);
    });
    await expect(standing).rejects.toThrow();
    expect((await other.ask({ text: 'select n from locked' })).rows).toEqual([{ n: 1 }]);
    await Promise.all([still.close(), other.close()]);
  },
);

test.skipIf(postgresMissing())('that a database lets nobody in any more is its trouble, until it does', async () => {
  const server = new URL(process.env.TEST_POSTGRES ?? '');
  const url = await databaseOfTest();
  const name = new URL(url).pathname.slice(1);
  const told: string[] = [];
  const database = new Database({ url, tell: (words) => void told.push(words) });
  onTestFinished(() => database.close());
  await ask(server.href, `alter database ${name} rename to ${name}_away`);
  await expect(database.ask({ text: 'select 1' })).rejects.toThrow('does not exist');
  expect(database.trouble).toBe(`the database does not answer: database "${name}" does not exist`);
  await ask(server.href, `alter database ${name}_away rename to ${name}`);
  await expect.poll(() => database.trouble).toBeUndefined();
  expect(told).toEqual([
    `store: the database does not answer: database "${name}" does not exist`,
    'store: the database answers again',
  ]);
});
