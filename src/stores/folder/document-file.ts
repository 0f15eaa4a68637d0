// Documents of the state folder, by lowdb: what is written stands whole under its name, or not at all; what cannot be read is an error. A
// document is JSON with a row on each line, and a checksum of all before it at its end.
import { crc32 } from 'node:zlib';
import { type Adapter, Low } from 'lowdb';
import type { Disk, OpenFile } from './disk.ts';

/** What keeps a file from being read, in words that follow its name. */
export class Unreadable extends Error {}

/** A document under this name. lowdb takes its default for what is not there, so the adapter never gives nothing. */
export const readDocument = async <T>(disk: Disk, path: string): Promise<T> => {
  const document = new Low<T>(new DocumentFile<T>(disk, path), {} as T);
  await document.read();
  return document.data;
};

/** Writes a document in the place of the one of this name. Gives its size in bytes. */
export async function writeDocument<T>(disk: Disk, path: string, data: T): Promise<number> {
  const file = new DocumentFile<T>(disk, path);
  await new Low<T>(file, data).write();
  return file.size;
}

const end = /,\n"checksum": "([0-9a-f]{8})"\n\}\n$/;
const endOf = (crc: number): string => `,\n"checksum": "${checksumOf(crc)}"\n}\n`;
const pieceCharacters = 1_048_576;

/** A CRC-32 in hexadecimal digits. */
export const checksumOf = (crc: number): string => crc.toString(16).padStart(8, '0');
const endBytes = endOf(0).length;

class DocumentFile<T> implements Adapter<T> {
  readonly #disk: Disk;
  readonly #path: string;
  /** What was written, in bytes. */
  size = 0;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** @throws Unreadable, what the disk says */
  async read(): Promise<T> {
    const bytes = await this.#disk.read(this.#path);
    const [, checksum] = end.exec(bytes.toString('latin1', Math.max(0, bytes.length - endBytes))) ?? [];
    if (checksum === undefined) throw new Unreadable('it is cut off, or has bytes behind its end');
    const found = checksumOf(crc32(bytes.subarray(0, bytes.length - endBytes)));
    const { checksum: _, ...data } = parsed(bytes.toString());
    if (found !== checksum) throw new Unreadable(`its checksum is ${checksum}, and its bytes make that ${found}`);
    return data as T;
  }

  async write(data: T): Promise<void> {
    const unfinished = `${this.#path}.tmp`;
    try {
      await this.#fill(await this.#disk.create(unfinished), data);
    } catch (error) {
      // On a full disk it would be in the way of everything else.
      await this.#disk.remove(unfinished).catch(() => undefined);
      throw error;
    }
    await this.#disk.rename(unfinished, this.#path);
    await this.#disk.syncFolder(this.#path.slice(0, this.#path.lastIndexOf('/')));
  }

  async #fill(file: OpenFile, data: T): Promise<void> {
    let crc = 0;
    try {
      for (const piece of piecesOf(data)) {
        const bytes = Buffer.from(piece);
        crc = crc32(bytes, crc);
        this.size += bytes.length;
        await file.write(bytes);
      }
      await file.write(Buffer.from(endOf(crc)));
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    const position = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? 0);
    throw new Unreadable(`line ${text.slice(0, position).split('\n').length}: it is no JSON`);
  }
}

/** The document without its closing brace, some lines at a time. */
function* piecesOf(data: unknown): Generator<string> {
  let piece = '';
  for (const part of linesOf(data)) {
    piece += part;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  yield piece.replace(/\n\}$/, '');
}

/** A row, and whatever else has an id or a number, stands on one line. */
function* linesOf(value: unknown): Generator<string> {
  const isRow = typeof value !== 'object' || value === null || 'id' in value || 'seq' in value;
  if (isRow || Object.keys(value).length === 0) return yield JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  let separator = isList ? '[\n' : '{\n';
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(name)}: `;
    yield* linesOf(part);
    separator = ',\n';
  }
  yield isList ? '\n]' : '\n}';
}
