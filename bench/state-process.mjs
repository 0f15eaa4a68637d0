// Measures the state layer in process, in a build with one file per source file. The benchmark requests each measurement.
// Usage: node --expose-gc bench/state-process.mjs FOLDER_OF_THE_BUILD FULFILLMENTS
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, fulfillments] = process.argv.slice(2);
const module = (path) => import(pathToFileURL(join(folder, 'src', path)));
const { createEngine } = await module('app.js');
const { shippedFixtures } = await module('shipped.js');
const { reset } = await module('sandbox/snapshots.js');

const sandboxes = 10_000;
const rows = 100_000;
const options = { fixtures: withFulfillments(Number(fulfillments)), freezeRecords: false, maxSandboxes: 2 * sandboxes };
const json = { 'content-type': 'application/json' };
const login = JSON.stringify({ username: 'demo', password: 'sachet-demo' });
const sandboxSettings = (at) => ({ name: `s${at}`, environment: 'stage', madeByLogin: false });
const engine = createEngine(options);
const headers = await logIn(engine, '');

/** Each returns one number. */
const measures = {
  /** Microseconds to create a sandbox. Removes it immediately. */
  async make() {
    const { sandboxes: registry } = createEngine(options);
    let time = 0;
    for (let at = 0; at < sandboxes; at += 1) {
      const began = performance.now();
      const sandbox = await registry.createForLogin(sandboxSettings(at));
      time += performance.now() - began;
      await registry.remove(sandbox);
    }
    return (time * 1000) / sandboxes;
  },
  /** Microseconds to reset a sandbox that was written to. */
  async reset() {
    const sandbox = await createEngine(options).sandboxes.createForLogin(sandboxSettings(0));
    let time = 0;
    for (let at = 0; at < sandboxes; at += 1) {
      await sandbox.write((state) => state.count('orders'));
      const began = performance.now();
      await sandbox.write((state) => reset(state, 0));
      time += performance.now() - began;
    }
    return (time * 1000) / sandboxes;
  },
  /** Megabytes of heap for 10,000 sandboxes with one order each. */
  async memory({ order }) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const own = createEngine(options);
    for (let at = 0; at < sandboxes; at += 1) {
      const { name } = await own.sandboxes.createForLogin(sandboxSettings(at));
      const base = `/sandboxes/${name}`;
      const sent = { method: 'POST', headers: await logIn(own, base), body: order };
      const { status } = await own.fetch(`http://localhost${base}/v2/orders`, sent);
      if (status !== 201) throw new Error(`POST /v2/orders failed with ${status}`);
    }
    globalThis.gc();
    const used = process.memoryUsage().heapUsed - before;
    if ((await own.sandboxes.list()).length < sandboxes) throw new Error('Sandboxes are missing');
    return used / 1e6;
  },
  /** Milliseconds for a snapshot of 100,000 rows and one write. */
  async snapshot() {
    const sandbox = await createEngine(options).sandboxes.createForLogin(sandboxSettings(0));
    const add = (state, id) => state.table('spent_refresh_tokens').insert({ id });
    await sandbox.write((state) => {
      for (let at = 0; at < rows; at += 1) add(state, `token ${at}`);
    });
    const began = performance.now();
    await sandbox.write((state) => state.keep('one', 0));
    await sandbox.write((state) => add(state, 'one more'));
    return performance.now() - began;
  },
  /** Microseconds of CPU time for the first page of the fulfillments. */
  async page({ seconds }) {
    const before = process.cpuUsage();
    const began = performance.now();
    let calls = 0;
    for (; performance.now() - began < seconds * 1000; calls += 1) {
      const page = await engine.fetch('http://localhost/v2/fulfillments?limit=20', { headers });
      if ((await page.json()).fulfillments.length !== 20) throw new Error('The page must have 20 fulfillments');
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  },
};

async function logIn({ fetch }, base) {
  const response = await fetch(`http://localhost${base}/v2/authentication/token`, {
    method: 'POST',
    headers: json,
    body: login,
  });
  return { ...json, authorization: `Bearer ${(await response.json()).access_token}` };
}

function withFulfillments(count) {
  const fixtures = shippedFixtures();
  const own = fixtures.fulfillments.filter(({ brand_id }) => brand_id === fixtures.brands[0].id);
  const more = Array.from({ length: Math.max(0, count - own.length) }, (_, at) => ({
    ...own[at % own.length],
    id: `7d000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  }));
  return { ...fixtures, fulfillments: [...fixtures.fulfillments, ...more] };
}

process.on('message', async ({ measure, ...options }) => process.send({ value: await measures[measure](options) }));
process.once('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ ready: true }));
