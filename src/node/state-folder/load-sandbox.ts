// A sandbox as its folder has it. Nothing is changed: what cannot be read is told, with the ways out.

import { shellWord } from '../../http/shell-word.ts';
import type { Change, Commit } from '../../state/root.ts';
import { StateDamage } from './damage.ts';
import { type Heading, headingOf, NewerFormat, upgraded } from './format.ts';
import { changesName, numbersOf, snapshotName } from './generations.ts';
import { folderOf, type Place } from './place.ts';
import { type DamagedAt, type ReadLog, readLog, UnreadableLine } from './read-log.ts';
import { readSnapshot } from './snapshot-file.ts';
import { unreachable } from './unreachable.ts';
import { Unreadable } from './unreadable.ts';
import { fromBackup, moved, otherFolder, setAside } from './ways-out.ts';

export interface LoadedSandbox extends Commit {
  readonly name: string;
  /** Of the snapshot it was read from. */
  readonly generation: number;
  readonly snapshotBytes: number;
  /** The change logs from there on, the last one last. */
  readonly logs: readonly (ReadLog & { readonly generation: number })[];
  /** The oldest format of what was read. */
  readonly format: number;
}

/**
 * Reads a sandbox; undefined where its folder has no file.
 * @param known see readDocument
 * @throws StateDamage
 */
export async function loadSandbox(
  place: Place,
  name: string,
  known = new Map<string, Change>(),
): Promise<LoadedSandbox | undefined> {
  const files = await place.disk.files(folderOf(place, name));
  for (const file of files) await place.disk.requireWritable(`${folderOf(place, name)}/${file}`);
  const [snapshots, logs] = [numbersOf(files, snapshotName), numbersOf(files, changesName)];
  const generation = snapshots.at(-1);
  if (generation !== undefined) return new Loading(place, name, { snapshots, logs, known }).load(generation);
  if (logs.length === 0) return undefined;
  const what = `${folderOf(place, name)} has change logs and no snapshot that they go on from`;
  throw new StateDamage(what, [fromBackup(place.path, name), setAside(place.path, name), otherFolder]);
}

interface Found {
  readonly snapshots: readonly number[];
  readonly logs: readonly number[];
  readonly known: Map<string, Change>;
}

class Loading {
  readonly #place: Place;
  readonly #name: string;
  readonly #found: Found;
  readonly #folder: string;

  constructor(place: Place, name: string, found: Found) {
    this.#place = place;
    this.#name = name;
    this.#found = found;
    this.#folder = folderOf(place, name);
  }

  async load(generation: number): Promise<LoadedSandbox> {
    const { formats } = this.#place;
    const reading = readSnapshot(this.#place, this.#folder, this.#heading(generation), this.#found.known);
    const { document, bytes } = await reading.catch((error) => this.#refuseSnapshot(generation, error));
    const logs = await this.#logs(generation, document.version);
    const read = [{ format: document.heading.sachet_state_folder, changes: document.changes }, ...logs];
    return {
      name: this.#name,
      generation,
      snapshotBytes: bytes,
      logs,
      format: Math.min(...read.map(({ format }) => format)),
      version: logs.at(-1)?.version ?? document.version,
      changes: read.flatMap(({ format, changes }) => [...upgraded(changes, format, formats)]),
    };
  }

  async #logs(generation: number, from: number): Promise<LoadedSandbox['logs']> {
    const numbers = this.#found.logs.filter((number) => number >= generation);
    if (numbers[0] !== generation) throw this.#missingLog(generation);
    const logs: (ReadLog & { readonly generation: number })[] = [];
    for (const number of numbers) {
      const reading = readLog(this.#place.disk, this.#folder, this.#heading(number), {
        from: logs.at(-1)?.version ?? from,
        isBehindSnapshot: logs.length === 0,
      });
      const log = await reading.catch((error) => this.#refuseLog(number, error));
      const { format, changes, version, size, isCut, cutBytes } = log;
      const before = logs.at(-1);
      if (before?.isCut && version > before.version) throw this.#cutInTheMiddle(before);
      logs.push({ generation: number, format, changes, version, size, isCut, cutBytes });
    }
    return logs;
  }

  #heading(generation: number): Heading {
    return headingOf(this.#place.formats, this.#name, generation);
  }

  #path = (file: string): string => `${this.#folder}/${file}`;

  /** The generation before says the same, where it is there. */
  #refuseSnapshot(generation: number, error: unknown): never {
    const file = this.#path(snapshotName(generation));
    const { snapshots, logs } = this.#found;
    const former = snapshots.at(-2);
    const hasBefore = former !== undefined && logs.includes(former);
    const before = `go on from the generation before, which says the same, unless the disk had failed: ${moved(file, `${file}.damaged`)}`;
    throw this.#refused(file, error, hasBefore ? before : otherFolder);
  }

  #refuseLog(generation: number, error: unknown): never {
    const file = this.#path(changesName(generation));
    throw this.#refused(
      file,
      error,
      error instanceof UnreadableLine ? this.#keepBefore(generation, error.at) : otherFolder,
    );
  }

  #keepBefore(
    generation: number,
    { offset, version, lines }: Omit<DamagedAt, 'lines'> & { readonly lines?: number },
  ): string {
    const command = `truncate -s ${offset} ${shellWord(this.#path(changesName(generation)))}${this.#removalBehind(generation)}`;
    const isAll = lines !== undefined && this.#removalBehind(generation) === '' && offset > 0;
    const lost = isAll ? `${lines} ${lines === 1 ? 'write' : 'writes'} from there on` : 'what came after';
    return `keep what is before the damage (version ${version}), and lose ${lost}: ${command}`;
  }

  /** What came after a damage does not follow from what was before it. */
  #removalBehind(generation: number): string {
    const later = this.#found.logs.filter((number) => number > generation);
    const files = later.map((number) => shellWord(this.#path(changesName(number))));
    return files.length === 0 ? '' : ` && rm ${files.join(' ')}`;
  }

  #missingLog(generation: number): StateDamage {
    const file = this.#path(changesName(generation));
    const without = `go on from the snapshot alone, and lose what came after: touch ${shellWord(file)}${this.#removalBehind(generation)}`;
    return new StateDamage(`${file} is missing`, [
      fromBackup(this.#place.path, this.#name),
      without,
      setAside(this.#place.path, this.#name),
    ]);
  }

  #cutInTheMiddle({ generation, size, version }: ReadLog & { readonly generation: number }): StateDamage {
    const file = this.#path(changesName(generation));
    const what = `${file}: it is cut off after version ${version}, and the next one goes on behind what is missing`;
    return this.#damage(what, this.#keepBefore(generation, { offset: size, version }));
  }

  #refused(file: string, error: unknown, wayOut: string): unknown {
    if (error instanceof NewerFormat)
      return new StateDamage(`${file}: ${error.message}`, [
        'run the Sachet that wrote it',
        fromBackup(this.#place.path, this.#name),
        otherFolder,
      ]);
    if (error instanceof Unreadable) return this.#damage(`${file}: ${error.message}`, wayOut, error);
    return unreachable(this.#place.path, error);
  }

  #damage(what: string, wayOut: string, cause?: Error): StateDamage {
    return new StateDamage(
      what,
      [fromBackup(this.#place.path, this.#name), wayOut, setAside(this.#place.path, this.#name)],
      { cause },
    );
  }
}
