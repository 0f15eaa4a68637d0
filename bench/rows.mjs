// The rows of the benchmark's table: each compares two measurements and has a goal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPrism } from './prism.mjs';
import { ask, load, run, startServer, untilIdle } from './server-process.mjs';
import { compareDatabase, compareFirstPage, compareFolder, compareStored, measureState } from './state-rows.mjs';
import { call, fixturesIn, readWorkload, writeScript } from './workload.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cliOf = (checkout) => join(checkout, 'dist/cli.js');
const thisCheckout = here('..');

const orders = { method: 'POST', paths: () => ['/v2/orders'], body: ({ order }) => order, hono: true, prism: true };
const products = { paths: () => ['/v2/products'], prism: true };
const fulfillment = { paths: ({ pages }) => [`/v2/fulfillments/${pages[0].fulfillments[0].id}`] };
const pages = { paths: ({ paths }) => paths };
const startWith = (run) => (flags) => startSachet(run, thisCheckout, flags);
const state = (measure, label, warmUps) => (run) => measureState(run, { measure, label, warmUps });

/**
 * `id` is for `--only`. `goal` is a minimum, or a maximum with `atMost`. The goal of a row with `isTime` is a time on the machine of the published
 * table; slower machines miss it. `measure` takes the settings of the run and returns a list of
 * `{ label, values, ours, other, unit, goal }`: `values` has one ratio per pair of measurements, and `ours` and `other` have the measurements. The
 * row's goal applies to the first result; each further result has its own.
 */
export const rows = [
  { id: 'orders', goal: 0.33, measure: (run) => compareServers(run, '`POST /v2/orders`', orders) },
  { id: 'products', goal: 0.6, measure: (run) => compareServers(run, '`GET /v2/products`, 20 products', products) },
  { id: 'fulfillment', goal: 0.6, measure: (run) => compareServers(run, '`GET /v2/fulfillments/{id}`', fulfillment) },
  {
    id: 'pages',
    goal: 0.52,
    measure: (run) => compareServers(run, '`GET /v2/fulfillments?limit=20`, 50 pages', pages),
  },
  { id: 'in-process', goal: 1.3, measure: compareInProcess },
  { id: 'start', goal: 1, atMost: true, measure: compareStarts },
  { id: 'stored', goal: 0.9, measure: (run) => compareStored(run, startWith(run)) },
  { id: 'first-page', goal: 0.7, measure: compareFirstPage },
  { id: 'folder', goal: 0.7, measure: (run) => compareFolder(run, startWith(run)) },
  { id: 'database', goal: 0.35, measure: (run) => compareDatabase(run, startWith(run)) },
  { id: 'make', goal: 2, atMost: true, isTime: true, measure: state('make', 'create a sandbox in process, µs', 4) },
  { id: 'reset', goal: 2, atMost: true, isTime: true, measure: state('reset', 'reset a sandbox in process, µs', 4) },
  { id: 'memory', goal: 220, atMost: true, measure: measureMemory },
  {
    id: 'snapshot',
    goal: 5,
    atMost: true,
    isTime: true,
    measure: state('snapshot', 'take a snapshot of 100,000 rows, then write one, ms'),
  },
  { id: 'functions', goal: 180, atMost: true, measure: () => countCalled('functions') },
  { id: 'files', goal: 50, atMost: true, measure: () => countCalled('files') },
];

async function measureMemory(run) {
  const { workload, stop } = await startSachet(run, thisCheckout);
  await stop();
  return measureState(run, {
    measure: 'memory',
    label: 'heap for 10,000 sandboxes with one order each, MB',
    order: workload.order,
  });
}

/** Loads the servers of a row in turn, and divides their CPU times per request, pair by pair. */
async function compareServers(run, label, request) {
  const sachet = await startSachet(run, thisCheckout);
  const servers = { sachet, raw: await startRaw(run, sachet) };
  if (request.hono) servers.hono = { ...(await startServer([here('hono-server.mjs')])), workload: sachet.workload };
  if (run.against) servers.against = await startSachet(run, run.against);
  if (run.peers && request.prism) servers.prism = { ...(await startPrism(run, sachet)), workload: sachet.workload };
  const times = await loadInTurn(run, servers, request);
  for (const server of Object.values(servers)) await server.stop();
  const ratio = (name, over, under) => ({
    label: `${label}: ${name}`,
    values: times[over].map((time, at) => time / times[under][at]),
    ours: times[under],
    other: times[over],
    unit: 'µs',
  });
  return [
    ratio('Sachet against node:http', 'raw', 'sachet'),
    ...(servers.hono ? [ratio('Hono + zod against node:http', 'raw', 'hono')] : []),
    ...(servers.against ? [ratio('Sachet against the other build', 'against', 'sachet')] : []),
    ...(servers.prism ? [ratio('Sachet against Prism', 'prism', 'sachet')] : []),
  ];
}

async function loadInTurn({ folder, rounds, seconds, warmUpSeconds }, servers, { method, paths, body }) {
  const times = {};
  const scripts = {};
  for (const [name, server] of Object.entries(servers)) {
    const { workload } = server;
    const parts = { method, paths: paths(workload), headers: workload.headers, body: body?.(workload) };
    scripts[name] = writeScript(join(folder, `${name}.lua`), parts);
    times[name] = [];
    await load(server, scripts[name], { seconds: warmUpSeconds });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of Object.entries(servers)) {
      await untilIdle(server);
      times[name].push((await load(server, scripts[name], { seconds })).microseconds);
    }
  }
  return times;
}

/** Starts a build of Sachet with the benchmark's fixtures, and prepares the requests to send. */
async function startSachet({ folder }, checkout, more = []) {
  const flags = ['serve', '--port', '0', '--json', '--log', 'off', '--fixtures', fixturesIn(folder), ...more];
  const server = await startServer([cliOf(checkout), ...flags]);
  server.url = server.url.replace('localhost', '127.0.0.1');
  return { ...server, workload: await readWorkload(server) };
}

async function startRaw({ folder }, { workload }) {
  const file = join(folder, 'responses.json');
  writeFileSync(file, JSON.stringify({ products: workload.products, pages: workload.pages }));
  return { ...(await startServer([here('raw-server.mjs'), file])), workload };
}

/** Places one order at a time: in process, and over HTTP with one connection. */
async function compareInProcess({ folder, rounds, seconds, warmUpSeconds }) {
  const server = await startSachet({ folder }, thisCheckout);
  const program = await startServer([here('in-process.mjs')]);
  const { order: body, headers } = server.workload;
  const script = writeScript(join(folder, 'one.lua'), { method: 'POST', paths: ['/v2/orders'], headers, body });
  const overHttp = (time) => load(server, script, { seconds: time, connections: 1 });
  const inProcess = (time) => ask(program, { body, seconds: time });
  const sides = [inProcess, overHttp];
  for (const side of sides) await side(warmUpSeconds);
  const rates = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, side] of sides.entries()) rates[at].push((await side(seconds)).perSecond);
  }
  await Promise.all([server.stop(), program.stop()]);
  const values = rates[0].map((rate, at) => rate / rates[1][at]);
  const label = 'orders per second, one at a time: in process against over HTTP';
  return [{ label, values, ours: rates[0], other: rates[1], unit: '/s' }];
}

/** Measures the time from the start of the process to the response of its first request, a login. */
async function compareStarts({ against, starts }) {
  const label = 'time from start to first response: Sachet against the other build';
  if (!against) return [{ label: `${label} (needs \`--against DIR\`)`, values: [] }];
  const times = [[], []];
  for (let round = 0; round < starts; round += 1) {
    for (const [at, checkout] of [thisCheckout, against].entries()) times[at].push(await timeStart(checkout));
  }
  const values = times[0].map((time, at) => time / times[1][at]);
  return [{ label, values, ours: times[0], other: times[1], unit: 'ms' }];
}

async function timeStart(checkout) {
  const began = performance.now();
  const server = await startServer([cliOf(checkout), '--port', '0', '--json', '--log', 'off']);
  const { username, password } = server;
  const headers = { 'content-type': 'application/json' };
  const login = { method: 'POST', headers, body: JSON.stringify({ username, password }) };
  await call(`${server.url.replace('localhost', '127.0.0.1')}/v2/authentication/token`, login);
  const time = performance.now() - began;
  await server.stop();
  return time;
}

let called;
async function countCalled(what) {
  called ??= run([process.execPath, here('functions.mjs'), '--json']).then(JSON.parse);
  const label =
    what === 'functions' ? 'functions of `src` called by one warm order over HTTP' : 'files with these functions';
  return [{ label, values: [(await called)[what]] }];
}
