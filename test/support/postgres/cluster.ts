// The folder of a PostgreSQL server, with its data, its log and its socket, and its port.
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { commandLine, ownerBesideRoot } from './binaries.ts';

/** How a server keeps what is committed. */
export interface Durability {
  /** Whether that would outlive a loss of power; else it outlives the end of the server alone, and is committed faster. */
  readonly durable?: boolean;
}

/** Where a server stands, whether it runs or not. */
export interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly log: string;
  readonly port: number;
}

/** Without fsync whole pages need not be logged either: only a loss of power tears one. */
const settings = (folder: string, port: number, { durable = false }: Durability): string => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
max_connections = 200
# In the folder, where they go with it however the server ended.
dynamic_shared_memory_type = mmap
synchronous_commit = on
fsync = ${durable ? 'on' : 'off'}
full_page_writes = ${durable ? 'on' : 'off'}
`;

function initialise(folder: string, data: string): void {
  const owner = ownerBesideRoot();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const [command = '', ...rest] = commandLine('initdb', args, owner);
  const { status, stderr, error } = spawnSync(command, rest, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${error ?? stderr}`);
}

/** A new one, in a temporary folder. */
export async function newCluster(durability: Durability): Promise<Cluster> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sachet-pg-'));
  const [data, log] = [join(folder, 'data'), join(folder, 'log')];
  try {
    initialise(folder, data);
    const port = await freePort();
    appendFileSync(join(data, 'postgresql.conf'), settings(folder, port, durability));
    return { folder, data, log, port };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
