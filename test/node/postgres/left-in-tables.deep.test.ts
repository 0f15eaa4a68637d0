// Nothing stays in the database that nobody can come to.
import { describe, expect, test } from 'vitest';
import { mark } from '../../support/chaos-sandboxes.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { rowCounts } from '../../support/postgres/tables.ts';
import { make } from '../../support/stored-sandboxes.ts';

const none = { sandboxes: 0, changes: 0, documents: 0, journals: 0, journal_rows: 0 };

describe.skipIf(postgresMissing())('a sandbox that is deleted', () => {
  test('leaves no row in any table', async () => {
    const url = await databaseOfTest();
    const store = await storeAt(url);
    const sandbox = await make(store);
    await sandbox.write((draft) => draft.keep('one', 1));
    await mark(sandbox, 'a');
    await store.journals.write('stage', { startedAt: 0, text: '{}' });
    expect(Object.values(await rowCounts(url)).every((rows) => rows > 0)).toBe(true);
    await store.remove('stage');
    expect(await rowCounts(url)).toEqual(none);
    await expect(mark(sandbox, 'b')).rejects.toThrow('the sandbox stage was deleted');
    expect(await rowCounts(url)).toEqual(none);
  });

  test('leaves none of what is written at that moment, by any server', async () => {
    const url = await databaseOfTest();
    const stores = [await storeAt(url), await storeAt(url)] as const;
    for (let n = 0; n < 20; n += 1) {
      const sandbox = await make(stores[0], `s${n}`);
      await stores[1].load(`s${n}`, 0);
      const writes = Array.from({ length: 10 }, (_, m) => [
        mark(sandbox, `m${m}`),
        ...stores.map(({ journals }) => journals.write(`s${n}`, { startedAt: 0, text: '{}' })),
      ]);
      await Promise.allSettled([...writes.flat(), stores[1].remove(`s${n}`)]);
    }
    expect(await rowCounts(url)).toEqual(none);
  });
});

test.skipIf(postgresMissing())(
  'fixtures go a day after the last sandbox of theirs was made, and not while one has them',
  async () => {
    const url = await databaseOfTest();
    const store = await storeAt(url);
    const fixtures = async () => (await ask(url, 'select name from fixtures')).length;
    await make(store);
    await ask(url, `update fixtures set used_at = now() - interval '25 hours'`);
    await ask(url, `insert into fixtures values ('old', '{}', now() - interval '25 hours'), ('young', '{}', now())`);
    await store.list();
    await expect.poll(fixtures).toBe(2);
    await store.remove('stage');
    await store.list();
    await expect.poll(fixtures).toBe(1);
  },
);
