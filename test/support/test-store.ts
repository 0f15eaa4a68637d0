// The store that the whole suite runs over: in memory, a store that fails at times (TEST_STORE=chaos), or a folder (TEST_STORE=folder).
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineOptions } from '../../src/engine.ts';
import type { Store } from '../../src/state/store.ts';
import { StateFolder } from '../../src/stores/folder/state-folder.ts';
import { createChaosStore } from './chaos-store.ts';
import { hastyDisk } from './hasty-disk.ts';

/** None: in memory. */
export function testStore(): Pick<EngineOptions, 'store'> {
  if (process.env.TEST_STORE === 'chaos') return { store: createChaosStore() };
  return process.env.TEST_STORE === 'folder' ? { store: folderStore() } : {};
}

/** Opened with the first question. */
function folderStore(): Store {
  const path = mkdtempSync(join(process.env.TEST_STATES ?? '', 'state-'));
  const opening = StateFolder.open({ fs: hastyDisk, path, sync: 'always', notify: () => undefined });
  return {
    names: async () => (await opening).names(),
    load: async (...asked) => (await opening).load(...asked),
    append: async (...asked) => (await opening).append(...asked),
    remove: async (name) => (await opening).remove(name),
    problem: () => undefined,
  };
}
