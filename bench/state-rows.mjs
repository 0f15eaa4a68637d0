// Rows of the benchmark's table about state: many stored orders, many sandboxes, and other stores than memory.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, load, run, startServer, untilIdle } from './server-process.mjs';
import { call, writeScript } from './workload.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const adminKey = 'benchmark';
const key = ['--admin-key', adminKey];
const stateFolder = (folder) => ['--state', mkdtempSync(join(folder, 'state-'))];

/** Compares the CPU time per order with an empty sandbox and with 100,000 stored orders. */
export function compareStored(settings, start) {
  const label = '`POST /v2/orders`: 100,000 stored orders against none';
  return compareOrders(settings, [start(key), start(key)], { label, stored: 100_000 });
}

/** Compares orders per second with a state folder and in memory, and with many and few orders in the folder. */
export async function compareFolder(settings, start) {
  const state = () => [...key, ...stateFolder(settings.folder)];
  const label = 'orders per second: `--state` against memory';
  const sizes = 'orders per second with `--state`: 20,000 stored against 100';
  return [
    ...(await compareOrders(settings, [start(state()), start(key)], { label, unit: '/s' })),
    ...(await compareOrders(settings, [start(state()), start(state())], {
      label: sizes,
      unit: '/s',
      stored: 20_000,
      goal: 0.9,
    })),
  ];
}

/** Compares orders per second with a database and in memory. */
export function compareDatabase(settings, start) {
  const label = 'orders per second: `--store`, one server, against memory';
  if (!settings.store) return [{ label: `${label} (needs \`--store URL\` with an empty database)`, values: [] }];
  return compareOrders(settings, [start([...key, '--store', settings.store]), start(key)], { label, unit: '/s' });
}

/**
 * Places orders on two servers in turn, and returns both measurements and their ratios.
 * @param stored number of orders to place on the first server before; the second is reset before each round
 */
async function compareOrders(
  { folder, rounds, seconds, warmUpSeconds },
  starting,
  { label, unit = 'µs', stored, goal },
) {
  const servers = await Promise.all(starting);
  const order = async (at, time) => {
    const { headers, order: body } = servers[at].workload;
    const script = writeScript(join(folder, `orders-${at}.lua`), {
      method: 'POST',
      paths: ['/v2/orders'],
      headers,
      body,
    });
    await untilIdle(servers[at]);
    return load(servers[at], script, { seconds: time });
  };
  for (const at of servers.keys()) await order(at, warmUpSeconds);
  for (let placed = 0; placed < (stored ?? 0); ) placed += (await order(0, seconds)).calls;
  const figures = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    if (stored) await reset(servers[1]);
    for (const at of servers.keys()) {
      const { perSecond, microseconds } = await order(at, seconds);
      figures[at].push(unit === 'µs' ? microseconds : perSecond);
    }
  }
  for (const server of servers) await server.stop();
  const [ours, other] = figures;
  const values = ours.map((figure, at) => (unit === 'µs' ? other[at] / figure : figure / other[at]));
  return [{ label, values, ours, other, unit, goal }];
}

const reset = ({ url }) =>
  call(`${url}/_admin/sandboxes/stage/reset`, { method: 'POST', headers: { authorization: `Bearer ${adminKey}` } });

let built;

/** Starts a process with this number of fulfillments in its fixtures. It measures on request. */
async function stateProcess({ folder }, fulfillments) {
  const modules = join(folder, 'modules');
  built ??= run([process.execPath, here('../bundle.mjs'), '--modules', modules], { cwd: here('..') });
  await built;
  const memory = ['--expose-gc', '--max-old-space-size=8000'];
  return startServer([...memory, here('state-process.mjs'), modules, String(fulfillments)]);
}

/** Asks a process for one measurement per round. */
export async function measureState(settings, { label, ...question }) {
  const [values] = await askInTurn(settings, [await stateProcess(settings, 1000)], question);
  return [{ label, values }];
}

/** Compares the CPU time of the first page with 1,000,000 fulfillments and with 1,000. */
export async function compareFirstPage(settings) {
  const processes = [await stateProcess(settings, 1_000_000), await stateProcess(settings, 1000)];
  const [ours, other] = await askInTurn(settings, processes, { measure: 'page', seconds: settings.seconds });
  const label = '`GET /v2/fulfillments?limit=20`, in process: 1,000,000 fulfillments against 1,000';
  return [{ label, values: ours.map((time, at) => other[at] / time), ours, other, unit: 'µs' }];
}

/** @param warmUps extra rounds that do not count: short measurements need them until their code is compiled */
async function askInTurn({ rounds }, processes, { warmUps = 1, ...question }) {
  const values = processes.map(() => []);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [at, asked] of processes.entries()) {
      const { value } = await ask(asked, question);
      if (round >= 0) values[at].push(value);
    }
  }
  for (const asked of processes) await asked.stop();
  return values;
}
