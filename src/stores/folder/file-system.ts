// The file operations of the state folder. Written bytes survive a loss of power after a sync of the file, names after
// a sync of their folder.
import type * as promises from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMap } from 'node:util';

/** What the state folder uses of `node:fs/promises`; tests pass a disk that loses or refuses writes. */
export type FileSystem = Pick<
  typeof promises,
  'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat' | 'utimes' | 'writeFile'
>;

/** State has passwords and keys in it: files are for their owner alone, and folders as well. */
export const fileMode = 0o600;
const folderMode = 0o700;

export async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  const folder = await fs.open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Creates a folder and those above it. `mkdir` with `recursive` never returns if none can be created (/proc). */
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
  // A folder above may belong to somebody else.
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

/** The system's words, such as `no space left on device (ENOSPC)`. */
export function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  const [code, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return code === undefined ? message : `${words} (${code})`;
}
