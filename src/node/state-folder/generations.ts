// A sandbox's folder: generations of a snapshot `snapshot-N.json` and a change log `changes-N.log` that goes on from it. The latest snapshot and the
// logs from there on are the state; the generation before it says the same, and is kept.
import type { Disk } from './disk.ts';

export const snapshotName = (generation: number): string => `snapshot-${generation}.json`;
export const changesName = (generation: number): string => `changes-${generation}.log`;

/** The numbers of the files of this name, in order. */
export function numbersOf(files: readonly string[], nameOf: (generation: number) => string): number[] {
  const numbers = files.map((name) => Number(/-(\d+)\./.exec(name)?.[1]));
  return numbers.filter((number, index) => nameOf(number) === files[index]).sort((one, other) => one - other);
}

/** Removes the generations before the one that is kept beside the latest. */
export async function forgetOld(disk: Disk, folder: string): Promise<void> {
  const files = await disk.files(folder);
  const snapshots = numbersOf(files, snapshotName);
  const kept = snapshots.at(-2) ?? 0;
  const isOld = (generation: number): boolean => generation < kept;
  const logs = numbersOf(files, changesName).filter(isOld);
  for (const name of [...snapshots.filter(isOld).map(snapshotName), ...logs.map(changesName)])
    await disk.remove(`${folder}/${name}`);
}
