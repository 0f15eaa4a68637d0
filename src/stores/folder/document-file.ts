// The documents of the state folder, read and written by lowdb. JSON with one row per line, for people to read and
// compare; the last member is the checksum of all bytes before it.
import { crc32 } from 'node:zlib';
import { type Adapter, Low } from 'lowdb';
import { type FileSystem, fileMode } from './file-system.ts';

/** A damaged file. The message says why; it follows the name of the file. */
export class Unreadable extends Error {}

/** @throws Unreadable, or the error of the disk */
export async function readBytes(fs: FileSystem, path: string): Promise<Buffer> {
  return fs.readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EISDIR' ? new Unreadable('it is a folder') : error;
  });
}

/** @throws Unreadable, or the error of the disk */
export async function readDocument<T>(fs: FileSystem, path: string): Promise<T> {
  // lowdb uses the default for a missing file; the adapter throws instead.
  const document = new Low<T>(adapter<T>(fs, path), {} as T);
  await document.read();
  return document.data;
}

/** Replaces the document as a whole. Sync its folder afterwards. */
export const writeDocument = <T>(fs: FileSystem, path: string, data: T): Promise<void> =>
  new Low<T>(adapter<T>(fs, path), data).write();

const adapter = <T>(fs: FileSystem, path: string): Adapter<T> => ({
  async read() {
    const bytes = await readBytes(fs, path);
    const end = bytes.toString('latin1', Math.max(0, bytes.length - endBytes));
    if (!/^,\n"checksum": "[0-9a-f]{8}"\n\}\n$/.test(end))
      throw new Unreadable('it is cut off, or has bytes behind its end');
    const { checksum, ...data } = new LineReader(bytes).read() as Record<string, unknown>;
    if (end !== endOf(crc32(bytes.subarray(0, -endBytes))))
      throw new Unreadable(`its checksum is ${checksum}, which its bytes do not have`);
    return data as T;
  },
  async write(data) {
    const unfinished = `${path}.tmp`;
    try {
      await fs.writeFile(unfinished, bytesOf(data), { mode: fileMode, flush: true });
      await fs.rename(unfinished, path);
    } catch (error) {
      // On a full disk, everything else needs the space.
      await fs.rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  },
});

/** A CRC-32 as text. */
export const checksumOf = (crc: number): string => crc.toString(16).padStart(8, '0');

const endOf = (crc: number): string => `,\n"checksum": "${checksumOf(crc)}"\n}\n`;
const endBytes = endOf(0).length;
const pieceCharacters = 1_048_576;

/** In pieces: a document may be longer than the longest string. The checksum comes before the closing brace. */
function* bytesOf(data: unknown): Generator<Buffer> {
  let [crc, text] = [0, ''];
  for (const part of linesOf(data)) {
    text += part;
    if (text.length < pieceCharacters) continue;
    const bytes = Buffer.from(text);
    [crc, text] = [crc32(bytes, crc), ''];
    yield bytes;
  }
  const rest = Buffer.from(text.replace(/\n\}$/, ''));
  yield rest;
  yield Buffer.from(endOf(crc32(rest, crc)));
}

/** An object with an id or a sequence number is a row, written on one line. */
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

/** Reads the output of `linesOf` line by line: a document may be longer than the longest string. */
class LineReader {
  readonly #bytes: Buffer;
  #offset = 0;
  #line = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws Unreadable */
  read(first = this.#next()): unknown {
    if (first !== '{' && first !== '[') return this.#parse(first);
    const end = first === '{' ? '}' : ']';
    const items: unknown[] = [];
    const members: [name: string, value: unknown][] = [];
    for (let text = this.#next(); text !== end; text = this.#next()) {
      if (first === '[') items.push(this.read(text));
      else {
        const [, name = '', value = ''] = /^("(?:[^"\\]|\\.)*"): (.*)$/s.exec(text) ?? [];
        members.push([this.#parse(name) as string, this.read(value)]);
      }
    }
    return first === '[' ? items : Object.fromEntries(members);
  }

  /** The next line without the comma at its end. */
  #next(): string {
    this.#line += 1;
    const newline = this.#bytes.indexOf(10, this.#offset);
    if (newline < 0) throw new Unreadable(`line ${this.#line}: it ends in the middle`);
    const isSeparated = this.#bytes[newline - 1] === 44;
    const text = this.#bytes.toString('utf8', this.#offset, isSeparated ? newline - 1 : newline);
    this.#offset = newline + 1;
    return text;
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new Unreadable(`line ${this.#line}: it is no JSON`);
    }
  }
}
