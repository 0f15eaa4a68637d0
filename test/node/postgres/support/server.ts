// A real PostgreSQL server for tests, in a temporary folder and on a port of its own. Linux only.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isThere } from '../../../support/command.ts';

/** Debian installs the programs of each version side by side, and not on the PATH. */
const debian = '/usr/lib/postgresql';
const debianVersions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
const places = [...(process.env.PATH ?? '').split(delimiter), ...debianVersions.map((one) => join(debian, one, 'bin'))];
const folderOf = (...programs: readonly string[]): string | undefined =>
  places.find((place) => place !== '' && programs.every((program) => existsSync(join(place, program))));

/** The user `postgres` if the tests run as root, whom PostgreSQL rejects. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return uid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid?.stdout) } : undefined;
}

function missing(): string | undefined {
  if (process.platform !== 'linux') return 'PostgreSQL is started for tests on Linux only';
  if (!folderOf('initdb', 'postgres')) return 'no PostgreSQL found; install it (Debian: apt install postgresql)';
  if (!folderOf('setpriv')) return 'no setpriv found; install it (Debian: apt install util-linux)';
  if (process.getuid?.() === 0 && !owner()) return 'PostgreSQL rejects root, and there is no user `postgres`';
  return undefined;
}

/** Why no PostgreSQL server can be started here. @throws Error instead if POSTGRES_REQUIRED is set */
export function postgresMissing(): string | undefined {
  const reason = missing();
  if (reason && process.env.POSTGRES_REQUIRED) throw new Error(reason);
  return reason;
}

/** A command line of PostgreSQL. It runs as the owner, and ends with the process that starts it. */
function commandLine(program: 'initdb' | 'postgres', ...args: readonly string[]): [string, string[]] {
  const user = owner();
  const drop = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  return ['setpriv', ['--pdeathsig=KILL', ...drop, join(folderOf(program) ?? '', program), ...args]];
}

/** Creates the files of a server. @param durable whether commits survive a power loss, which takes longer */
function createCluster(folder: string, port: number, durable: boolean): void {
  const user = owner();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const [command, args] = commandLine('initdb', '-D', data, ...flags);
  const { status, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${error ?? stderr}`);
  const settings = {
    listen_addresses: "'127.0.0.1'",
    port,
    unix_socket_directories: `'${folder}'`,
    max_connections: 200,
    dynamic_shared_memory_type: 'mmap',
    fsync: durable,
    full_page_writes: durable,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
}

/** The state letter of a process, and its parent's pid. */
function statusOf(pid: number): readonly string[] {
  try {
    return /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.slice(1) ?? [];
  } catch {
    return [];
  }
}

/** A process and its children. */
const familyOf = (parent: number): number[] => [
  parent,
  ...readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && statusOf(pid)[1] === String(parent)),
];

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** Suspends processes, and waits until they are. */
async function suspend(pids: readonly number[]): Promise<void> {
  signal(pids, 'SIGSTOP');
  await until(`suspension of ${pids}`, () => pids.every((pid) => !isThere(pid) || statusOf(pid)[0] === 'T'));
}

/** Waits also outside of a test, where `expect.poll` is not available. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const late = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > late) throw new Error(`after a minute there is no ${what}`);
    await sleep(5);
  }
}

/** As in pg_ctl: with a checkpoint, or like a crash. */
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export class PostgresServer {
  /** Stays the same over restarts. */
  readonly url: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** The pid of its first process, while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The lines of its pid file, which tell whether it is ready. */
  #pidFile(): readonly string[] {
    try {
      return readFileSync(join(this.#folder, 'data/postmaster.pid'), 'utf8').split('\n');
    } catch {
      return [];
    }
  }

  /** Starts it, and waits until it accepts connections. */
  async start(): Promise<void> {
    // After a kill the file names a pid that another process may have by now.
    rmSync(join(this.#folder, 'data/postmaster.pid'), { force: true });
    const [command, args] = commandLine('postgres', '-D', join(this.#folder, 'data'));
    const log = openSync(join(this.#folder, 'log'), 'a');
    const child = spawn(command, args, { cwd: this.#folder, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    child.unref();
    this.#child = child;
    const forget = () => {
      this.#child = undefined;
    };
    this.#ended = once(child, 'exit').then(forget, forget);
    const isReady = () => this.#pidFile()[0] === String(child.pid) && this.#pidFile()[7]?.trim() === 'ready';
    await until('PostgreSQL that is ready', () => this.#child !== child || isReady());
    if (this.#child !== child) throw new Error(`PostgreSQL ended: ${readFileSync(join(this.#folder, 'log'), 'utf8')}`);
  }

  async stop(how: keyof typeof stopSignals = 'fast'): Promise<void> {
    if (this.pid === undefined) return;
    this.thaw();
    signal([this.pid], stopSignals[how]);
    await this.#ended;
  }

  /** Kills all its processes. */
  async kill(): Promise<void> {
    if (this.pid === undefined) return;
    // The suspended parent starts no more children.
    await suspend([this.pid]);
    const pids = familyOf(this.pid);
    signal(pids, 'SIGKILL');
    await until(`end of ${pids}`, () => !pids.some(isThere));
    await this.#ended;
  }

  /** Suspends all its processes: it accepts connections, but does not answer. */
  async freeze(): Promise<void> {
    if (this.pid === undefined) return;
    await suspend([this.pid]);
    await suspend(familyOf(this.pid));
  }

  thaw(): void {
    if (this.pid !== undefined) signal(familyOf(this.pid).reverse(), 'SIGCONT');
  }

  async close(): Promise<void> {
    await this.stop('immediate');
    this.#remove();
  }

  /** Ends it without waiting. */
  closeNow(): void {
    if (this.pid !== undefined) signal(familyOf(this.pid), 'SIGKILL');
    this.#remove();
  }

  #remove(): void {
    running.delete(this);
    // A killed server leaves a segment of shared memory.
    const [, segment] = this.#pidFile()[6]?.trim().split(/\s+/) ?? [];
    if (segment) spawnSync('ipcrm', ['-m', segment]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends with this process at the latest. */
const running = new Set<PostgresServer>();
process.on('exit', () => {
  for (const server of running) server.closeNow();
});

export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sachet-pg-'));
  const port = await freePort();
  const server = new PostgresServer(folder, port);
  running.add(server);
  try {
    createCluster(folder, port, durable);
    await server.start();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}
