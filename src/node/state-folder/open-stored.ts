// How a sandbox comes to be kept: made on the disk, or found there.
import type { Change, Commit, Root } from '../../state/root.ts';
import { ChangeLog } from './change-log.ts';
import { headingOf } from './format.ts';
import { changesName } from './generations.ts';
import type { LoadedSandbox } from './load-sandbox.ts';
import { folderOf, sandboxesOf } from './place.ts';
import type { Files } from './sandbox-files.ts';
import { writeSnapshot } from './snapshot-file.ts';
import { type FolderSetting, StoredSandbox } from './stored-sandbox.ts';
import { upgradeStored } from './upgrade.ts';

/** What a sandbox begins with. */
interface New {
  readonly name: string;
  readonly changes: Iterable<Change>;
  readonly root: Root;
}

/** A sandbox that is yet to be on the disk: all of it stands once this is over, or nothing. */
export async function createStored(setting: FolderSetting, { name, changes, root }: New): Promise<StoredSandbox> {
  const { disk } = setting;
  const [folder, making] = [folderOf(setting, name), folderOf(setting, `.new-${name}`)];
  try {
    const files = await createFiles(setting, making, name, { version: root.version, changes });
    try {
      await disk.rename(making, folder);
      await disk.syncFolder(sandboxesOf(setting)).catch(async (error: unknown) => {
        await disk.rename(folder, making);
        throw error;
      });
    } catch (error) {
      await files.log.close();
      throw error;
    }
    return new StoredSandbox(setting, { name, version: root.version, root, ...files });
  } catch (error) {
    await disk.remove(making).catch(() => undefined);
    throw error;
  }
}

/** The first generation, in a folder that is yet to get its name. */
async function createFiles(setting: FolderSetting, folder: string, name: string, state: Commit): Promise<Files> {
  const { disk, formats } = setting;
  const heading = headingOf(formats, name, 1);
  await disk.remove(folder);
  await disk.makeFolder(folder);
  const snapshotBytes = await writeSnapshot(setting, folder, { heading, ...state });
  const log = await ChangeLog.create(disk, `${folder}/${changesName(1)}`, heading);
  try {
    await disk.syncFolder(folder);
  } catch (error) {
    await log.close();
    throw error;
  }
  return { generation: 1, snapshotBytes, logBytes: log.size, log };
}

/** One that was read. What its logs have behind a cut is cut off; what is of an older format is written anew. */
export async function openStored(setting: FolderSetting, read: LoadedSandbox): Promise<StoredSandbox> {
  const { disk, formats } = setting;
  const loaded = read.format < formats.current ? await upgradeStored(setting, read) : read;
  const { name, version, generation, snapshotBytes, logs } = loaded;
  const opened: ChangeLog[] = [];
  try {
    for (const log of logs) opened.push(await openLog(setting, name, log));
    for (const log of opened) await log.settle();
    await disk.syncFolder(folderOf(setting, name));
  } catch (error) {
    for (const log of opened) await log.close();
    throw error;
  }
  const log = opened.pop();
  for (const former of opened) await former.close();
  if (!log) throw new Error(`${name} was read without a change log`);
  const logBytes = logs.reduce((sum, { size }) => sum + size, 0);
  return new StoredSandbox(setting, { name, version, generation, snapshotBytes, logBytes, log });
}

/** One that was cut off within its first line begins anew. */
function openLog(setting: FolderSetting, name: string, read: LoadedSandbox['logs'][number]): Promise<ChangeLog> {
  const { disk, formats } = setting;
  const path = `${folderOf(setting, name)}/${changesName(read.generation)}`;
  if (read.size > 0) return ChangeLog.open(disk, path, read);
  return ChangeLog.create(disk, path, headingOf(formats, name, read.generation));
}
