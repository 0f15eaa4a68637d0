// What a process that was ended left unfinished is taken away; nothing but what has a name of its own making.
import { sandboxName } from '../../contract/addresses.ts';
import type { Disk } from './disk.ts';
import { forgetOld } from './generations.ts';
import { folderOf, type Place, sandboxesOf } from './place.ts';
import { unfinished } from './snapshot-file.ts';

/** The file by which a disk is tried. */
export const probeName = `probe${unfinished}`;

const left = {
  /** Sandboxes that were being made or removed. */
  folder: /^\.(?:new|gone)-/,
  snapshot: /^snapshot-\d+\.json\.tmp$/,
  original: /^\.format-\d+-version-\d+$/,
};

export async function sweep(place: Place): Promise<void> {
  const { disk, path } = place;
  await disk.remove(`${path}/${probeName}`);
  for (const name of await disk.folders(sandboxesOf(place))) {
    if (left.folder.test(name)) await disk.remove(folderOf(place, name));
    else if (sandboxName.test(name)) await sweepSandbox(disk, folderOf(place, name));
  }
}

/** A fold may have been cut short before it had removed what is older than it keeps. */
async function sweepSandbox(disk: Disk, folder: string): Promise<void> {
  await forgetOld(disk, folder);
  const cut = (await disk.files(folder)).filter((name) => left.snapshot.test(name));
  const originals = (await disk.folders(folder)).filter((name) => left.original.test(name));
  for (const name of [...cut, ...originals]) await disk.remove(`${folder}/${name}`);
}
