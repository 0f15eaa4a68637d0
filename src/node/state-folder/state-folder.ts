// The store that keeps sandboxes in a folder. One process has it at a time (lock.ts).
import { sandboxName } from '../../contract/addresses.ts';
import type { Change, Commit, Root } from '../../state/root.ts';
import type { Store } from '../../state/store.ts';
import { fromBackup, moved, otherFolder, StateDamage } from './damage.ts';
import { changesName } from './generations.ts';
import { type LoadedSandbox, loadSandbox } from './load-sandbox.ts';
import { createStored, openStored } from './open-stored.ts';
import { folderOf, type Place, sandboxesOf } from './place.ts';
import type { Keeping, StoredSandbox } from './stored-sandbox.ts';
import { probeName, sweep } from './sweep.ts';
import { Troubles } from './troubles.ts';
import { unreachable } from './unreachable.ts';

export interface KeepingOptions extends Place {
  readonly sync: 'always' | 'interval';
  /** Told in a sentence what whoever runs the server should know. */
  readonly tell: (words: string) => void;
  readonly leastFoldedBytes?: number;
}

/** What has not been synced is so half a second later, which leaves as much for the disk to do it. */
const flushMilliseconds = 500;
const healMilliseconds = 1000;

export class StateFolder implements Store {
  readonly #keeping: Keeping;
  readonly #sandboxes = new Map<string, StoredSandbox>();
  /** Read at the start, and not yet asked for. */
  readonly #read = new Map<string, LoadedSandbox>();
  #flushing: NodeJS.Timeout | undefined;
  #healing: NodeJS.Timeout | undefined;
  #ended: Error | undefined;

  private constructor(keeping: Omit<Keeping, 'troubles'>, tell: (words: string) => void) {
    const troubles = new Troubles(tell, () => this.#healSoon());
    this.#keeping = { ...keeping, troubles };
  }

  /**
   * Reads all there is, then makes it ready to be written: what cannot be read leaves everything as it is.
   * @throws StateDamage
   */
  static async open({ tell, leastFoldedBytes = 1_048_576, ...options }: KeepingOptions): Promise<StateFolder> {
    const folder = new StateFolder({ ...options, leastFoldedBytes }, tell);
    try {
      await folder.#open(tell);
    } catch (error) {
      throw unreachable(options.path, error);
    }
    return folder;
  }

  async #open(tell: (words: string) => void): Promise<void> {
    for (const loaded of await readAll(this.#keeping)) this.#read.set(loaded.name, loaded);
    for (const loaded of this.#read.values()) {
      const { name, version, format, logs } = loaded;
      if (logs.some(({ isCut }) => isCut))
        tell(`state: the last change of "${name}" was never written whole: it goes on from version ${version}`);
      if (format < this.#keeping.formats.current)
        tell(`state: "${name}" is written anew; the original of format ${format} is kept`);
      this.#sandboxes.set(name, await openStored(this.#keeping, loaded));
    }
    await sweep(this.#keeping);
  }

  names(): readonly string[] {
    return [...this.#sandboxes.keys()];
  }

  load(name: string): Commit | undefined | Promise<Commit | undefined> {
    const read = this.#read.get(name);
    this.#read.delete(name);
    return read ?? this.#readAgain(name);
  }

  /** One whose removal has failed is there as it was. */
  async #readAgain(name: string): Promise<Commit | undefined> {
    const sandbox = this.#sandboxes.get(name);
    await sandbox?.present();
    return sandbox && loadSandbox(this.#keeping, name);
  }

  /** Nobody else writes here. */
  since(): readonly Commit[] {
    return [];
  }

  async append(name: string, base: number, changes: Iterable<Change>, root: Root): Promise<'committed' | 'conflict'> {
    if (this.#ended) throw this.#ended;
    if (base === 0) return this.#create(name, changes);
    const answer = (await this.#sandboxes.get(name)?.append(base, changes, root)) ?? 'conflict';
    if (this.#keeping.sync === 'interval') this.#flushSoon();
    return answer;
  }

  async #create(name: string, changes: Iterable<Change>): Promise<'committed' | 'conflict'> {
    if (this.#sandboxes.has(name)) return 'conflict';
    try {
      this.#sandboxes.set(name, await createStored(this.#keeping, name, { version: 1, changes }));
    } catch (error) {
      this.#keeping.troubles.note(name, 'writes', error);
      throw error;
    }
    return 'committed';
  }

  async remove(name: string): Promise<void> {
    if (this.#ended) throw this.#ended;
    await this.#sandboxes.get(name)?.remove();
    this.#read.delete(name);
    this.#sandboxes.delete(name);
  }

  trouble(): string | undefined {
    return this.#ended?.message ?? this.#keeping.troubles.first;
  }

  /** Takes nothing any more, and touches nothing: the folder is another one's, for this reason. */
  leave(reason: Error): void {
    this.#end(reason);
    for (const sandbox of this.#sandboxes.values()) sandbox.leave();
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    clearTimeout(this.#flushing);
    clearTimeout(this.#healing);
  }

  /** All that was acknowledged stands once this is over. @throws what the disk says */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#end(new Error('the server has closed'));
    const closed = await Promise.allSettled(Array.from(this.#sandboxes.values(), (sandbox) => sandbox.close()));
    const failed = closed.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #flushSoon(): void {
    this.#flushing ??= setTimeout(async () => {
      this.#flushing = undefined;
      await Promise.allSettled(Array.from(this.#sandboxes.values(), (sandbox) => sandbox.flush()));
    }, flushMilliseconds).unref();
  }

  /** While something is troubled, the disk is tried every second. */
  #healSoon(): void {
    if (this.#ended) return;
    this.#healing ??= setTimeout(async () => {
      await this.#heal().catch(() => undefined);
      this.#healing = undefined;
      if (this.#keeping.troubles.size > 0) this.#healSoon();
    }, healMilliseconds).unref();
  }

  async #heal(): Promise<void> {
    const { troubles } = this.#keeping;
    await tryToWrite(this.#keeping);
    for (const name of troubles.sandboxes) {
      if (this.#ended) return;
      await this.#sandboxes.get(name)?.heal();
      troubles.clear(name, 'writes');
    }
  }
}

/** The one that was written to last comes last. */
async function readAll(place: Place): Promise<LoadedSandbox[]> {
  const { disk, path } = place;
  const known = new Map<string, Change>();
  const found: { readonly loaded: LoadedSandbox; readonly changedAt: number }[] = [];
  await disk.makeFolder(sandboxesOf(place));
  await disk.syncFolder(path);
  for (const name of await disk.files(sandboxesOf(place))) if (sandboxName.test(name)) throw noSandbox(path, name);
  for (const name of await disk.folders(sandboxesOf(place))) {
    const loaded = sandboxName.test(name) ? await loadSandbox(place, name, known) : undefined;
    const last = loaded?.logs.at(-1)?.generation;
    if (!loaded || last === undefined) continue;
    found.push({ loaded, changedAt: await disk.changedAt(`${folderOf(place, name)}/${changesName(last)}`) });
  }
  return found.sort((one, other) => one.changedAt - other.changedAt).map(({ loaded }) => loaded);
}

const noSandbox = (path: string, name: string): StateDamage =>
  new StateDamage(`${path}/sandboxes/${name} is a file, where the folder of the sandbox "${name}" would be`, [
    `move the file away: ${moved(`${path}/sandboxes/${name}`, `${path}/${name}.file`)}`,
    fromBackup(path),
    otherFolder,
  ]);

const probeBytes = 65_536;

/** Whether the disk takes a file: one that is full lets logs be cut, and nothing be written. @throws what the disk says */
async function tryToWrite({ disk, path }: Place): Promise<void> {
  const probe = `${path}/${probeName}`;
  const file = await disk.create(probe);
  try {
    await file.write(new Uint8Array(probeBytes));
    await file.sync();
  } finally {
    await file.close();
    await disk.remove(probe);
  }
}
