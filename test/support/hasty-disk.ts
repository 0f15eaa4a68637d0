// The machine's disk without its syncs, where it does not matter what a loss of power leaves.
import promises, { type FileHandle } from 'node:fs/promises';
import type { FileSystem } from '../../src/stores/folder/file-system.ts';

const skip = async () => undefined;

/** A handle may be wrapped by assignment: its own methods stand on the prototype. */
const unsynced = (file: FileHandle): FileHandle => Object.assign(file, { sync: skip, datasync: skip });

export const hastyDisk = {
  ...promises,
  open: async (...asked: Parameters<typeof promises.open>) => unsynced(await promises.open(...asked)),
  writeFile: (path: string, data: Uint8Array, { mode }: { readonly mode: number }) =>
    promises.writeFile(path, data, { mode }),
} as unknown as FileSystem;
