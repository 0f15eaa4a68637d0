// State folders that are small enough to try each of their bytes: made and read through the real store, and looked at from outside.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { shellWord } from '../../src/contract/addresses.ts';
import { asStateDamage, StateDamage } from '../../src/stores/folder/damage.ts';
import { type FolderOptions, StateFolder } from '../../src/stores/folder/state-folder.ts';
import { folder } from './command.ts';
import { hastyDisk } from './hasty-disk.ts';
import { addMark, type Marked, markedIn } from './kept-books.ts';

type Options = Partial<FolderOptions>;

/** Opens a folder for as long as the work goes on. */
export async function within<T>(
  path: string,
  work: (store: StateFolder) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const store = await StateFolder.open({ fs: hastyDisk, path, sync: 'always', notify: () => undefined, ...options });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Each sandbox as a start finds it. */
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

/** A folder that asks for quotes in a command. */
export const newPath = (): string => join(folder(), "it's here");

/** Adds marks to a sandbox, which is made if there is none, and leaves the files as a process does that is killed then. */
export async function goOn(
  path: string,
  marks: readonly string[],
  { name = 'stage', ...options }: Options & { readonly name?: string } = {},
): Promise<void> {
  let files: Readonly<Record<string, string>> = {};
  await within(
    path,
    async (store) => {
      let sandbox = (await markedIn(store, name)) ?? (await addMark(store, name, undefined, ''));
      for (const id of marks) sandbox = await addMark(store, name, sandbox, id);
      files = filesOf(path);
    },
    options,
  );
  restore(path, files);
}

/** A folder whose sandbox has a document, and these marks in the log behind it. */
export async function marked(
  marks: readonly string[],
  { path = newPath(), ...options }: Options & { readonly name?: string } = {},
): Promise<string> {
  await goOn(path, [], options);
  await goOn(path, marks, options);
  return path;
}

/** The marks of a sandbox: those in its document, and those in the log. */
export const [early, late] = [
  ['one', 'two'.repeat(200)],
  ['three', 'four'],
] as const;

/** A folder whose sandbox has some marks in its document, and some in the log. */
export async function compacted(path = newPath()): Promise<string> {
  await goOn(path, early);
  await goOn(path, late);
  return path;
}

export const documentOf = (path: string, name = 'stage'): string => join(path, 'sandboxes', `${name}.json`);
export const logOf = (path: string): string => join(path, 'changes.log');

/** All files of a folder by their paths within it. */
export function filesOf(path: string): Record<string, string> {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.sort().map((file) => [file.slice(path.length + 1), readFileSync(file, 'latin1')]));
}

/** Makes a folder have these files, and no others. */
export function restore(path: string, files: Readonly<Record<string, string>>): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, 'sandboxes'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), bytes, 'latin1');
  }
}

/** A log's lines made others. */
export function relined(file: string, change: (lines: string[]) => string[]): void {
  const lines = readFileSync(file, 'latin1').split(/(?<=\n)/);
  writeFileSync(file, change(lines).join(''), 'latin1');
}

/** Turns a bit in the middle of a file, or at this place. */
export function flip(file: string, at?: number): void {
  const bytes = readFileSync(file);
  const place = at ?? bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(file, bytes);
}

/** A copy of a file or folder, whose name asks for quotes in a command. */
export function backupOf(path: string): string {
  const backup = newPath();
  cpSync(path, backup, { recursive: true });
  return backup;
}

/** Opens what is damaged: it ends with 78, names three ways out, and has changed nothing. */
export async function damageOf(path: string, options: Options = {}): Promise<StateDamage> {
  const before = filesOf(path);
  const error = await stateOf(path, options).catch((caught: unknown) => asStateDamage(path, caught));
  if (!(error instanceof StateDamage))
    throw new Error(`no damage was found: ${JSON.stringify(error)}`, { cause: error });
  expect(error.exitStatus).toBe(78);
  expect(error.message.match(/(?<=\n {2})\d\. \S/g)?.map((way) => way[0])).toEqual(['1', '2', '3']);
  expect(filesOf(path)).toEqual(before);
  return error;
}

/** The commands among the ways out, as they are printed. */
export const commandsIn = (words: string): string[] =>
  words.match(/(?<=^ {2}\d\. .*: )(?:cp|mv|truncate|touch|chown|mkdir) .*$/gm) ?? [];

const placeholder = 'YOUR_BACKUP_OF_IT';

/** Does as the one way out says that has this in it, and needs no backup. */
export function follow(words: string, command: RegExp): void {
  const found = commandsIn(words).filter((each) => command.test(each) && !each.includes(placeholder));
  execute(onlyOne(found, `${command} in: ${words}`));
}

/** Does as the one way out says that puts a backup back. */
export function putBack(words: string, backup: string): void {
  const found = commandsIn(words).filter((each) => each.startsWith(`cp -a ${placeholder} `));
  // A function: in a replacement's text `$'` has a meaning.
  execute(onlyOne(found, `for a backup in: ${words}`).replace(placeholder, () => shellWord(backup)));
}

function onlyOne(commands: readonly string[], what: string): string {
  const [found, ...others] = commands;
  if (found === undefined || others.length > 0) throw new Error(`not one command is ${what}`);
  return found;
}

const execute = (command: string): unknown => execFileSync('sh', ['-c', command], { stdio: 'pipe' });
