// Records a loaded server's stacks by perf, which sees what a JavaScript profile does not: the collector's threads, V8's own code, the kernel.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeFolder, removeFolder } from '../folders.mjs';
import { measureRate } from '../load/rate.mjs';
import { requestBytes } from '../load/request-bytes.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { logIn } from '../service/client.mjs';
import { writeFixtures } from '../service/fixtures.mjs';
import { withoutStale } from './code-map.mjs';
import { stackReader } from './stacks.mjs';

const [warmUpSeconds, seconds] = [5, 10];
const samplesPerSecond = '999';
/** V8 tells perf where its code lies, and gives interpreted functions frames of their own; the log that it writes beside that is of no use. */
const node = ['--perf-basic-prof', '--interpreted-frames-native-stack', '--logfile=/dev/null'];

/** @throws where there is no perf */
export function needPerf() {
  if (spawnSync('perf', ['--version']).status === 0) return;
  throw new Error('perf is missing; Linux has it: apt-get install linux-perf (Debian), linux-tools-generic (Ubuntu)');
}

/** Loads a server, and gives the stacks that it was met with. */
export async function record(pinning, { fixtures, requestFor }) {
  const folders = [makeFolder('perf'), writeFixtures(fixtures)];
  const start = () => startSachet(pinning, ['--fixtures', folders[1]], { node });
  try {
    return await withServers([start], async (server) => {
      const request = requestBytes(server.url, await requestFor(server, await logIn(server)));
      return recordLoad(server, request, join(folders[0], 'perf.data'));
    });
  } finally {
    folders.forEach(removeFolder);
  }
}

async function recordLoad({ url, pid }, request, file) {
  const map = `/tmp/perf-${pid}.map`;
  try {
    await measureRate(url, [request], { seconds: warmUpSeconds });
    await recorded(pid, file, () => measureRate(url, [request], { seconds }));
    writeFileSync(map, withoutStale(readFileSync(map, 'utf8')));
    return await stacksOf(file);
  } finally {
    rmSync(map, { force: true });
  }
}

async function recorded(pid, file, work) {
  const words = ['record', '-q', '-F', samplesPerSecond, '-e', 'cpu-clock', '-g', '-p', String(pid), '-o', file];
  const perf = spawn('perf', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [ended, told] = [once(perf, 'exit'), perf.stderr.setEncoding('utf8').toArray()];
  try {
    await work();
  } finally {
    perf.kill('SIGINT');
    await ended;
  }
  // It ends by the signal that it is ended with; else it has not recorded, as where kernel.perf_event_paranoid forbids it.
  if (perf.signalCode !== 'SIGINT') throw new Error(`perf recorded nothing: ${(await told).join('').trim()}`);
}

/** @throws where the kernel is hidden: a picture without it would mislead */
async function stacksOf(file) {
  const words = ['script', '-i', file, '--no-inline', '-F', 'pid,tid,ip,sym,dso'];
  const perf = spawn('perf', words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const stacks = [];
  const read = stackReader((stack) => stacks.push(stack));
  for await (const line of createInterface({ input: perf.stdout })) read(line);
  if (stacks.some((stack) => stack.some(({ group }) => group === 'kernel'))) return stacks;
  throw new Error('perf shows nothing of the kernel: sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0');
}
