// How a sandbox comes to be kept: made on the disk, or found there.
import { Low } from 'lowdb';
import type { Commit } from '../../state/root.ts';
import { ChangeLog } from './change-log.ts';
import { changesName, snapshotName } from './generations.ts';
import type { LoadedSandbox } from './load-sandbox.ts';
import { folderOf, sandboxesOf } from './place.ts';
import type { Files } from './sandbox-files.ts';
import type { Snapshot } from './snapshot-document.ts';
import { SnapshotFile } from './snapshot-file.ts';
import { type Keeping, StoredSandbox } from './stored-sandbox.ts';
import { upgradeStored } from './upgrade.ts';

/** A sandbox that is yet to be on the disk: all of it stands once this is over, or nothing. */
export async function createStored(keeping: Keeping, name: string, state: Commit): Promise<StoredSandbox> {
  const { disk } = keeping;
  const [folder, making] = [folderOf(keeping, name), `${sandboxesOf(keeping)}/.new-${name}`];
  try {
    const files = await createFiles(keeping, making, name, state);
    try {
      // What is there without having been acknowledged.
      await disk.remove(folder);
      await disk.rename(making, folder);
      await disk.syncFolder(sandboxesOf(keeping));
    } catch (error) {
      await files.log.close();
      throw error;
    }
    return new StoredSandbox(keeping, { name, version: state.version, ...files });
  } catch (error) {
    await disk.remove(making).catch(() => undefined);
    throw error;
  }
}

/** The first generation, in a folder that is yet to get its name. */
async function createFiles(keeping: Keeping, folder: string, name: string, state: Commit): Promise<Files> {
  const { disk, formats } = keeping;
  const heading = { sachet_state_folder: formats.current, sandbox: name, generation: 1 };
  await disk.remove(folder);
  await disk.makeFolder(folder);
  const adapter = new SnapshotFile(keeping, folder, snapshotName(1));
  await new Low<Snapshot>(adapter, { heading, ...state }).write();
  const log = await ChangeLog.create(disk, `${folder}/${changesName(1)}`, heading);
  try {
    await disk.syncFolder(folder);
  } catch (error) {
    await log.close();
    throw error;
  }
  return { generation: 1, snapshotBytes: adapter.bytes, logBytes: log.size, log };
}

/** One that was read. What its logs have behind a cut is cut off; what is of an older format is written anew. */
export async function openStored(keeping: Keeping, read: LoadedSandbox): Promise<StoredSandbox> {
  const { disk, formats } = keeping;
  const loaded = read.format < formats.current ? await upgradeStored(keeping, read) : read;
  const { name, version, generation, snapshotBytes, logs } = loaded;
  const folder = folderOf(keeping, name);
  let log: ChangeLog | undefined;
  for (const read of logs) {
    await log?.close();
    const path = `${folder}/${changesName(read.generation)}`;
    const heading = { sachet_state_folder: keeping.formats.current, sandbox: name, generation: read.generation };
    log = await (read.size === 0 ? ChangeLog.create(disk, path, heading) : ChangeLog.open(disk, path, read));
    await log.settle();
  }
  await disk.syncFolder(folder);
  if (!log) throw new Error(`${name} was read without a change log`);
  const logBytes = logs.reduce((sum, { size }) => sum + size, 0);
  return new StoredSandbox(keeping, { name, version, generation, snapshotBytes, logBytes, log });
}
