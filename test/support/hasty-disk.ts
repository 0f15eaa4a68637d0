// The machine's disk without its syncs, where what stands after a loss of power is not asked.
import { type Disk, machineDisk, type OpenFile } from '../../src/stores/folder/disk.ts';

const unsynced = (file: OpenFile): OpenFile => ({ ...file, sync: async () => undefined });

export const hastyDisk: Disk = {
  ...machineDisk,
  create: async (path) => unsynced(await machineDisk.create(path)),
  open: async (path) => unsynced(await machineDisk.open(path)),
  syncFolder: async () => undefined,
};
