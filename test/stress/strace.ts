// The system calls of a process, recorded by strace.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '../support/command.ts';

export const straceMissing = 'strace cannot trace a process here';

/** What to start a process under, and the recorded text; undefined if strace does not work here. */
export function strace(systemCalls: readonly string[]) {
  const file = join(folder(), 'strace');
  const flags = ['-f', '-y', '--seccomp-bpf', '-qq', '-s', '4000000', '-e', 'signal=none', '-o', file];
  const command = ['strace', ...flags, '-e', `trace=${systemCalls.join()}`];
  if (spawnSync('strace', [...command.slice(1), 'true']).status !== 0) return undefined;
  return { command, text: () => readFileSync(file, 'utf8') };
}

export interface SystemCall {
  readonly name: string;
  /** The file that it is about, for a rename the new name; `socket:…` for a connection. */
  readonly path: string;
  /** The old name of a renamed file. */
  readonly from: string;
  readonly text: string;
  /** The numbers of the lines where it began and ended. */
  readonly began: number;
  readonly ended: number;
}

/** The successful system calls, in order. A call that another thread interrupts has two lines. */
export function systemCallsIn(text: string): SystemCall[] {
  const unfinished = new Map<string, { readonly text: string; readonly began: number }>();
  return text.split('\n').flatMap((line, at) => {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const [, first] = /^(.*) <unfinished \.\.\.>$/s.exec(rest) ?? [];
    if (first !== undefined) return unfinished.set(thread, { text: first, began: at }) && [];
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest) ?? [];
    const { text: begin, began } = (end !== undefined && unfinished.get(thread)) || { text: '', began: at };
    return callOf(begin + (end ?? rest), began, at);
  });
}

function callOf(text: string, began: number, ended: number): SystemCall[] {
  const [, name = '', args = ''] = /^(\w+)\((.*)$/s.exec(text) ?? [];
  if (!name || /\) += -1 \w+ \(.*\)$/.test(text)) return [];
  const [, openFile = ''] = /^\d+<([^>]*)>/.exec(args) ?? [];
  const [first = '', second = ''] = Array.from(args.slice(0, 2000).matchAll(/"([^"]*)"/g), ([, path = '']) => path);
  const isRename = name.startsWith('rename');
  const path = isRename ? second : /^(?:openat|unlink|rmdir)/.test(name) ? first : openFile;
  return [{ name, path, from: isRename ? first : '', text: args, began, ended }];
}
