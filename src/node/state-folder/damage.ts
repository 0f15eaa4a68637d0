// State that cannot be read: what is wrong, and three ways out. Whoever finds it has changed nothing.
import { existsSync } from 'node:fs';
import { shellWord } from '../../http/shell-word.ts';
import { ExitError, exitCodes } from '../exit-error.ts';

/** Three, each a sentence, some with a command to paste. */
export type WaysOut = readonly [string, string, string];

/** The folder's state is damaged, or cannot be reached: exit code 78. */
export class StateDamage extends ExitError {
  override readonly name = 'StateDamage';
  /**
   * @param what a sentence without its end: the file, and what is wrong with it
   */
  constructor(what: string, waysOut: WaysOut, options?: ErrorOptions) {
    const ways = waysOut.map((way, index) => `  ${index + 1}. ${way}`);
    const words = [`the state cannot be used: ${what}`, 'Nothing was changed. Three ways out:', ...ways];
    super(words.join('\n'), exitCodes.configuration, options);
  }
}

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
