// A client as a process: a command in a process group of its own, so that whatever it starts ends with it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { KeptOutput, lineTaker } from './kept-output.ts';
import { endGroup, type RunningGroup, register } from './process-groups.ts';
import { UsageError } from './usage-error.ts';
import { visible } from './visible.ts';
import { within } from './within.ts';

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
