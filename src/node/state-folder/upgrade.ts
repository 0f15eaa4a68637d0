// State of an older format is written anew in the current one; the original is kept beside it.
import { ChangeLog } from './change-log.ts';
import type { Disk } from './disk.ts';
import { headingOf } from './format.ts';
import { changesName } from './generations.ts';
import type { LoadedSandbox } from './load-sandbox.ts';
import { folderOf, type Place } from './place.ts';
import { writeSnapshot } from './snapshot-file.ts';

/** Where the original is kept, within the sandbox's folder. */
const originalName = ({ format, version }: LoadedSandbox): string => `format-${format}-version-${version}`;

/** Writes what was read as the next generation. Cut short anywhere, it is done again at the next start. */
export async function upgradeStored(place: Place, loaded: LoadedSandbox): Promise<LoadedSandbox> {
  const { disk, formats } = place;
  const { name, version, changes, logs } = loaded;
  const folder = folderOf(place, name);
  await keepOriginal(disk, folder, originalName(loaded));
  const generation = Math.max(loaded.generation, ...logs.map((log) => log.generation)) + 1;
  const heading = headingOf(formats, name, generation);
  const log = await ChangeLog.create(disk, `${folder}/${changesName(generation)}`, heading);
  await log.close();
  const snapshotBytes = await writeSnapshot(place, folder, { heading, version, changes });
  const empty = {
    generation,
    format: formats.current,
    changes: [],
    version,
    size: log.size,
    isCut: false,
    cutBytes: 0,
  };
  return { ...loaded, format: formats.current, generation, snapshotBytes, logs: [empty] };
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
