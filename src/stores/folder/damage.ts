// A state folder that cannot be used: what is wrong, and three ways out. Whoever finds it has changed nothing.
import { existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { bornSandboxes } from '../../contract/addresses.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { ExitError, exitCodes } from '../errors.ts';

/** The folder's state is damaged, or cannot be reached: exit code 78. */
export class StateDamage extends ExitError {
  override readonly name = 'StateDamage';
  /**
   * @param what a sentence without its end: the file, and what is wrong with it
   * @param waysOut sentences, some with a command to paste
   */
  constructor(what: string, waysOut: readonly string[], options?: ErrorOptions) {
    const ways = waysOut.map((way, index) => `  ${index + 1}. ${way}`);
    const words = [`the state cannot be used: ${what}`, 'Nothing was changed. Three ways out:', ...ways];
    super(words.join('\n'), exitCodes.configuration, options);
  }
}

export const otherFolder = 'start with another folder: --state <dir>; what is in this one stays as it is';

/**
 * @param place the state folder, or a sandbox's folder in it
 * @param aside where what is damaged goes, without the end of its name
 */
export function fromBackup(place: string, aside = place): string {
  // Pasted as it is, the first word fails, and nothing is moved.
  const copy = shellWord(freeName(`${aside}.restored`));
  return `put it back from a backup: cp -a YOUR_BACKUP_OF_IT ${copy} && ${moved(place, `${aside}.damaged`)} && mv ${copy} ${shellWord(place)}`;
}

/** Gives one sandbox up, and keeps what there is of it. */
export function setAside(folder: string, name: string): string {
  const becomes = bornSandboxes.includes(name)
    ? 'it begins anew'
    : 'there is no such sandbox any more, nor its key and passwords';
  return `set the sandbox aside: the others go on, and ${becomes}: ${moved(`${folder}/sandboxes/${name}`, `${folder}/${name}.damaged`)}`;
}

/** A command that moves a file or folder to this name, or to the first of its like that is free. */
export const moved = (from: string, to: string): string => `mv ${shellWord(from)} ${shellWord(freeName(to))}`;

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n += 1) free = `${name}-${n}`;
  return free;
}

/** What the system said of a state folder, as a damage with its ways out, or with its place; any other error stays what it is. */
export function unreachable(path: string, error: unknown): unknown {
  const { code = '', syscall, message, path: place = path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (['ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'].includes(code)) {
    const file = fileAbove(place);
    if (file !== undefined) return fileForFolder(path, file, message);
    const mend = `see that ${shellWord(path)} is a folder, or can be made one`;
    return new StateDamage(`${path} cannot be used as a folder: ${message}`, [mend, otherFolder, inMemory]);
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    const make = existsSync(path) ? '' : `mkdir -p ${shellWord(path)} && `;
    const own = `let the user that Sachet runs as read and write it: ${make}chown -R ${process.getuid?.() ?? 'user'} ${shellWord(path)}`;
    return new StateDamage(`${path}: ${message}`, [own, 'run Sachet as the user that has it', otherFolder]);
  }
  if (code === 'EMFILE')
    return new Error(`${path}: each sandbox needs an open file, and the system allows too few: raise \`ulimit -n\``);
  if (code !== 'EIO') return new Error(`${path}: ${message}`, { cause: error });
  return new StateDamage(message, ['have the disk looked after', fromBackup(path), otherFolder]);
}

const inMemory = 'leave --state out: then the state is in memory alone';

export const fileForFolder = (path: string, file: string, message: string, aside = `${file}.file`): StateDamage =>
  new StateDamage(`${file} is a file, and should be a folder: ${message}`, [
    `move the file away: ${moved(file, aside)}`,
    `name another folder than ${shellWord(path)} by --state`,
    inMemory,
  ]);

/** The first file among the path and all it stands in. */
function fileAbove(path: string): string | undefined {
  try {
    if (lstatSync(path).isFile()) return path;
  } catch {
    // What is below a file, or is not there: look above.
  }
  return dirname(path) === path ? undefined : fileAbove(dirname(path));
}
