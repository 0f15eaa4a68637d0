// What the state folder asks of a disk, and the machine's own. A write stands after `sync`, a name after `syncFolder`: until then a loss of
// power may undo either.
import { constants, fstatSync } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that is written at its end. */
export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Its bytes stand from here on. */
  sync(): Promise<void>;
  /** How long it is, in bytes; undefined if no name leads to it any more. Answered at once: it is asked before every write. */
  size(): number | undefined;
  /** Cuts off what is behind this size, in bytes. */
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  /** The names in a folder, by what they are; none if it is not there. */
  names(path: string): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }>;
  /** When something was last written to a file, in milliseconds. */
  changedAt(path: string): Promise<number>;
  /** A whole file. @throws if this process may not read and write it */
  read(path: string): Promise<Buffer>;
  /** Makes a file, in place of one that may be there. */
  create(path: string): Promise<OpenFile>;
  open(path: string): Promise<OpenFile>;
  /** Makes a folder, and those it stands in. */
  makeFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with all it holds; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** The names in a folder stand from here on. */
  syncFolder(path: string): Promise<void>;
}

// What is kept has passwords and keys in it.
const [fileMode, folderMode] = [0o600, 0o700];
// Wherever a cut has left the end. Without O_APPEND the next line would stand behind a hole.
const atEnd = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;

/** The disk of this machine. */
export const machineDisk: Disk = {
  names: async (path) => {
    const [files, folders]: [string[], string[]] = [[], []];
    for (const entry of await readdir(path, { withFileTypes: true }).catch(noneIfMissing)) {
      const target = entry.isSymbolicLink() ? await stat(join(path, entry.name)) : entry;
      if (target.isFile()) files.push(entry.name);
      else if (target.isDirectory()) folders.push(entry.name);
    }
    return { files, folders };
  },
  changedAt: async (path) => (await stat(path)).mtimeMs,
  read: async (path) => {
    await access(path, constants.R_OK | constants.W_OK);
    return readFile(path);
  },
  create: async (path) => opened(await open(path, atEnd | constants.O_TRUNC, fileMode)),
  open: async (path) => opened(await open(path, atEnd, fileMode)),
  makeFolder,
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
  syncFolder,
};

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** One after another: if no folder can be made, as under /proc, Node's own way of making several does not end. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: folderMode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: folderMode });
  }
  // One that this process may not read is not its to sync.
  await syncFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
  });
}

const opened = (file: FileHandle): OpenFile => ({
  write: (bytes) => file.appendFile(bytes),
  sync: () => file.datasync(),
  size: () => {
    const { size, nlink } = fstatSync(file.fd);
    return nlink > 0 ? size : undefined;
  },
  truncate: (size) => file.truncate(size),
  close: () => file.close(),
});
