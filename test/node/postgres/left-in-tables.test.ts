// Nothing stays in the database that nobody can come to.
import { expect, test } from 'vitest';
import { mark } from '../../support/harsh-sandboxes.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { rowCounts } from '../../support/postgres/tables.ts';
import { make } from '../../support/stored-sandboxes.ts';

test.skipIf(postgresMissing())('a sandbox that is deleted leaves no row in any table', async () => {
  const url = await databaseOfTest();
  const store = await storeAt(url);
  const sandbox = await make(store);
  await sandbox.write((draft) => draft.keep('one', 1));
  await mark(sandbox, 'a');
  expect(Object.values(await rowCounts(url)).every((rows) => rows > 0)).toBe(true);
  await store.remove('stage');
  const none = { sandboxes: 0, changes: 0, documents: 0, journals: 0 };
  await expect.poll(() => rowCounts(url)).toEqual(none);
  await expect(mark(sandbox, 'b')).rejects.toThrow('the sandbox stage was deleted');
  expect(await rowCounts(url)).toEqual(none);
});
