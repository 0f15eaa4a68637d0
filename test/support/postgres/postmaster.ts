// A server's first process, as its folder tells of it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, ownerBesideRoot } from './binaries.ts';
import type { Cluster } from './cluster.ts';

const fileOf = ({ data }: Cluster): string => join(data, 'postmaster.pid');

/** What the file says that it keeps while it runs, line by line. */
function linesOf(cluster: Cluster): readonly string[] {
  try {
    return readFileSync(fileOf(cluster), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Whether it takes connections. */
export function isReady(cluster: Cluster, pid: number | undefined): boolean {
  const lines = linesOf(cluster);
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

/** Starts it, whatever became of the one before, which is gone. */
export function spawnPostmaster(cluster: Cluster): ChildProcess {
  // What a killed one left names a pid that may be somebody else's by now.
  rmSync(fileOf(cluster), { force: true });
  const [command = '', ...args] = commandLine('postgres', ['-D', cluster.data], ownerBesideRoot());
  const log = openSync(cluster.log, 'a');
  const child = spawn(command, args, { cwd: cluster.folder, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  child.unref();
  return child;
}

/** Removes all that a server which runs no more has on the machine. */
export function removeCluster(cluster: Cluster): void {
  // A killed one leaves a segment of shared memory too, which only its next start would take away.
  const [, segment] = linesOf(cluster)[6]?.trim().split(/\s+/) ?? [];
  if (segment) spawnSync('ipcrm', ['-m', segment]);
  rmSync(cluster.folder, { recursive: true, force: true, maxRetries: 5 });
}
