// State of an older format is written anew in the current one; the original is kept beside it.
import { Low } from 'lowdb';
import { ChangeLog } from './change-log.ts';
import type { Disk } from './disk.ts';
import { changesName, snapshotName } from './generations.ts';
import type { LoadedSandbox } from './load-sandbox.ts';
import { folderOf, type Place } from './place.ts';
import type { Snapshot } from './snapshot-document.ts';
import { SnapshotFile } from './snapshot-file.ts';

/** Where the original of this format is kept, within the sandbox's folder. */
const originalName = (format: number): string => `format-${format}`;

/** Writes what was read as the next generation. Cut short anywhere, it is done again at the next start. */
export async function upgradeStored(place: Place, loaded: LoadedSandbox): Promise<LoadedSandbox> {
  const { disk, formats } = place;
  const { name, version, changes, format, logs } = loaded;
  const folder = folderOf(place, name);
  await keepOriginal(disk, folder, originalName(format));
  const generation = Math.max(loaded.generation, ...logs.map((log) => log.generation)) + 1;
  const heading = { sachet_state_folder: formats.current, sandbox: name, generation };
  const log = await ChangeLog.create(disk, `${folder}/${changesName(generation)}`, heading);
  await log.close();
  const adapter = new SnapshotFile(place, folder, snapshotName(generation));
  await new Low<Snapshot>(adapter, { heading, version, changes }).write();
  const empty = { generation, format: formats.current, changes: [], version, size: log.size, isCut: false };
  return { ...loaded, format: formats.current, generation, snapshotBytes: adapter.bytes, logs: [empty] };
}

async function keepOriginal(disk: Disk, folder: string, name: string): Promise<void> {
  if ((await disk.folders(folder)).includes(name)) return;
  const making = `${folder}/.${name}`;
  await disk.remove(making);
  await disk.makeFolder(making);
  for (const file of await disk.files(folder)) await copy(disk, `${folder}/${file}`, `${making}/${file}`);
  await disk.syncFolder(making);
  await disk.rename(making, `${folder}/${name}`);
  await disk.syncFolder(folder);
}

async function copy(disk: Disk, from: string, to: string): Promise<void> {
  const file = await disk.create(to);
  try {
    for await (const piece of disk.read(from)) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
