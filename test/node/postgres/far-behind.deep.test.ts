// A server that has not asked for a sandbox for a while: what others wrote meanwhile is told by what it is now if that is less.
import { expect, test } from 'vitest';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { make } from '../../support/stored-sandboxes.ts';

const megabyte = 1_000_000;

test.skipIf(postgresMissing())('what is more than 16 MiB of changes is read as the sandbox is now', async () => {
  const url = await databaseOfTest();
  const [one, other] = [await storeAt(url), await storeAt(url)];
  const sandbox = await make(one);
  await other.load('stage', 0);
  const writeTo = async (last: number) => {
    while (sandbox.version < last)
      await sandbox.write((state) => {
        const name = `${sandbox.version} ${'n'.repeat(megabyte)}`;
        state.setValue('operator', { ...state.value('operator'), name });
      });
  };
  await writeTo(11);
  const few = await other.load('stage', 1);
  expect(few?.commits.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(few?.whole).toBeUndefined();
  await writeTo(21);
  const many = await other.load('stage', 1);
  expect(many?.whole?.document.version).toBeGreaterThan(1);
  expect(many?.commits.at(-1)?.version ?? many?.whole?.document.version).toBe(21);
});
