// A folder that this process cannot use as it is: not a folder, or not its own.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shellWord } from '../../http/shell-word.ts';
import { StateDamage } from './damage.ts';
import { fromBackup, moved, otherFolder } from './ways-out.ts';

/**
 * What the system said of a state folder, as a damage with its ways out; any other error stays what it is.
 * @param path the state folder
 */
export function unreachable(path: string, error: unknown): unknown {
  const { code = '', syscall, message, path: place = path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (['ENOTDIR', 'EEXIST', 'EISDIR'].includes(code)) return noFolder(path, place, message);
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return notAllowed(path, message);
  if (code !== 'EIO') return error;
  return new StateDamage(message, ['have the disk looked after', fromBackup(path), otherFolder]);
}

function noFolder(path: string, place: string, message: string): StateDamage {
  const file = fileAmong(place);
  return new StateDamage(`${file} is a file, and should be a folder: ${message}`, [
    `move the file away: ${moved(file, `${file}.file`)}`,
    file === path || path.startsWith(file) ? 'name another folder by --state' : fromBackup(path),
    'leave --state out: then the state is in memory alone',
  ]);
}

/** The path itself, or what it stands in, where that is a file. */
function fileAmong(path: string): string {
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return existsSync(place) && !statSync(place).isDirectory() ? place : path;
}

function notAllowed(path: string, message: string): StateDamage {
  const make = existsSync(path) ? '' : `mkdir -p ${shellWord(path)} && `;
  return new StateDamage(`${path}: ${message}`, [
    `let the user that Sachet runs as read and write it: ${make}chown -R ${process.getuid?.() ?? 'user'} ${shellWord(path)}`,
    'run Sachet as the user that has it',
    otherFolder,
  ]);
}
