// Starts the two servers as child processes, waits for their ready line, and ends each by its own process id.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onServerCore } from './machine.mjs';

const sachetCli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const rawServer = fileURLToPath(new URL('./raw-server.mjs', import.meta.url));
const readyWithinMilliseconds = 15_000;
const endedWithinMilliseconds = 5_000;
const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

export function startSachet(pinning) {
  if (!existsSync(sachetCli)) throw new Error('dist/cli.js is missing: build Sachet first');
  return start(pinning, [sachetCli, '--port', '0', '--json', '--log', 'off']);
}

export function startRaw(pinning) {
  return start(pinning, [rawServer, '--port', '0']);
}

async function start(pinning, nodeArguments) {
  const [command, ...rest] = onServerCore(pinning, [process.execPath, ...nodeArguments]);
  const child = spawn(command, rest, { env: childEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const ready = await readyRecord(child);
  return { ready, stop: () => stop(child) };
}

function readyRecord(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error('no ready line in time')), readyWithinMilliseconds);
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`server ended before it was ready: ${code ?? signal}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(late);
      child.stdout.removeAllListeners('data').resume();
      resolve(JSON.parse(text.slice(0, text.indexOf('\n'))));
    });
  });
}

function stop(child) {
  return new Promise((resolve) => {
    if (!running.has(child)) return resolve();
    const stuck = setTimeout(() => child.kill('SIGKILL'), endedWithinMilliseconds);
    child.once('exit', () => {
      clearTimeout(stuck);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

// NODE_EXTRA_CA_CERTS slows Node's start; SACHET_ variables would measure another configuration than the default.
function childEnvironment() {
  const isForeign = (name) => name === 'NODE_EXTRA_CA_CERTS' || name.startsWith('SACHET_');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}
