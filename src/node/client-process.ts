// Runs a partner's command as a process group, so that everything it starts ends with it, and nothing outlives Sachet.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { printable } from '../client/printable.ts';
import { UsageError } from '../system/exit-errors.ts';
import { stopwatch } from '../system/time.ts';

/** The most of a client's output that is kept. */
const maxCharacters = 65_536;

const endSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** A terminal's Ctrl-C reaches Sachet twice if npm started it: directly, and through npm. */
const sameSignalMilliseconds = 1000;

/**
 * Runs work that must clean up even if Ctrl-C ends it. A signal aborts `signal`, and Sachet exits when the work has
 * settled; a second signal does not wait for that. An error of the cleanup is printed.
 * @param onAbandoned is called before Sachet exits without having cleaned up
 */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>, onAbandoned?: () => void) {
  const stop = new AbortController();
  let interrupted: { readonly exitCode: number; readonly at: number } | undefined;
  const interrupt = (signal: (typeof endSignals)[number]) => {
    // The exit code that a shell shows for a command that a signal ended.
    const exitCode = 128 + constants.signals[signal];
    if (!interrupted) {
      interrupted = { exitCode, at: stopwatch() };
      stop.abort();
    } else if (stopwatch() - interrupted.at >= sameSignalMilliseconds) {
      onAbandoned?.();
      process.exit(exitCode);
    }
  };
  for (const signal of endSignals) process.on(signal, interrupt);
  try {
    return await run(stop.signal);
  } catch (error) {
    if (interrupted && error !== stop.signal.reason) process.stderr.write(`sachet: ${(error as Error).message}\n`);
    throw error;
  } finally {
    if (interrupted) process.exit(interrupted.exitCode);
    for (const signal of endSignals) process.off(signal, interrupt);
  }
}

/** Resolves to the value, or to undefined after the timeout. @throws the reason of the signal if that aborts first */
export function withTimeout<T>(milliseconds: number, value: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  const done = new AbortController();
  const stops = AbortSignal.any(signal ? [done.signal, signal] : [done.signal]);
  const late = pause(milliseconds, undefined, { signal: stops }).catch(() => void signal?.throwIfAborted());
  return Promise.race([value, late]).finally(() => done.abort());
}

/** How long a group may take to end after each signal. Orphans that no process reaps never seem to end. */
const graceMilliseconds = { SIGTERM: 2000, SIGKILL: 100 } as const;
const pollMilliseconds = 10;

/** Signals a process group; 0 only asks if it exists. Returns false if nothing of it is left. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The leaders of the running process groups: they end with Sachet, even if a second signal ends it. */
const runningLeaders = new Set<number>();
process.on('exit', () => {
  for (const leader of runningLeaders) signalGroup(leader, 'SIGKILL');
});

/** How long to read on from a pipe that a process outside the group still holds. */
const drainMilliseconds = 500;

export class ClientProcess {
  /** One of the two is null. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  readonly #child: ChildProcess;
  readonly #leader: number;
  readonly #closed: Promise<unknown>;
  #output = '';
  #end: Promise<void> | undefined;

  /** Starts a command, without a shell. @throws UsageError if it cannot be started */
  static async start(command: readonly string[], env: NodeJS.ProcessEnv, stdin: 'ignore' | 'pipe' = 'ignore') {
    const [file = '', ...args] = command;
    try {
      const child = spawn(file, args, { env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
      if (child.pid !== undefined) return new ClientProcess(child, child.pid);
      const [error] = await once(child, 'error');
      throw error;
    } catch (error) {
      throw startError(file, error as Error);
    }
  }

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child;
    this.#leader = pid;
    runningLeaders.add(pid);
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    this.ended = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    // Writes and signals to a process that has ended are lost, not errors.
    for (const emitter of [child, child.stdin]) emitter?.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        if (this.#output.length > 2 * maxCharacters) this.#output = this.#output.slice(-maxCharacters);
      });
  }

  /** The end of its standard output and error, in the order of arrival; complete after `end`. */
  get output(): string {
    return this.#output.slice(-maxCharacters);
  }

  /** Calls back with every line of its standard output from now on. */
  onLine(listener: (line: string) => void): void {
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', listener);
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Whether `end` was called. */
  get isEnding(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the whole group, also processes left behind: with SIGTERM, after two seconds with SIGKILL. */
  end(): Promise<void> {
    this.#end ??= this.#endGroup();
    return this.#end;
  }

  async #endGroup(): Promise<void> {
    const leader = this.#leader;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const deadline = stopwatch() + graceMilliseconds[signal];
      for (let isLeft = signalGroup(leader, signal); isLeft && stopwatch() < deadline; isLeft = signalGroup(leader, 0))
        await pause(pollMilliseconds);
    }
    runningLeaders.delete(leader);
    await withTimeout(drainMilliseconds, this.#closed);
    for (const stream of this.#child.stdio) stream?.destroy();
  }
}

function startError(file: string, { code, message }: NodeJS.ErrnoException): UsageError {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: existsSync(file)
      ? 'its interpreter is missing (see its first line, #!)'
      : 'no such command (for shell syntax, use: sh -c "…")',
    EACCES: 'no permission to execute it',
  };
  const reason = reasons[code ?? ''] ?? printable(message);
  return new UsageError(`the command "${printable(file)}" cannot be started: ${reason}`);
}
