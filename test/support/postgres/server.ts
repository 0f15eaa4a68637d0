// A real PostgreSQL server for tests, in a folder of its own and on a port of its own.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Cluster, type Durability, newCluster } from './cluster.ts';
import { isReady, removeCluster, spawnPostmaster } from './postmaster.ts';
import { freeze, kill, killNow, thaw } from './process-tree.ts';
import { until } from './until.ts';

export { postgresMissing } from './binaries.ts';

/** As pg_ctl has them: with a checkpoint, or as after a crash. */
type How = 'fast' | 'immediate';
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const satisfies Record<How, NodeJS.Signals>;

/** The server; its URL stays the same however often it is started. */
export class PostgresServer {
  readonly url: string;
  readonly folder: string;
  readonly #cluster: Cluster;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.folder = cluster.folder;
    this.url = `postgres://postgres@127.0.0.1:${cluster.port}/postgres`;
  }

  /** Of the server's first process, while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it, and waits until it takes connections. */
  async start(): Promise<void> {
    if (this.#child) throw new Error('the PostgreSQL server runs already');
    const child = spawnPostmaster(this.#cluster);
    this.#child = child;
    const ended = () => {
      this.#child = undefined;
    };
    this.#ended = once(child, 'exit').then(ended, ended);
    await until('PostgreSQL that is ready', () => this.#child !== child || isReady(this.#cluster, child.pid));
    if (this.#child !== child) throw new Error(`PostgreSQL ended: ${readFileSync(this.#cluster.log, 'utf8')}`);
  }

  /** Stops it, also when it is frozen, and waits until it has ended. */
  async stop(how: How = 'fast'): Promise<void> {
    const { pid } = this;
    if (pid === undefined) return;
    thaw(pid);
    process.kill(pid, signals[how]);
    await until('end of PostgreSQL', () => this.pid !== pid);
    await this.#ended;
  }

  /** Stops and starts it, on the same port. */
  async restart(how: How): Promise<void> {
    await this.stop(how);
    await this.start();
  }

  /** Ends all its processes with SIGKILL, and waits until they are gone. */
  async kill(): Promise<void> {
    const { pid } = this;
    if (pid === undefined) return;
    await kill(pid);
    await this.#ended;
  }

  /** Connections stay, and new ones are made, but none is answered. */
  async freeze(): Promise<void> {
    if (this.pid !== undefined) await freeze(this.pid);
  }

  /** Lets it go on, and answer what has come meanwhile. */
  thaw(): void {
    if (this.pid !== undefined) thaw(this.pid);
  }

  /** Stops it and removes its folder. */
  async close(): Promise<void> {
    await this.stop('immediate');
    removeCluster(this.#cluster);
    running.delete(this);
  }

  /** The same when there is no time left for waiting. */
  closeNow(): void {
    if (this.pid !== undefined) killNow(this.pid);
    removeCluster(this.#cluster);
  }
}

/** Those that are to end with this process when it ends without closing them. */
const running = new Set<PostgresServer>();
process.on('exit', () => {
  for (const server of running) server.closeNow();
});

/** A new server that takes connections. */
export async function startPostgres(durability: Durability = {}): Promise<PostgresServer> {
  const server = new PostgresServer(await newCluster(durability));
  running.add(server);
  try {
    await server.start();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}
