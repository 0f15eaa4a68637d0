// What a process that was ended left unfinished is taken away; nothing but what has a name of its own making.
import type { Disk } from './disk.ts';
import { changesName, numbersOf, snapshotName } from './generations.ts';
import type { Place } from './load-sandbox.ts';
import { unfinished } from './snapshot-file.ts';

/** The file by which a disk is tried. */
export const probeName = `probe${unfinished}`;

const left = {
  /** Sandboxes that were being made or removed. */
  folder: /^\.(?:new|gone)-/,
  snapshot: /^snapshot-\d+\.json\.tmp$/,
  original: /^\.format-\d+$/,
};

export async function sweep({ disk, path }: Place): Promise<void> {
  const sandboxes = `${path}/sandboxes`;
  await disk.remove(`${path}/${probeName}`);
  for (const name of await disk.folders(sandboxes)) {
    if (left.folder.test(name)) await disk.remove(`${sandboxes}/${name}`);
    else await sweepSandbox(disk, `${sandboxes}/${name}`);
  }
}

/** The generations before the one that is kept go, too: a fold may have been cut short before it was through with that. */
async function sweepSandbox(disk: Disk, folder: string): Promise<void> {
  const files = await disk.files(folder);
  const [snapshots, logs] = [numbersOf(files, snapshotName), numbersOf(files, changesName)];
  const kept = snapshots.at(-2) ?? 0;
  const isOld = (generation: number): boolean => generation < kept;
  const old = [...snapshots.filter(isOld).map(snapshotName), ...logs.filter(isOld).map(changesName)];
  const cut = files.filter((name) => left.snapshot.test(name));
  for (const name of [...old, ...cut]) await disk.remove(`${folder}/${name}`);
  for (const name of await disk.folders(folder)) if (left.original.test(name)) await disk.remove(`${folder}/${name}`);
}
