// The real disk without syncs, for tests without a power loss.
import promises, { type FileHandle } from 'node:fs/promises';
import type { FileSystem } from '../../src/stores/folder/file-system.ts';

const skip = async () => undefined;

/** The methods of a handle are on its prototype, so an assignment overrides them. */
const unsynced = (file: FileHandle): FileHandle => Object.assign(file, { sync: skip, datasync: skip });

export const hastyDisk = {
  ...promises,
  open: async (...asked: Parameters<typeof promises.open>) => unsynced(await promises.open(...asked)),
  writeFile: (path: string, data: Uint8Array, { mode }: { readonly mode: number }) =>
    promises.writeFile(path, data, { mode }),
} as unknown as FileSystem;
