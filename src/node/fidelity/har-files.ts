// Reads HAR files as streams: of a file of hundreds of megabytes, only the calls of the service are in memory.
import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import { counted } from '../../client/printable.ts';
import { isRecord } from '../../contract/schema.ts';
import { callOfHarEntry, type RecordedCall } from '../../fidelity/recorded-call.ts';
import { reasonOf } from '../../stores/folder/file-system.ts';
import { UsageError } from '../../system/exit-errors.ts';

/** A call, and the file that it is from. */
interface FileCall {
  readonly call: RecordedCall;
  readonly source: string;
}

export interface Recordings {
  /** In the order in which they were made. */
  readonly calls: readonly FileCall[];
  /** Calls of the service that had no answer, or whose entry is malformed. */
  readonly incomplete: number;
}

/** Larger pieces than Node's own: a string that ends in the next piece costs time. */
const pieceBytes = 262_144;
/** Longer strings are built of pieces of this size. Without this buffer, a file takes three times as long. */
const stringBufferBytes = 65_536;
/** The most URLs that a message names. */
const maxNamed = 5;

/**
 * The calls of the service in HAR files, and the downloads that may be of its labels.
 * @param baseUrl keep only the calls with this base URL; needed if the files have calls of several
 * @throws UsageError for a file that cannot be read, and if the base URL is not clear; Error for a file that is not a
 * complete HAR, or has no call of the service
 * @example const { calls } = await readHarFiles(['real.har']);
 */
export async function readHarFiles(files: readonly string[], baseUrl?: string): Promise<Recordings> {
  const read: Recordings[] = [];
  for (const file of files) read.push(await readHarFile(file));
  const calls = read.flatMap((one) => one.calls);
  const counts = countsOf(calls.flatMap(({ call }) => (isOfService(call) ? [call.baseUrl] : [])));
  if (baseUrl === undefined && counts.size > 1)
    throw new UsageError(
      `the recordings have calls of ${counts.size} base URLs: ${listed(counts)}; choose one with --base-url URL`,
    );
  const [chosen = ''] = baseUrl === undefined ? counts.keys() : [baseUrl];
  if (!counts.has(chosen))
    throw new UsageError(`no call has the base URL ${chosen}; the recordings have ${listed(counts)}`);
  const kept = calls.filter(({ call }) => !isOfService(call) || call.baseUrl === chosen);
  return {
    calls: kept.sort((one, other) => one.call.at - other.call.at),
    incomplete: read.reduce((sum, { incomplete }) => sum + incomplete, 0),
  };
}

const isOfService = ({ path }: RecordedCall): boolean => path.startsWith('/v2/');

const isDownload = ({ method, path, query }: RecordedCall): boolean =>
  method === 'GET' && (path.endsWith('.pdf') || query.includes('X-Amz-Signature'));

/** How often each text is there, in the order of their first places. */
export function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The most frequent first: `https://a (3 calls), https://b (1 call)`. */
function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const named = sorted.slice(0, maxNamed).map(([name, calls]) => `${name} (${counted(calls, 'call')})`);
  const more = sorted.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

async function readHarFile(file: string): Promise<Recordings> {
  const calls: FileCall[] = [];
  const others: string[] = [];
  let entries = 0;
  let incomplete = 0;
  for await (const entry of entriesOf(file)) {
    entries += 1;
    const call = callOfHarEntry(entry);
    if (call === undefined) incomplete += Number(urlOf(entry).includes('/v2/'));
    else if (isOfService(call) || isDownload(call)) calls.push({ call, source: file });
    else others.push(call.baseUrl);
  }
  if (entries === 0)
    throw new Error(`${file} is not a HAR file: log.entries is missing or empty; export the recording as HAR again`);
  if (calls.some(({ call }) => isOfService(call))) return { calls, incomplete };
  const found =
    incomplete > 0
      ? `its ${counted(incomplete, 'call')} of /v2/ had no answer, or the entries are malformed`
      : `no URL in its ${countedEntries(entries)} has a path with /v2/`;
  const hosts = others.length > 0 ? `; it has calls of ${listed(countsOf(others))}` : '';
  throw new Error(
    `${file} has no call of the service: ${found}${hosts}; record the client's calls, or leave this file out`,
  );
}

function urlOf(entry: unknown): string {
  const request = isRecord(entry) ? entry.request : undefined;
  return isRecord(request) ? String(request.url) : '';
}

/** @throws UsageError for a file that cannot be read; Error for one that is not complete JSON */
async function* entriesOf(file: string): AsyncGenerator<unknown> {
  const found: unknown[] = [];
  let offset: number | undefined;
  let entries = 0;
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false, stringBufferSize: stringBufferBytes });
  parser.onToken = (token) => {
    offset = token.offset;
  };
  parser.onValue = ({ value }) => void found.push(value);
  const unreadable = (problem: string) =>
    new Error(`cannot read ${file}: ${problem} export the recording as HAR again`);
  for await (const piece of piecesOf(file)) {
    try {
      parser.write(piece);
    } catch {
      throw unreadable(`it is not JSON in UTF-8; the first error is near byte ${offset ?? 0};`);
    }
    entries += found.length;
    yield* found.splice(0);
  }
  try {
    if (!parser.isEnded) parser.end();
  } catch {
    throw unreadable(`it ends in the middle, after ${countedEntries(entries, 'complete ')}; copy the file again, or`);
  }
  if (offset === undefined) throw unreadable('it is empty;');
}

const countedEntries = (entries: number, kind = ''): string =>
  `${entries} ${kind}${entries === 1 ? 'entry' : 'entries'}`;

/** @throws UsageError for a file that cannot be read */
async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'it does not exist', EISDIR: 'it is a folder' }[code ?? ''] ?? reasonOf(error as Error);
    throw new UsageError(`cannot read the recording "${file}": ${why}; pass the path of a HAR file`);
  }
}
