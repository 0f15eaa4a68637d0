// Clients as processes: each a command in a process group of its own, so that whatever it starts ends with it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../stores/errors.ts';
import { stopwatch } from '../system/time.ts';
import { printable } from './printable.ts';

const maxCharacters = 65_536;

/** The last 65,536 characters, without half a character at their beginning. */
function lastOf(text: string): string {
  const last = text.slice(-maxCharacters);
  return last.length < text.length ? last.replace(/^[\udc00-\udfff]/, '') : last;
}

/** Tells the lines of a stream; one that does not end is told in parts, so that it fills no memory. */
export function splitLines(tell: (line: string) => void): (text: string) => void {
  let begun = '';
  return (text) => {
    const lines = (begun + text).split(/\r?\n/);
    begun = lines.pop() ?? '';
    for (const line of lines) tell(line);
    if (begun.length <= maxCharacters) return;
    tell(begun);
    begun = '';
  };
}

// Process groups that Sachet has started: each is ended when it is over, and all of them before Sachet itself ends.

/** A group by the pid of its leader, until nothing of it is left. */
interface RunningGroup {
  readonly pid: number;
  /** Ends it whole. */
  readonly end: () => Promise<void>;
}

/** How long a signal may take; dead orphans that nobody reaps look as if they took it never. */
const graceMilliseconds = { SIGTERM: 2000, SIGKILL: 100 } as const;
const lookMilliseconds = 10;
/** Exit codes as a shell tells them of a command that a signal has ended. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A terminal's Ctrl-C reaches Sachet itself, and once more by the npm that has started it. */
const sameSignalMilliseconds = 1000;

/** What is done before a signal ends Sachet. */
interface LastTask {
  readonly run: () => Promise<void>;
  /** Called where another signal does not wait for it. */
  readonly abandoned: () => void;
}

const running = new Set<RunningGroup>();
const lastTasks = new Set<LastTask>();
let interruptedAt: number | undefined;

/** Keeps a group or a task until it is dropped. While there is any, a signal ends them all before Sachet. */
function keep<Kept>(all: Set<Kept>, one: Kept): void {
  if (running.size + lastTasks.size === 0) watch('on');
  all.add(one);
}

function drop<Kept>(all: Set<Kept>, one: Kept): void {
  if (all.delete(one) && running.size + lastTasks.size === 0) watch('off');
}

/** Asks what is left of a group to end, and makes it after a grace. */
async function endGroup(group: RunningGroup): Promise<void> {
  if (!running.has(group)) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    if (send(group, signal)) await gone(group, graceMilliseconds[signal]);
  drop(running, group);
}

/** Whether there was anything to send it to; 0 only asks that. */
function send({ pid }: RunningGroup, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // What may not be ended is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function gone(group: RunningGroup, milliseconds: number): Promise<void> {
  for (let waited = 0; waited < milliseconds && send(group, 0); waited += lookMilliseconds)
    await pause(lookMilliseconds);
}

function watch(turn: 'on' | 'off'): void {
  for (const signal of Object.keys(exitCodes) as (keyof typeof exitCodes)[]) process[turn](signal, interrupt);
  process[turn]('exit', killAll);
}

/** The first signal ends the groups, then Sachet; a second one does not wait. */
function interrupt(signal: keyof typeof exitCodes): void {
  const end = () => process.exit(exitCodes[signal]);
  if (interruptedAt !== undefined) {
    if (stopwatch() - interruptedAt < sameSignalMilliseconds) return;
    for (const { abandoned } of lastTasks) abandoned();
    end();
  }
  interruptedAt = stopwatch();
  const groups = Array.from(running, (group) => group.end());
  const tasks = Array.from(lastTasks, (task) => task.run());
  void Promise.allSettled([...groups, ...tasks]).then(end);
}

/** However Sachet ends, nothing is left behind. */
function killAll(): void {
  for (const group of running) send(group, 'SIGKILL');
}

/**
 * What comes within so many milliseconds; undefined where it is late.
 * @throws the reason of the signal, where that is aborted first
 */
export async function withTimeout<T>(
  milliseconds: number,
  coming: Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const done = new AbortController();
  const ends = AbortSignal.any(signal ? [done.signal, signal] : [done.signal]);
  const late = pause(milliseconds, undefined, { signal: ends }).catch(() => {
    signal?.throwIfAborted();
    return undefined;
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    done.abort();
  }
}

/** How a process ended; one of the two is null. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** How long output may come that somebody outside of the group still holds the pipe of. */
const drainMilliseconds = 500;

export class ClientProcess {
  /** Also where a signal ends Sachet. */
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  readonly #group: RunningGroup;
  readonly #closed: Promise<unknown>;
  #output = '';
  #isOver: Promise<void> | undefined;

  /**
   * Starts a command, without a shell.
   * @throws UsageError for one that cannot be started.
   */
  static async start(
    command: readonly string[],
    env: NodeJS.ProcessEnv,
    { stdin = 'ignore' }: { readonly stdin?: 'ignore' | 'pipe' } = {},
  ): Promise<ClientProcess> {
    const child = spawned(command, { env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
    // A pid that there is none of means that an error is about to tell why.
    if (child.pid !== undefined) return new ClientProcess(child, child.pid);
    const [error] = await once(child, 'error');
    throw notStarted(command, error as Error);
  }

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child;
    this.#group = { pid, end: () => this.end() };
    keep(running, this.#group);
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    this.ended = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    // What is written to a client that has gone is lost, as is a signal to it.
    for (const emitter of [child, child.stdin]) emitter?.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        if (this.#output.length > 2 * maxCharacters) this.#output = lastOf(this.#output);
      });
  }

  /** The last of what it printed, standard output and error as they came; whole once `end` is done. */
  get output(): string {
    return lastOf(this.#output);
  }

  /** Calls back with every line of its standard output from now on. */
  onLine(listener: (line: string) => void): void {
    this.#child.stdout?.on('data', splitLines(listener));
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Tells it that no further line comes. */
  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Ends it, or what it has left behind: the whole group is asked to, and after two seconds made to. */
  end(): Promise<void> {
    this.#isOver ??= endGroup(this.#group).then(async () => {
      await withTimeout(drainMilliseconds, this.#closed);
      for (const stream of this.#child.stdio) stream?.destroy();
    });
    return this.#isOver;
  }
}

function spawned(command: readonly string[], options: SpawnOptions): ChildProcess {
  const [file = '', ...args] = command;
  try {
    return spawn(file, args, options);
  } catch (error) {
    throw notStarted(command, error as Error);
  }
}

function notStarted([file = '']: readonly string[], { code, message }: NodeJS.ErrnoException): UsageError {
  const why: Readonly<Record<string, string>> = {
    ENOENT: isFound(file)
      ? 'what shall run it is not there (see its first line, #!)'
      : 'there is no such command (for words of a shell, give: sh -c "…")',
    EACCES: 'it may not be executed',
  };
  return new UsageError(`the command "${printable(file)}" cannot be started: ${why[code ?? ''] ?? printable(message)}`);
}

function isFound(file: string): boolean {
  const folders = file.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return file !== '' && folders.some((folder) => existsSync(join(folder, file)));
}

interface EndTold {
  /** Sachet begins to clean up. */
  readonly begun?: () => void;
  /** Another signal came: it does not clean up. */
  readonly abandoned?: () => void;
}

/**
 * Runs work that must clean up behind itself also where Ctrl-C ends it: with a signal that is aborted as soon as
 * Sachet shall end. Sachet then ends when it has cleaned up. What fails in that is told.
 */
export async function interruptible<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { begun, abandoned = () => undefined }: EndTold = {},
): Promise<T> {
  const stop = new AbortController();
  const over = new EventEmitter();
  const task: LastTask = {
    run: async () => {
      begun?.();
      stop.abort();
      await once(over, 'end');
    },
    abandoned,
  };
  keep(lastTasks, task);
  try {
    return await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (error !== stop.signal.reason) process.stderr.write(`sachet: ${(error as Error).message}\n`);
    // Sachet ends here: nobody is told of it any more.
    return new Promise(() => undefined);
  } finally {
    over.emit('end');
    drop(lastTasks, task);
  }
}
