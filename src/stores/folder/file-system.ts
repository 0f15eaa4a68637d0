// File operations of the state folder. Written bytes survive a loss of power after a sync of the file, names after a
// sync of their folder.
import type * as promises from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMap } from 'node:util';

/** The used part of `node:fs/promises`; tests pass a disk that loses or refuses writes. */
export type FileSystem = Pick<
  typeof promises,
  'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat' | 'utimes' | 'writeFile'
>;

/** For the owner only: state contains passwords and keys. */
export const fileMode = 0o600;
const folderMode = 0o700;

export async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  const folder = await fs.open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Creates a folder and its parents. `mkdir` with `recursive` never returns if they cannot be created (/proc). */
export async function makeFolder(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.mkdir(path, folderMode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await fs.stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(fs, dirname(path));
    await fs.mkdir(path, folderMode);
  }
  // The parent may belong to another user.
  await syncFolder(fs, dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
  });
}

/** The result of a file operation; undefined if the file does not exist. */
export async function ifExists<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The message of a system error, such as `no space left on device (ENOSPC)`. */
export function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  const [code, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return code === undefined ? message : `${words} (${code})`;
}
