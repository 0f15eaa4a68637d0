// How Sachet, the raw server and a Sachet in process are started.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call } from '../load/call.mjs';
import { readyLine, startChild } from './children.mjs';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const sachetCli = pathOf('../../dist/cli.js');
const rawServer = pathOf('./raw-server.mjs');
const pollMilliseconds = 50;
const inProcess = pathOf('./in-process.mjs');

/** @throws where Sachet is not built: the benchmark builds nothing */
export function needDist() {
  if (!existsSync(sachetCli)) throw new Error('dist/cli.js is missing: npm run build makes it');
}

/**
 * Starts Sachet with everything on, on a free port.
 * @param flags further flags of `serve`; `node` are those of Node; the others are options of `startChild`
 * @returns `{ url, admin_key, username, password, pid, stop }`
 */
export function startSachet(pinning, flags = [], { node = [], ...options } = {}) {
  const words = [process.execPath, ...node, sachetCli, '--port', '0', '--json', '--log', 'off', ...flags];
  return started(pinning, words, options);
}

/** Starts the raw server: `{ url, pid, stop }`. */
export function startRaw(pinning) {
  return started(pinning, [process.execPath, rawServer]);
}

/**
 * Starts a process that does works for the benchmark: that of in-process.mjs, or another file's.
 * @returns `{ ask, pid, stop }`; `ask` has it do a piece of work and gives what that tells
 */
export async function startInProcess(pinning, file = inProcess) {
  const { child, stop } = await startChild(pinning, [process.execPath, file], { readyOf: readyLine, ipc: true });
  const ended = once(child, 'exit').then(() => [{ error: 'the process ended' }]);
  const ask = async (work) => {
    const told = once(child, 'message');
    child.send(work);
    const [{ error, ...result }] = await Promise.race([told, ended]);
    if (error) throw new Error(error);
    return result;
  };
  return { ask, pid: child.pid, stop };
}

/** Starts another tool in its folder: ready once it answers GET `path`. Gives `{ url, pid, stop }`. */
export async function startPeer(pinning, words, cwd, port, path) {
  const url = `http://127.0.0.1:${port}`;
  const readyOf = (child) => answering(child, `${url}${path}`);
  const { child, stop } = await startChild(pinning, words, { readyOf, cwd, withinMilliseconds: 60_000 });
  return { url, pid: child.pid, stop };
}

// Ends with the process, too: one that never answers is ended by whoever started it.
async function answering(child, url) {
  while (child.exitCode === null && child.signalCode === null) {
    if (await isAnswered(url)) return;
    await wait(pollMilliseconds);
  }
}

function isAnswered(url) {
  const answer = call(url, { headers: { authorization: 'Bearer none' } });
  return answer.then(
    () => true,
    () => false,
  );
}

async function started(pinning, words, options) {
  const { ready, child, stop } = await startChild(pinning, words, { readyOf: readyLine, ...options });
  return { ...ready, pid: child.pid, stop };
}
