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
    const [, checksum] = /^,\n"checksum": "([0-9a-f]{8})"\n\}\n$/.exec(end) ?? [];
    if (checksum === undefined) throw new Unreadable('it is cut off, or has bytes after its end');
    if (checksum !== checksumOf(crc32(bytes.subarray(0, -endBytes))))
      throw new Unreadable(`its checksum ${checksum} does not match its content`);
    const { checksum: _, ...data } = valueIn(linesIn(bytes)) as Record<string, unknown>;
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

/** The lines, each without the comma at its end. */
function* linesIn(bytes: Buffer): Generator<string> {
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    yield bytes.toString('utf8', start, bytes[end - 1] === 44 ? end - 1 : end);
    start = end + 1;
  }
}

/** Reads the output of `linesOf` line by line: a document may be longer than the longest string. */
function valueIn(lines: Iterator<string>, first: string = lines.next().value): unknown {
  const next = (): string => lines.next().value;
  if (first === '[') {
    const items: unknown[] = [];
    for (let line = next(); line !== ']'; line = next()) items.push(valueIn(lines, line));
    return items;
  }
  if (first === '{') {
    const members: [name: string, value: unknown][] = [];
    for (let line = next(); line !== '}'; line = next()) {
      const [, name = '', value] = /^("(?:[^"\\]|\\.)*"): (.*)$/s.exec(line) ?? [];
      members.push([JSON.parse(name), valueIn(lines, value)]);
    }
    return Object.fromEntries(members);
  }
  return JSON.parse(first);
}
