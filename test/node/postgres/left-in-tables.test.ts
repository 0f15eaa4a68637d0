// Nothing stays in the database that nobody can come to.
import { describe, expect, test } from 'vitest';
import { beginLife, reset } from '../../../src/control/snapshots.ts';
import type { Sandbox } from '../../../src/state/sandbox.ts';
import { count, mark } from '../../support/harsh-sandboxes.ts';
import { bear, expectKept, open } from '../../support/postgres/sandboxes.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { epochsIn, rowCounts } from '../../support/postgres/tables.ts';

describe.skipIf(postgresMissing())('of the epochs of a sandbox', () => {
  const begun = async () => {
    const url = await databaseOfTest();
    const sandbox = await bear(await storeAt(url));
    return { url, sandbox };
  };
  const resetOnce = (sandbox: Sandbox) => sandbox.write((draft) => reset(draft, 0));

  test('those that a reset leaves behind go with their rows', async () => {
    const { url, sandbox } = await begun();
    await mark(sandbox, 'a');
    for (let n = 0; n < 5; n += 1) await resetOnce(sandbox);
    await expect.poll(() => epochsIn(url)).toEqual({ epochs: [0, 6], ofRows: [0, 6] });
    await expectKept(sandbox, await storeAt(url));
  });

  test('those that a snapshot stands upon stay, until it is dropped', async () => {
    const { url, sandbox } = await begun();
    await mark(sandbox, 'a');
    await sandbox.write((draft) => draft.keep('one', 1));
    await mark(sandbox, 'b');
    await resetOnce(sandbox);
    await expect.poll(() => epochsIn(url)).toEqual({ epochs: [0, 1, 3], ofRows: [0, 1, 3] });
    await count(sandbox, 'a');
    await expectKept(sandbox, await storeAt(url));
    await sandbox.write((draft) => draft.drop('one'));
    await expect.poll(() => epochsIn(url)).toEqual({ epochs: [0, 3], ofRows: [0, 3] });
    await expectKept(sandbox, await storeAt(url));
  });

  test('those of snapshots that come and go become one', async () => {
    const { url, sandbox } = await begun();
    for (let n = 0; n < 12; n += 1) {
      await mark(sandbox, `m${n}`);
      await sandbox.write((draft) => draft.keep('one', n));
      await mark(sandbox, `n${n}`);
      if (n % 3 === 0) await sandbox.write((draft) => draft.restore('one'));
      await sandbox.write((draft) => draft.drop('one'));
    }
    await expect.poll(async () => (await epochsIn(url)).epochs.length).toBe(3);
    await expectKept(sandbox, await storeAt(url));
  });

  test('those that a reset leaves behind go also where another server was faster', async () => {
    const { url, sandbox } = await begun();
    const behind = await open(await storeAt(url));
    for (let n = 0; n < 5; n += 1) {
      await mark(sandbox, `m${n}`);
      // It does not look first, and so meets a conflict.
      await behind.write((draft) => reset(draft, 0), true);
    }
    await expect.poll(() => epochsIn(url)).toEqual({ epochs: [0, 6], ofRows: [0, 6] });
    await expectKept(sandbox, await storeAt(url));
  });

  test('the one that was emptied stands upon none', async () => {
    const { url, sandbox } = await begun();
    await sandbox.write((draft) => {
      draft.empty();
      beginLife(draft);
    });
    await expect.poll(() => epochsIn(url)).toEqual({ epochs: [0, 2], ofRows: [0, 2] });
    await expectKept(sandbox, await storeAt(url));
  });
});

test.skipIf(postgresMissing())('a sandbox that is deleted leaves no row in any table', async () => {
  const url = await databaseOfTest();
  const store = await storeAt(url);
  const sandbox = await bear(store);
  await sandbox.write((draft) => draft.keep('one', 1));
  await mark(sandbox, 'a');
  expect(Object.values(await rowCounts(url)).every((rows) => rows > 0)).toBe(true);
  await store.remove('stage');
  const none = { sandboxes: 0, change_lists: 0, epochs: 0, snapshots: 0, rows: 0 };
  expect(await rowCounts(url)).toEqual(none);
  await expect(mark(sandbox, 'b')).rejects.toThrow('the sandbox stage was deleted');
  expect(await rowCounts(url)).toEqual(none);
});
