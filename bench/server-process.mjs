// Runs the servers on one core and wrk on another, and measures the CPU time of a server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const startTimeoutMs = 60_000;
const ticksPerSecond = 100;
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const hasTaskset = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;
export const pinning = hasTaskset ? 'servers on core 0, load on core 1' : 'processes not pinned to cores';
const pinned = (core, command) => (hasTaskset ? ['taskset', '-c', String(core), ...command] : command);

/** @throws Error with instructions if a required command is missing */
export function requireTools() {
  if (process.platform !== 'linux') throw new Error('The benchmark reads CPU times from /proc. Run it on Linux.');
  if (spawnSync('wrk', ['-v']).error) throw new Error('wrk is missing. Install it: apt-get install wrk');
}

/**
 * Starts a Node program that prints one line of JSON when it is ready, such as `{"url":"http://127.0.0.1:4010"}`.
 * @returns the parsed line, with `pid`, `child` and `stop()`
 * @throws Error with the program's output, if it exits first
 */
export async function startServer(args) {
  const server = startProgram(args);
  const { child, exited } = server;
  let output = '';
  const ready = new Promise((resolve, reject) => {
    const fail = (what) => reject(new Error(`${args.join(' ')} ${what}:\n${output}`));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const line = /^\{.*\}$/m.exec(output);
      if (line) resolve(JSON.parse(line[0]));
    });
    exited.then(() => fail('exited before it was ready'));
    setTimeout(fail, startTimeoutMs, 'was not ready in time').unref();
  });
  return { ...(await ready), ...server };
}

/** Starts a Node program on the servers' core: `{ child, pid, exited, stop }`. */
export function startProgram(args, options) {
  const [command, ...rest] = pinned(0, [process.execPath, ...args]);
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], ...options });
  children.add(child);
  const exited = once(child, 'exit').then(() => children.delete(child));
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { child, pid: child.pid, exited, stop };
}

/** Sends a message to a program and returns its reply. @throws Error if the program exits first */
export async function ask({ child, exited }, question) {
  const reply = once(child, 'message');
  child.send(question);
  const failed = exited.then(() => Promise.reject(new Error(`The process exited with ${child.exitCode}`)));
  return (await Promise.race([reply, failed]))[0];
}

/**
 * Loads a server with wrk.
 * @param script path of a Lua script that makes the requests
 * @returns `{ calls, perSecond, microseconds }`: responses, responses per second, and CPU time of the server per response
 * @throws Error if a response is not 2xx, or a connection fails
 */
export async function load({ url, pid }, script, { seconds, connections = 50 }) {
  const before = processorSeconds(pid);
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}`, '-s', script, url];
  const output = await run(pinned(1, command));
  const calls = Number(/(\d+) requests in/.exec(output)?.[1]);
  const failed = /Non-2xx|Socket errors/.test(output);
  if (failed || !(calls > 0)) throw new Error(`The load of ${url} failed:\n${output}`);
  const used = processorSeconds(pid) - before;
  return { calls, perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(output)[1]), microseconds: (used * 1e6) / calls };
}

/** Waits until a server is idle: its compiler and garbage collector continue to work after the load. */
export async function untilIdle({ pid }) {
  for (let looks = 0; looks < 20; looks += 1) {
    const before = processorSeconds(pid);
    await sleep(100);
    if (processorSeconds(pid) - before < 0.015) return;
  }
}

/** Runs a command to its end and returns its output. */
export function run([command, ...args], options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('exit', (code) => {
      children.delete(child);
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} exited with ${code}:\n${output}`));
    });
  });
}

/** Returns the user and system time of a process in seconds. */
function processorSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
