// Small sandboxes in a state folder: written and read through the real store, and compared with what was acknowledged.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { realClock } from '../../../src/state/clock.ts';
import type { Store, StoredSandbox } from '../../../src/state/store.ts';
import { asStateDamage, StateDamage } from '../../../src/stores/folder/damage.ts';
import { type FolderOptions, StateFolder } from '../../../src/stores/folder/state-folder.ts';
import { folder } from '../../support/command.ts';
import { hastyDisk } from '../../support/hasty-disk.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

type Options = Partial<FolderOptions>;

/** A small sandbox. Each version after the first adds one mark. */
export interface Marked {
  readonly version: number;
  readonly marks: readonly string[];
}

/** The document of a small sandbox. */
export const wholeOf = (name: string, { version, marks }: Marked): StoredSandbox => {
  const rows = marks.map((id, index) => ({ seq: index + 1, row: { id } }));
  const document = {
    sachet_sandbox: 2,
    sandbox: name,
    version,
    fixtures: 'none',
    made: { identity: { name, environment: name, seed: '', signingKey: '' }, clock: realClock, readings: {}, at: 0 },
    tables: { spent_refresh_tokens: { rows } },
    snapshots: [],
  };
  return { document, fixtures: { accounts: [], administration_times: { values: [] } } } as unknown as StoredSandbox;
};

async function markedIn(store: Store, name: string): Promise<Marked | undefined> {
  const document = (await store.load(name, 0))?.whole?.document;
  if (!document) return undefined;
  const rows = document.tables.spent_refresh_tokens?.rows ?? [];
  return { version: document.version, marks: rows.map((stored) => ('row' in stored ? stored.row.id : stored.id)) };
}

/** Adds a mark, or creates the sandbox. */
export async function addMark(store: Store, name: string, from: Marked | undefined, id: string): Promise<Marked> {
  const next = from ? { version: from.version + 1, marks: [...from.marks, id] } : { version: 1, marks: [] };
  // The store may also ask for the whole sandbox after it has rejected the change.
  let current = next;
  const changes = from ? [{ table: 'spent_refresh_tokens', seq: from.version, row: { id } }] : [];
  try {
    const whole = (version: number) => wholeOf(name, { ...current, version });
    expect(await store.append(name, next.version - 1, changes, whole)).toBe(true);
  } catch (error) {
    if (from) current = { ...from, marks: [...from.marks] };
    throw error;
  }
  return next;
}

/** The state folder of a simulated disk, opened as at a start. It compacts its log often. */
export const stateOn = (disk: SimulatedDisk, options: Options = {}): Promise<StateFolder> =>
  StateFolder.open({
    fs: disk.fs,
    path: '/state',
    sync: 'always',
    notify: () => undefined,
    compactAfterBytes: 600,
    ...options,
  });

let marksMade = 0;

/** A sandbox, with all versions that a crash may leave of it. */
export class TrackedSandbox {
  readonly name: string;
  readonly #isSyncedAtOnce: boolean;
  /** The version acknowledged last; undefined if there is none. */
  acknowledged: Marked | undefined;
  #possible: (Marked | undefined)[] = [undefined];

  constructor(name: string, sync: 'always' | 'interval') {
    this.name = name;
    this.#isSyncedAtOnce = sync === 'always';
  }

  /** Adds a mark, or creates the sandbox. @throws the store's error */
  async write(store: Store, size = 3): Promise<void> {
    marksMade += 1;
    const from = this.acknowledged;
    const id = `${marksMade} ${'é\n'.repeat(size)}`;
    this.#possible.push(from ? { version: from.version + 1, marks: [...from.marks, id] } : { version: 1, marks: [] });
    this.acknowledged = await addMark(store, this.name, from, id);
    if (!from || this.#isSyncedAtOnce) this.markDurable();
  }

  async remove(store: Store): Promise<void> {
    this.#possible.push(undefined);
    await store.remove(this.name);
    this.acknowledged = undefined;
    this.markDurable();
  }

  /** From now on a crash must leave the acknowledged version. */
  markDurable(): void {
    this.#possible = [this.acknowledged];
  }

  /** Expects a possible version in the store, and continues with it. */
  async compare(store: Store): Promise<void> {
    const found = await markedIn(store, this.name);
    const possible = this.#possible.map((one) => JSON.stringify(one));
    expect(possible, `${this.name} is ${JSON.stringify(found)}`).toContain(JSON.stringify(found));
    this.acknowledged = found;
    this.markDurable();
  }
}

/** Opens a folder of the real disk during the work. */
export async function within<T>(path: string, work: (store: StateFolder) => Promise<T>, options: Options = {}) {
  const store = await StateFolder.open({ fs: hastyDisk, path, sync: 'always', notify: () => undefined, ...options });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Each sandbox as the next start reads it. */
export const stateOf = (path: string, options: Options = {}): Promise<Record<string, Marked | undefined>> =>
  within(
    path,
    async (store) => {
      const all: Record<string, Marked | undefined> = {};
      for (const name of await store.names()) all[name] = await markedIn(store, name);
      return all;
    },
    options,
  );

/** A path that a shell command has to quote. */
export const newPath = (): string => join(folder(), "it's here");

/** Adds marks to a sandbox, and leaves the files as a killed process would. */
export async function addMarks(
  path: string,
  marks: readonly string[],
  { name = 'stage', ...options }: Options & { readonly name?: string } = {},
): Promise<void> {
  const add = async (store: StateFolder) => {
    let sandbox = (await markedIn(store, name)) ?? (await addMark(store, name, undefined, ''));
    for (const id of marks) sandbox = await addMark(store, name, sandbox, id);
    return filesOf(path);
  };
  restore(path, await within(path, add, options));
}

/** A folder with an empty sandbox in its document, and these marks in the log. */
export async function marked(marks: readonly string[], { path = newPath(), name = 'stage' } = {}): Promise<string> {
  await addMarks(path, [], { name });
  await addMarks(path, marks, { name });
  return path;
}

/** The marks of `compacted()`: those in its document, and those in its log. */
export const early = ['one', 'two'.repeat(200)];
export const late = ['three', 'four'];

/** A folder whose sandbox has marks in its document and in the log. */
export async function compacted(): Promise<string> {
  const path = newPath();
  await addMarks(path, early);
  await addMarks(path, late);
  return path;
}

export const documentOf = (path: string, name = 'stage'): string => join(path, 'sandboxes', `${name}.json`);
export const logOf = (path: string): string => join(path, 'changes.log');

/** The bytes of all files of a folder, by path. */
export function filesOf(path: string): Record<string, string> {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.sort().map((file) => [file.slice(path.length + 1), readFileSync(file, 'latin1')]));
}

/** Makes these the only files of a folder. */
export function restore(path: string, files: Readonly<Record<string, string>>): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, 'sandboxes'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), bytes, 'latin1');
  }
}

export function changeLines(file: string, change: (lines: string[]) => string[]): void {
  writeFileSync(file, change(readFileSync(file, 'latin1').split(/(?<=\n)/)).join(''), 'latin1');
}

/** Flips a bit, by default in the middle of the file. */
export function flip(file: string, at?: number): void {
  const bytes = readFileSync(file);
  const place = at ?? bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(file, bytes);
}

/** Opens a damaged folder. Expects exit status 78, three options in the message, and unchanged files. */
export async function damageOf(path: string): Promise<string> {
  const before = filesOf(path);
  const error = await stateOf(path).catch((caught: unknown) => asStateDamage(path, caught));
  if (!(error instanceof StateDamage))
    throw new Error(`no damage was found: ${JSON.stringify(error)}`, { cause: error });
  expect(error.exitStatus).toBe(78);
  expect(error.message.match(/(?<=\n {2})\d\. \S/g)?.map((option) => option[0])).toEqual(['1', '2', '3']);
  expect(filesOf(path)).toEqual(before);
  return error.message;
}

/** The shell commands that a message proposes. */
export const commandsIn = (message: string): string[] =>
  message.match(/(?<=^ {2}\d\. .*: )(?:cp|mv|truncate|touch|chown|mkdir) .*$/gm) ?? [];

const placeholder = 'YOUR_BACKUP_OF_IT';

/** The one proposed command that matches. Without a backup, commands that need one do not count. */
export function proposed(message: string, pattern: RegExp, backup?: string): string {
  const found = commandsIn(message).filter(
    (command) => pattern.test(command) && command.includes(placeholder) === (backup !== undefined),
  );
  expect(found, `commands like ${pattern} in: ${message}`).toHaveLength(1);
  // A function, because `$'` has a meaning in a replacement text.
  return (found[0] ?? '').replace(placeholder, () => `'${backup?.replaceAll("'", "'\\''")}'`);
}
