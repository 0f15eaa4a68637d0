// Starts servers as child processes on the server's core, tells when they are ready, and ends each by its own process id.
import { spawn } from 'node:child_process';
import { onServerCore } from '../machine.mjs';
import { OutOfTime } from '../out-of-time.mjs';
import { childEnvironment } from './environment.mjs';

const endedWithinMilliseconds = 5_000;
const mostOutput = 4_000;
const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/**
 * Starts a command and waits for `readyOf(child)`.
 * @param readyOf gives what is known of the server once it takes calls; its time is up after `withinMilliseconds`; `onSpawn` is told the process id at once
 * @returns `{ ready, child, stop }`
 * @throws where the process ends first or is late, with the end of its output
 */
export async function startChild(pinning, words, options) {
  const { readyOf, cwd, ipc = false, withinMilliseconds = 15_000, onSpawn } = options;
  const [command, ...rest] = onServerCore(pinning, words);
  const stdio = ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])];
  const child = spawn(command, rest, { env: childEnvironment(), cwd, stdio });
  running.add(child);
  onSpawn?.(child.pid);
  child.once('exit', () => running.delete(child));
  const output = keptOutput(child);
  try {
    const ready = await inTime(child, output, readyOf(child), withinMilliseconds);
    return { ready, child, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** The JSON of the first line on standard output. */
export function readyLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', function read(chunk) {
      text += chunk;
      if (!text.includes('\n')) return;
      child.stdout.off('data', read);
      try {
        resolve(JSON.parse(text.slice(0, text.indexOf('\n'))));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Starts all, in turn, gives them to `use`, and ends all, also where one does not start. */
export async function withServers(starts, use) {
  const started = [];
  try {
    for (const start of starts) started.push(await start());
    return await use(...started);
  } finally {
    for (const server of started.reverse()) await server.stop();
  }
}

// The end of what a server says is kept for the error that tells why it did not start.
function keptOutput(child) {
  const kept = { text: '' };
  const keep = (chunk) => {
    kept.text = (kept.text + chunk).slice(-mostOutput);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return kept;
}

async function inTime(child, output, ready, milliseconds) {
  let late;
  const failed = new Promise((_, reject) => {
    const fail = (why, Kind = Error) => reject(new Kind(`${why}: ${output.text.trim()}`.replace(/: $/, '')));
    late = setTimeout(() => fail(`not ready within ${milliseconds} ms`, OutOfTime), milliseconds);
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, signal) => fail(`ended before it was ready (${code ?? signal})`));
  });
  return Promise.race([ready, failed]).finally(() => clearTimeout(late));
}

function stop(child) {
  return new Promise((resolve) => {
    if (!running.has(child) || child.pid === undefined) return resolve();
    const stuck = setTimeout(() => child.kill('SIGKILL'), endedWithinMilliseconds);
    child.once('exit', () => {
      clearTimeout(stuck);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
