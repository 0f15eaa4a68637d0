// The stores that need nothing but this process and its disk. PostgreSQL's own is in test/node/postgres.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { StateFolder } from '../../src/stores/folder/state-folder.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { hastyDisk } from '../support/hasty-disk.ts';
import { storeSuite } from '../support/store-suite.ts';

for (const everyThird of [false, true])
  storeSuite(everyThird ? 'memory that conflicts' : 'memory', async () => {
    const store = createChaosStore({ everyThird });
    return { store, reopen: async () => store };
  });

/** @param compactAfterBytes the log is compacted often, or not at all */
const folder = (compactAfterBytes: number) => async () => {
  const path = mkdtempSync(join(tmpdir(), 'sachet-stores-'));
  const open = () =>
    StateFolder.open({ fs: hastyDisk, path, sync: 'always', notify: () => undefined, compactAfterBytes });
  const store = await open();
  let current = store;
  const reopen = async () => {
    await current.close();
    current = await open();
    return current;
  };
  onTestFinished(async () => {
    await current.close();
    rmSync(path, { recursive: true });
  });
  return { store, reopen };
};

storeSuite('a folder', folder(16_777_216));
storeSuite('a folder whose log is compacted often', folder(300));
