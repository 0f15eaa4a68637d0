// The connections to a database, beside what is asked by them.
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/node/postgres/database.ts';
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
