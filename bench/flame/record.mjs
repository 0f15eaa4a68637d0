// Records a loaded server's stacks by perf, which sees what a JavaScript profile does not: the collector's threads, V8's own code, the kernel.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { empty, removeAtEnd, withFolder } from '../folders.mjs';
import { measureRate } from '../load/rate.mjs';
import { requestBytes } from '../load/request-bytes.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { logIn } from '../service/client.mjs';
import { withFixtures } from '../service/fixtures.mjs';
import { withoutStale } from './code-map.mjs';
import { stackReader } from './stacks.mjs';

const [warmUpSeconds, seconds] = [5, 10];
/** A server that is recorded, and perf beside it on a busy machine, may stand still for longer than one by itself. */
const graceSeconds = 30;
const samplesPerSecond = '999';
/** V8 tells perf where its code lies, and gives interpreted functions frames of their own; the log that it writes beside that is of no use. */
const node = ['--perf-basic-prof', '--interpreted-frames-native-stack', '--logfile=/dev/null'];

/** Where V8 writes its map, and perf looks for it. */
const mapOf = (pid) => `/tmp/perf-${pid}.map`;

/** @throws where there is no perf */
export function needPerf() {
  if (spawnSync('perf', ['--version']).status === 0) return;
  throw new Error('perf is missing; Linux has it: apt-get install linux-perf (Debian), linux-tools-generic (Ubuntu)');
}

/** Loads a server, and gives the stacks that it was met with. */
export function record(pinning, { fixtures, requestFor }) {
  return withFixtures(fixtures, (fixturesFolder) =>
    withFolder(empty, (folder) => {
      const onSpawn = (pid) => removeAtEnd(mapOf(pid));
      const start = () => startSachet(pinning, ['--fixtures', fixturesFolder], { node, onSpawn });
      return withServers([start], async (server) => {
        const request = requestBytes(server.url, await requestFor(server, await logIn(server)));
        return recordLoad(server, request, join(folder, 'perf.data'));
      });
    }),
  );
}

async function recordLoad({ url, pid }, request, file) {
  const load = (phase, seconds) =>
    measureRate(url, [request], { seconds, graceSeconds }).catch((error) => {
      throw new Error(`while ${phase}: ${error.message}`);
    });
  await load('warming the server up', warmUpSeconds);
  await recorded(pid, file, () => load('recording', seconds));
  writeFileSync(mapOf(pid), withoutStale(readFileSync(mapOf(pid), 'utf8')));
  return stacksOf(file);
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
