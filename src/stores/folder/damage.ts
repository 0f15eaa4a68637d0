// The errors of a state folder that cannot be used: the fault, and three options.
import { existsSync } from 'node:fs';
import { builtInSandboxes, shellWord } from '../../contract/addresses.ts';
import { documentFormat } from '../../state/store.ts';
import { ExitError, exitCodes } from '../../system/exit-errors.ts';

type WaysOut = readonly [string, string, string];

/** The folder's state is damaged or not accessible: exit code 78. */
export class StateDamage extends ExitError {
  override readonly name = 'StateDamage';
  /**
   * @param what the file and its fault, without a period
   * @param waysOut sentences, some with a command to paste
   */
  constructor(what: string, waysOut: WaysOut, options?: ErrorOptions) {
    const ways = waysOut.map((way, index) => `  ${index + 1}. ${way}`);
    const message = [`the state cannot be used: ${what}`, 'Nothing was changed. You have three options:', ...ways].join(
      '\n',
    );
    super(message, exitCodes.configuration, options);
  }
}

export const inMemory = 'start without --state: the state is then only in memory';
export const otherFolder = 'start with another folder: --state <dir>; this one stays unchanged';

export function fromBackup(path: string): string {
  // If it is pasted without a change, the first command fails, and nothing is moved.
  const copy = shellWord(freeName(`${path}.restored`));
  const steps = [`cp -a YOUR_BACKUP_OF_IT ${copy}`, moved(path, `${path}.damaged`), `mv ${copy} ${shellWord(path)}`];
  return `restore the folder from a backup: ${steps.join(' && ')}`;
}

/** Removes one sandbox, and keeps copies of its document and of the log. */
export function setAside(path: string, name: string): string {
  const becomes = builtInSandboxes.includes(name)
    ? 'it starts from the fixtures'
    : 'it no longer exists, nor do its key and passwords';
  const [document, log] = [`${path}/sandboxes/${name}.json`, `${path}/changes.log`];
  const copy = shellWord(freeName(`${log}.damaged`));
  const pattern = `^[0-9]* [0-9a-f]* {"sandbox":"${name.replaceAll('.', '[.]')}",`;
  const steps = [`cp ${shellWord(log)} ${copy}`, `sed '/${pattern}/d' ${copy} > ${shellWord(log)}`];
  // A new sandbox may be in the log only.
  if (existsSync(document)) steps.push(moved(document, `${path}/${name}.json.damaged`));
  return `move this sandbox out of the folder: the others keep their state, and ${becomes}: ${steps.join(' && ')}`;
}

export const oldFormat = (path: string, sandbox: string): StateDamage =>
  new StateDamage(
    `${path}/sandboxes/${sandbox} has format 1; this version of Sachet reads only format ${documentFormat}`,
    [
      'start the version that wrote it with this folder, save GET /_admin/sandboxes/{sandbox}/state of each sandbox, ' +
        'then start this version with another folder and PUT each state to it',
      `start from the fixtures, and keep the old folder: ${moved(path, `${path}.old-format`)}`,
      otherFolder,
    ],
  );

/** A command that moves a file or folder to this name, with a number if the name is taken. */
const moved = (from: string, to: string): string => `mv ${shellWord(from)} ${shellWord(freeName(to))}`;

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n += 1) free = `${name}-${n}`;
  return free;
}

/** Turns a system error about a state folder into StateDamage with ways out; returns any other error unchanged. */
export function asStateDamage(path: string, error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const toUse: Readonly<Record<string, string>> = {
    ENOTDIR: 'move away the file that has this name, or the name of a folder above it',
    EEXIST: 'move away the file that has this name',
    EISDIR: 'move away the folder that has the name of a file',
    ELOOP: 'remove the link that leads back to itself',
    ENOENT: 'create the folder yourself, or remove the link to nothing that has its name',
    ENAMETOOLONG: 'start with a shorter path: --state <dir>',
    EROFS: 'make its file system writable, or mount a writable one there',
  };
  const way = toUse[code];
  if (way !== undefined)
    return new StateDamage(`${path} cannot be used as a folder: ${message}`, [way, otherFolder, inMemory]);
  if (['EACCES', 'EPERM'].includes(code)) {
    const make = existsSync(path) ? '' : `mkdir -p ${shellWord(path)} && `;
    const own = `${make}chown -R ${process.getuid?.() ?? 'user'} ${shellWord(path)}`;
    const access = `let the user that runs Sachet read and write it: ${own}`;
    return new StateDamage(`${path}: ${message}`, [access, 'run Sachet as its owner', otherFolder]);
  }
  if (code === 'EIO') return new StateDamage(message, ['check the disk', fromBackup(path), otherFolder]);
  return new Error(`${path}: ${message}`, { cause: error });
}
