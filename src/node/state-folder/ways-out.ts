// Ways out of a damage that several kinds of it have, in words.
import { existsSync } from 'node:fs';
import { shellWord } from '../../http/shell-word.ts';

export const fromBackup = (path: string): string => `put ${path} back from a backup`;

export const otherFolder = 'start with another folder: --state <dir>; what is in this one stays as it is';

/** Begins one sandbox anew, and keeps what there is of it. */
export const setAside = (folder: string, name: string): string =>
  `set the sandbox aside, so that it begins anew, and the others go on: ${moved(`${folder}/sandboxes/${name}`, `${folder}/${name}.damaged`)}`;

/** A command that moves a file or folder to this name, or to the first of its like that is free. */
export function moved(from: string, to: string): string {
  let free = to;
  for (let n = 2; existsSync(free); n += 1) free = `${to}-${n}`;
  return `mv ${shellWord(from)} ${shellWord(free)}`;
}
