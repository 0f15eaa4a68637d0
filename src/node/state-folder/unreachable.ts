// A folder that this process cannot use as it is: not a folder, or not its own.
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { shellWord } from '../../http/shell-word.ts';
import { StateDamage } from './damage.ts';
import { fromBackup, moved, otherFolder } from './ways-out.ts';

const inMemory = 'leave --state out: then the state is in memory alone';

/**
 * What the system said of a state folder, as a damage with its ways out, or with its place; any other error stays what it is.
 * @param path the state folder
 */
export function unreachable(path: string, error: unknown): unknown {
  const { code = '', syscall, message, path: place = path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (['ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'].includes(code))
    return noFolder(path, place, message);
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return notAllowed(path, message);
  if (code === 'EMFILE')
    return new Error(`${path}: each sandbox needs an open file, and the system allows too few: raise \`ulimit -n\``);
  if (code !== 'EIO') return new Error(`${path}: ${message}`, { cause: error });
  return new StateDamage(message, ['have the disk looked after', fromBackup(path), otherFolder]);
}

function noFolder(path: string, place: string, message: string): StateDamage {
  const file = kindsAbove(place).find(({ kind }) => kind === 'file')?.place;
  const [what, mend] =
    file === undefined
      ? [`${path} cannot be used as a folder`, `see that ${shellWord(path)} is a folder, or can be made one`]
      : [`${file} is a file, and should be a folder`, `move the file away: ${moved(file, `${file}.file`)}`];
  return new StateDamage(`${what}: ${message}`, [mend, 'name another folder by --state', inMemory]);
}

/** The path itself and all it stands in, and what each is. Devices and the like are nothing to be moved away. */
function kindsAbove(path: string): { readonly place: string; readonly kind: 'file' | 'folder' | 'other' | 'none' }[] {
  const here = { place: path, kind: kindOf(path) };
  return dirname(path) === path ? [here] : [here, ...kindsAbove(dirname(path))];
}

function kindOf(path: string): 'file' | 'folder' | 'other' | 'none' {
  try {
    const found = lstatSync(path);
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'none';
  }
}

function notAllowed(path: string, message: string): StateDamage {
  const make = kindOf(path) === 'none' ? `mkdir -p ${shellWord(path)} && ` : '';
  return new StateDamage(`${path}: ${message}`, [
    `let the user that Sachet runs as read and write it: ${make}chown -R ${process.getuid?.() ?? 'user'} ${shellWord(path)}`,
    'run Sachet as the user that has it',
    otherFolder,
  ]);
}
