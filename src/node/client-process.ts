// Clients as processes: each a command in a process group of its own, so that whatever it starts ends with it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as pause } from 'node:timers/promises';
import { stopwatch } from '../control/clock.ts';
import { UsageError } from '../stores/errors.ts';
import { visible } from './visible.ts';

// What a process has printed: the last part of it, and its lines as they are complete.

const maxCharacters = 65_536;

/** The last 65,536 characters of several streams, interleaved as they came. */
export class KeptOutput {
  #text = '';

  get text(): string {
    return lastOf(this.#text);
  }

  /** What takes the bytes of one stream, of which a character may come in parts. */
  taker(): (bytes: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    return (bytes) => {
      this.#text += decoder.write(bytes);
      if (this.#text.length > 2 * maxCharacters) this.#text = lastOf(this.#text);
    };
  }
}

/** Without half a character at its beginning. */
function lastOf(text: string): string {
  const last = text.slice(-maxCharacters);
  return last.length < text.length ? last.replace(/^[\udc00-\udfff]/, '') : last;
}

/** Tells the lines of a stream; one that does not end is told in parts, so that it fills no memory. */
export function lineTaker(tell: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  return (bytes) => {
    const lines = (begun + decoder.write(bytes)).split(/\r?\n/);
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
  readonly abandoned?: () => void;
}

const running = new Set<RunningGroup>();
const lastTasks = new Set<LastTask>();
let interruptedAt: number | undefined;

/** Keeps a group that was just started. While there is any, a signal ends them all first. */
function register(pid: number, end: () => Promise<void>): RunningGroup {
  if (isIdle()) watch('on');
  const group = { pid, end };
  running.add(group);
  return group;
}

/** Has this done, too, before a signal ends Sachet. Gives what takes it off again. */
function beforeEnd(task: LastTask): () => void {
  if (isIdle()) watch('on');
  lastTasks.add(task);
  return () => {
    lastTasks.delete(task);
    if (isIdle()) watch('off');
  };
}

const isIdle = (): boolean => running.size === 0 && lastTasks.size === 0;

/** Asks what is left of a group to end, and makes it after a grace. */
async function endGroup(group: RunningGroup): Promise<void> {
  if (!running.has(group)) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    if (send(group, signal)) await gone(group, graceMilliseconds[signal]);
  running.delete(group);
  if (isIdle()) watch('off');
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
    for (const { abandoned } of lastTasks) abandoned?.();
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

// A wait that is bounded.

/** What comes within so many milliseconds; undefined where it is late. */
export async function within<T>(milliseconds: number, coming: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const late = pause(milliseconds, undefined, { signal: done.signal }).catch(() => undefined);
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
  /** Also where a signal ends Sachet: see `unlessAborted`. */
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  readonly #group: RunningGroup;
  readonly #closed: Promise<unknown>;
  readonly #output = new KeptOutput();
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
    this.#group = register(pid, () => this.end());
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    this.ended = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    // What is written to a client that has gone is lost, as is a signal to it.
    for (const emitter of [child, child.stdin]) emitter?.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', this.#output.taker());
  }

  /** The last of what it printed, standard output and error as they came; whole once `end` is done. */
  get output(): string {
    return this.#output.text;
  }

  /** Calls back with every line of its standard output from now on. */
  onLine(listener: (line: string) => void): void {
    this.#child.stdout?.on('data', lineTaker(listener));
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
    this.#isOver ??= this.#end();
    return this.#isOver;
  }

  async #end(): Promise<void> {
    await endGroup(this.#group);
    await within(drainMilliseconds, this.#closed);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
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
  return new UsageError(`the command "${visible(file)}" cannot be started: ${why[code ?? ''] ?? visible(message)}`);
}

function isFound(file: string): boolean {
  const folders = file.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return file !== '' && folders.some((folder) => existsSync(join(folder, file)));
}

/** What is told of an end by a signal. */
interface EndTold {
  /** Sachet begins to clean up. */
  readonly begun?: () => void;
  /** Another signal came: it does not clean up. */
  readonly abandoned?: () => void;
}

/**
 * Runs it with a signal that is aborted as soon as Sachet shall end; Sachet then ends when it has cleaned up. What fails in that is told.
 */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>, told: EndTold = {}): Promise<T> {
  const stop = new AbortController();
  const { promise, resolve } = resolvable();
  const release = beforeEnd({
    run: () => {
      told.begun?.();
      stop.abort();
      return promise;
    },
    abandoned: () => told.abandoned?.(),
  });
  try {
    return await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (error !== stop.signal.reason) process.stderr.write(`sachet: ${(error as Error).message}\n`);
    // Sachet ends here: nobody is told of it any more.
    return new Promise(() => undefined);
  } finally {
    resolve();
    release();
  }
}

function resolvable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** What comes, or the reason of the signal where that is aborted first. */
export async function unlessAborted<T>(signal: AbortSignal, coming: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([coming, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
