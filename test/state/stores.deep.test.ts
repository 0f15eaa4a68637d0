// The stores that need only this process and its disk; test/node/postgres has the one for PostgreSQL.
import { onTestFinished } from 'vitest';
import { StateFolder } from '../../src/stores/folder/state-folder.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { folder } from '../support/command.ts';
import { hastyDisk } from '../support/hasty-disk.ts';
import { storeSuite } from './store-suite.ts';

storeSuite('memory with conflicts', async () => {
  const store = createChaosStore();
  return { store, reopen: async () => store };
});

storeSuite('a folder', async () => {
  const path = folder();
  // Small, so that some tests compact the log and others do not.
  const options = { fs: hastyDisk, path, sync: 'always', notify: () => undefined, compactAfterBytes: 3000 } as const;
  const store = await StateFolder.open(options);
  let current = store;
  onTestFinished(() => current.close());
  const reopen = async () => {
    await current.close();
    current = await StateFolder.open(options);
    return current;
  };
  return { store, reopen };
});
