// All that a state folder has, read before anything is written: what is wrong leaves everything as it is.
import { sandboxName } from '../../contract/addresses.ts';
import type { Change } from '../../state/root.ts';
import { StateDamage } from './damage.ts';
import { changesName } from './generations.ts';
import { type LoadedSandbox, loadSandbox } from './load-sandbox.ts';
import { folderOf, type Place, sandboxesOf } from './place.ts';
import { unreachable } from './unreachable.ts';
import { fromBackup, moved, otherFolder } from './ways-out.ts';

/** The one that was written to last comes last. @throws StateDamage; what the disk says */
export async function readAll(place: Place): Promise<LoadedSandbox[]> {
  try {
    return await readSandboxes(place);
  } catch (error) {
    throw unreachable(place.path, error);
  }
}

async function readSandboxes(place: Place): Promise<LoadedSandbox[]> {
  const { disk, path } = place;
  const known = new Map<string, Change>();
  const found: { readonly loaded: LoadedSandbox; readonly changedAt: number }[] = [];
  await disk.makeFolder(sandboxesOf(place));
  for (const folder of [path, sandboxesOf(place)]) await disk.syncFolder(folder);
  for (const name of await disk.files(sandboxesOf(place))) if (sandboxName.test(name)) throw fileFor(place, name);
  for (const name of await disk.folders(sandboxesOf(place))) {
    const loaded = sandboxName.test(name) ? await loadSandbox(place, name, known) : undefined;
    const last = loaded?.logs.at(-1)?.generation;
    if (!loaded || last === undefined) continue;
    found.push({ loaded, changedAt: await disk.changedAt(`${folderOf(place, name)}/${changesName(last)}`) });
  }
  return found.sort((one, other) => one.changedAt - other.changedAt).map(({ loaded }) => loaded);
}

function fileFor(place: Place, name: string): StateDamage {
  const file = folderOf(place, name);
  return new StateDamage(`${file} is a file, where the folder of the sandbox "${name}" would be`, [
    `move the file away: ${moved(file, `${place.path}/${name}.file`)}`,
    fromBackup(place.path),
    otherFolder,
  ]);
}
