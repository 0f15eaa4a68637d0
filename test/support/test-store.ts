// The store that the whole suite runs over: in memory, a harsh one (TEST_STORE=harsh), or a folder (TEST_STORE=folder).
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineOptions } from '../../src/engine-options.ts';
import { type Disk, machineDisk, type OpenFile } from '../../src/node/state-folder/disk.ts';
import { formats } from '../../src/node/state-folder/format.ts';
import { StateFolder } from '../../src/node/state-folder/state-folder.ts';
import type { Store } from '../../src/state/store.ts';
import { createHarshStore } from './harsh-store.ts';

/** None: the engine's own, in memory. */
export function testStore(): Pick<EngineOptions, 'store'> {
  if (process.env.TEST_STORE === 'harsh') return { store: createHarshStore() };
  return process.env.TEST_STORE === 'folder' ? { store: folderStore() } : {};
}

/** The machine's disk without its syncs: what stands after a loss of power is what other tests are about. */
const hasty: Disk = {
  ...machineDisk,
  create: async (path) => unsynced(await machineDisk.create(path)),
  open: async (path) => unsynced(await machineDisk.open(path)),
  syncFolder: async () => undefined,
};

const unsynced = (file: OpenFile): OpenFile => ({ ...file, sync: async () => undefined });

/** Opened with the first question. */
function folderStore(): Store {
  const path = mkdtempSync(join(process.env.TEST_STATES ?? '', 'state-'));
  const opening = StateFolder.open({ disk: hasty, path, formats, sync: 'always', tell: () => undefined });
  return {
    names: async () => (await opening).names(),
    load: async (name) => (await opening).load(name),
    since: () => [],
    append: async (...asked) => (await opening).append(...asked),
    remove: async (name) => (await opening).remove(name),
    trouble: () => undefined,
  };
}
