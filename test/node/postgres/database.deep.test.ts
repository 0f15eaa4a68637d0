// The connections to a database, beside what is asked by them.
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/stores/postgres/database.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest } from '../../support/postgres/stores.ts';

test.skipIf(postgresMissing())('several statements in one question are done together, or not at all', async () => {
  const database = new Database({ url: await databaseOfTest(), notify: () => undefined });
  onTestFinished(() => database.close());
  await database.query({ text: 'create table kept (n int); insert into kept values (1)' });
  await expect(database.query({ text: 'insert into kept values (2); select 1 / 0' })).rejects.toThrow(
    'division by zero',
  );
  expect((await database.query({ text: 'select n from kept' })).rows).toEqual([{ n: 1 }]);
});

test.skipIf(postgresMissing())('that a database lets nobody in any more is its trouble, until it does', async () => {
  const server = new URL(process.env.TEST_POSTGRES ?? '');
  const url = await databaseOfTest();
  const name = new URL(url).pathname.slice(1);
  const told: string[] = [];
  const database = new Database({ url, notify: (words) => void told.push(words) });
  onTestFinished(() => database.close());
  await ask(server.href, `alter database ${name} rename to ${name}_away`);
  await expect(database.query({ text: 'select 1' })).rejects.toThrow('does not exist');
  expect(database.problem).toBe(`the database does not answer: database "${name}" does not exist`);
  await ask(server.href, `alter database ${name}_away rename to ${name}`);
  await expect.poll(() => database.problem).toBeUndefined();
  expect(told).toEqual([
    `store: the database does not answer: database "${name}" does not exist`,
    'store: the database answers again',
  ]);
});
