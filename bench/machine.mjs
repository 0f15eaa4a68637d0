// Says what machine this is, and gives the servers one core and this process (the load generator) another.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

export function describeMachine(pinning) {
  const cpus = os.cpus();
  return { cpu: cpus[0]?.model.trim() ?? 'unknown', cores: cpus.length, node: process.version, ...pinning };
}

export function pinThisProcess() {
  const [serverCore, generatorCore] = allowedCores();
  if (generatorCore === undefined) return unpinned('fewer than two cores to choose from');
  const taskset = spawnSync('taskset', ['-apc', generatorCore, String(process.pid)], { encoding: 'utf8' });
  if (taskset.error) return unpinned('no taskset');
  if (taskset.status !== 0) return unpinned(`taskset failed: ${taskset.stderr.trim()}`);
  return { pinned: true, serverCore, generatorCore };
}

export function onServerCore(pinning, command) {
  return pinning.pinned ? ['taskset', '-c', pinning.serverCore, ...command] : command;
}

function unpinned(reason) {
  return { pinned: false, reason };
}

// A container may own cores other than 0 and 1, so the kernel is asked which.
function allowedCores() {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap(expandRange).map(String);
}

function expandRange(range) {
  const [first, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}
