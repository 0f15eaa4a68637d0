// Whether what was acknowledged stood by then, by the order of the system calls: a loss of power may undo all that was not synced.
import { basename, dirname } from 'node:path';
import type { SystemCall } from './system-calls.ts';

/** The marks of orders: whole texts, so that one is not found in another. */
const mark = /\bm\d+\b/g;
const log = /\/changes\.log$/;
const document = /\/sandboxes\/[^/]+\.json$/;

const isSync = ({ name }: SystemCall): boolean => name === 'fdatasync' || name === 'fsync';
const isWrite = ({ name }: SystemCall): boolean => /^p?writev?(?:64)?$|^send/.test(name);
const isRename = ({ name }: SystemCall): boolean => name.startsWith('rename');
export const isLogSync = (call: SystemCall): boolean => isSync(call) && log.test(call.path);

/** The system calls of a server, to be asked what stood when. */
export class Course {
  readonly #calls: readonly SystemCall[];
  readonly #syncs: readonly SystemCall[];

  constructor(calls: readonly SystemCall[]) {
    this.#calls = calls;
    this.#syncs = calls.filter(isSync);
  }

  /** The marks of the orders that a connection was told of. */
  get answered(): Map<string, SystemCall> {
    const answers = this.#calls.filter((call) => isWrite(call) && call.path.startsWith('socket:'));
    return marksOf(answers.filter(({ text }) => text.includes('HTTP/1.1 201')));
  }

  /** Orders that were acknowledged before they stood, each a sentence. */
  orders(): string[] {
    const written = marksOf(this.#calls.filter((call) => isWrite(call) && log.test(call.path)));
    return [...this.answered].flatMap(([order, answer]) => {
      const line = written.get(order);
      if (!line) return [`${order} was answered, and is in no log`];
      return this.#stands(line.path, line.ended, answer.began) ? [] : [`${order} was answered before its line stood`];
    });
  }

  /** Documents that came to their names before they stood, each a sentence. */
  documents(): string[] {
    return this.#renames(document).flatMap((rename) => {
      const { from, path, began } = rename;
      const last = this.#calls.findLast((call) => isWrite(call) && call.path === from && call.ended < began);
      if (!last) return [`nothing was written to ${basename(from)}`];
      return this.#stands(from, last.ended, began) ? [] : [`${basename(path)} was renamed before its bytes stood`];
    });
  }

  /** Logs that were emptied before the documents that have their lines stood, each a sentence. */
  emptied(): string[] {
    return this.truncated.flatMap(({ path, began }) => {
      const rename = this.#renames(document).findLast((call) => call.ended < began);
      const isThere = rename !== undefined && this.#stands(dirname(rename.path), rename.ended, began);
      return isThere ? [] : [`${basename(path)} was emptied before its documents stood`];
    });
  }

  /** A start empties the log, too, which may have nothing in it. */
  get truncated(): SystemCall[] {
    const first = this.#calls.find((call) => isWrite(call) && log.test(call.path))?.began ?? 0;
    return this.#calls.filter(({ name, path, began }) => name === 'ftruncate' && log.test(path) && began > first);
  }

  #renames = (to: RegExp): SystemCall[] => this.#calls.filter((call) => isRename(call) && to.test(call.path));

  /** Whether a sync of this path began and ended between these places. */
  #stands = (path: string, after: number, before: number): boolean =>
    this.#syncs.some((sync) => sync.path === path && sync.began > after && sync.ended < before);
}

/** The first call of each mark. */
function marksOf(calls: readonly SystemCall[]): Map<string, SystemCall> {
  const found = new Map<string, SystemCall>();
  for (const call of calls) for (const [name] of call.text.matchAll(mark)) if (!found.has(name)) found.set(name, call);
  return found;
}
