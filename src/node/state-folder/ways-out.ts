// Ways out of a damage that several kinds of it have, in words.
import { existsSync } from 'node:fs';
import { bornSandboxes } from '../../contract/addresses.ts';
import { shellWord } from '../../http/shell-word.ts';
import { folderOf } from './place.ts';

/** Of the whole folder, or of one sandbox in it. */
export function fromBackup(folder: string, name?: string): string {
  const [from, aside] = name === undefined ? [folder, `${folder}.damaged`] : ofSandbox(folder, name);
  // Pasted as it is, the first word fails, and nothing is moved.
  const copy = shellWord(freeName(aside.replace(/damaged$/, 'restored')));
  return `put it back from a backup: cp -a YOUR_BACKUP_OF_IT ${copy} && ${moved(from, aside)} && mv ${copy} ${shellWord(from)}`;
}

export const otherFolder = 'start with another folder: --state <dir>; what is in this one stays as it is';

/** Gives one sandbox up, and keeps what there is of it. */
export function setAside(folder: string, name: string): string {
  const becomes = bornSandboxes.includes(name)
    ? 'it begins anew'
    : 'there is no such sandbox any more, nor its key and passwords';
  return `set the sandbox aside: the others go on, and ${becomes}: ${moved(...ofSandbox(folder, name))}`;
}

/** Where it stands, and where it is out of the way. */
const ofSandbox = (folder: string, name: string): [string, string] => [
  folderOf({ path: folder }, name),
  `${folder}/${name}.damaged`,
];

/** A command that moves a file or folder to this name, or to the first of its like that is free. */
export function moved(from: string, to: string): string {
  return `mv ${shellWord(from)} ${shellWord(freeName(to))}`;
}

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n += 1) free = `${name}-${n}`;
  return free;
}
