// What a process asked of the kernel, in order, by strace: files and connections written, what was made to stand, renamed and removed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '../support/command.ts';

/** A system call that did what it was asked. */
export interface SystemCall {
  readonly name: string;
  /** The file that it is about; of a rename the one that is there then; `socket:…` for a connection. */
  readonly path: string;
  /** Of a rename, the file that was there. */
  readonly from: string;
  /** All of it, what was written included. */
  readonly text: string;
  /** The places of its begin and its end among all of the process. */
  readonly began: number;
  readonly ended: number;
}

export interface Tracing {
  /** What the process is started under. */
  readonly command: readonly string[];
  /** What was seen, once the process has ended. */
  calls(): SystemCall[];
}

const asked = [
  ...['openat', 'write', 'pwrite64', 'writev', 'pwritev', 'sendto', 'sendmsg', 'ftruncate'],
  ...['fsync', 'fdatasync', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'rmdir'],
];

/** undefined where there is no strace, or where it may not trace. */
export function tracing(): Tracing | undefined {
  const file = join(folder(), 'strace');
  const flags = ['-f', '-y', '--seccomp-bpf', '-qq', '-s', '4000000', '-e', 'signal=none', '-o', file];
  const command = ['strace', ...flags, '-e', `trace=${asked.join()}`];
  if (spawnSync('strace', [...command.slice(1), 'true']).status !== 0) return undefined;
  return { command, calls: () => callsIn(readFileSync(file, 'utf8')) };
}

const wholeLine = /^(\d+) +(\w+)\((.*)$/s;
const begunLine = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/s;
const resumedLine = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/s;

/** A call that another thread's came between has two lines. */
function callsIn(text: string): SystemCall[] {
  const begun = new Map<string, { readonly name: string; readonly words: string; readonly began: number }>();
  const calls: SystemCall[] = [];
  for (const [place, line] of text.split('\n').entries()) {
    const [, thread = '', name = '', words = ''] = begunLine.exec(line) ?? [];
    if (name) begun.set(thread, { name, words, began: place });
    else calls.push(...callAt(line, place, begun));
  }
  return calls.filter(({ text: words }) => !/\) += -1 \w+ \(.*\)$/.test(words));
}

function callAt(line: string, place: number, begun: Map<string, Omit<Begun, 'ended'>>): SystemCall[] {
  const [, thread = '', rest] = resumedLine.exec(line) ?? [];
  const before = begun.get(thread);
  if (rest !== undefined && before) {
    begun.delete(thread);
    return [callOf({ ...before, words: before.words + rest, ended: place })];
  }
  const [, , name, words] = wholeLine.exec(line) ?? [];
  return name === undefined || words === undefined ? [] : [callOf({ name, words, began: place, ended: place })];
}

interface Begun {
  readonly name: string;
  readonly words: string;
  readonly began: number;
  readonly ended: number;
}

function callOf({ name, words, began, ended }: Begun): SystemCall {
  const byDescriptor = /^(?:\d+)<([^>]*)>/.exec(words)?.[1];
  const named = Array.from(words.slice(0, 2000).matchAll(/"([^"]*)"/g), ([, path = '']) => path);
  const isRename = name.startsWith('rename');
  const path = (isRename ? named[1] : undefined) ?? (isNamed(name) ? named[0] : byDescriptor) ?? '';
  return { name, path, from: isRename ? (named[0] ?? '') : '', text: words, began, ended };
}

const isNamed = (name: string): boolean => /^(?:openat|rename|unlink|rmdir)/.test(name);
