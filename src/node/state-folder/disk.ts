// What the state folder asks of a disk, and the machine's own. A write stands after `sync`, a name after `syncFolder`: until then a loss of
// power may undo either.
import { constants, type Dirent, fstatSync } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that is written at its end. */
export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Its bytes stand from here on. */
  sync(): Promise<void>;
  /** How long it is, in bytes; undefined where no name leads to it any more. Answered at once: it is asked before every write. */
  size(): number | undefined;
  /** Cuts off what is behind this size, in bytes. */
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  /** The names of the folders in a folder; none where it is not there. */
  folders(path: string): Promise<string[]>;
  /** The names of the files in a folder; none where it is not there. */
  files(path: string): Promise<string[]>;
  /** When something was last written to a file, in milliseconds. */
  changedAt(path: string): Promise<number>;
  /** @throws where this process may not read and write it */
  requireWritable(path: string): Promise<void>;
  /** A file from its beginning, piece by piece. */
  read(path: string): AsyncIterable<Uint8Array>;
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
const pieceBytes = 1_048_576;

/** The disk of this machine. */
export const machineDisk: Disk = {
  folders: (path) => names(path, (entry) => entry.isDirectory()),
  files: (path) => names(path, (entry) => entry.isFile()),
  changedAt: async (path) => (await stat(path)).mtimeMs,
  requireWritable: (path) => access(path, constants.R_OK | constants.W_OK),
  read: pieces,
  create: async (path) => opened(await open(path, atEnd | constants.O_TRUNC, fileMode)),
  open: async (path) => opened(await open(path, atEnd, fileMode)),
  makeFolder,
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
  syncFolder,
};

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** One after another: where no folder can be made, as under /proc, Node's own way of making several does not end. */
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
  await syncFolder(dirname(path)).catch(unless('EACCES'));
}

function opened(file: FileHandle): OpenFile {
  return {
    write: (bytes) => file.appendFile(bytes),
    sync: () => file.datasync(),
    size: () => sizeOf(file.fd),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  };
}

function sizeOf(descriptor: number): number | undefined {
  const { size, nlink } = fstatSync(descriptor);
  return nlink > 0 ? size : undefined;
}

async function* pieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    while (true) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function names(
  path: string,
  isWanted: (entry: Pick<Dirent, 'isFile' | 'isDirectory'>) => boolean,
): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    unless('ENOENT')(error);
    return [];
  });
  const found: string[] = [];
  for (const entry of entries) {
    const target = entry.isSymbolicLink() ? await stat(join(path, entry.name)) : entry;
    if (isWanted(target)) found.push(entry.name);
  }
  return found;
}

/** Passes over an error of this code. */
const unless =
  (code: string) =>
  (error: unknown): void => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };
