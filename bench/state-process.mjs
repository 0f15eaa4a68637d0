// The state of a build with a file per source file, in process: measures what the benchmark asks.
//   node --expose-gc bench/state-process.mjs FOLDER_OF_THE_BUILD FULFILLMENTS
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
const who = (at) => ({ name: `s${at}`, environment: 'stage', madeByLogin: false });
const engine = createEngine(options);
const headers = await loggedIn(engine, '');

/** Each gives a figure. */
const measures = {
  /** Microseconds to make a sandbox, which goes at once. */
  async make() {
    const { sandboxes: registry } = createEngine(options);
    let time = 0;
    for (let at = 0; at < sandboxes; at += 1) {
      const began = performance.now();
      const sandbox = await registry.createForLogin(who(at));
      time += performance.now() - began;
      await registry.remove(sandbox);
    }
    return (time * 1000) / sandboxes;
  },
  /** Microseconds to reset a sandbox that was written to. */
  async reset() {
    const sandbox = await createEngine(options).sandboxes.createForLogin(who(0));
    let time = 0;
    for (let at = 0; at < sandboxes; at += 1) {
      await sandbox.write((state) => state.count('orders'));
      const began = performance.now();
      await sandbox.write((state) => reset(state, 0));
      time += performance.now() - began;
    }
    return (time * 1000) / sandboxes;
  },
  /** Megabytes of 10,000 sandboxes with an order each. */
  async memory({ order }) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const own = createEngine(options);
    for (let at = 0; at < sandboxes; at += 1) {
      const { name } = await own.sandboxes.createForLogin(who(at));
      const base = `/sandboxes/${name}`;
      const sent = { method: 'POST', headers: await loggedIn(own, base), body: order };
      const { status } = await own.fetch(`http://localhost${base}/v2/orders`, sent);
      if (status !== 201) throw new Error(`An order was answered ${status}`);
    }
    globalThis.gc();
    const used = process.memoryUsage().heapUsed - before;
    if ((await own.sandboxes.list()).length < sandboxes) throw new Error('Sandboxes are missing');
    return used / 1e6;
  },
  /** Milliseconds for a snapshot of 100,000 rows and one write. */
  async snapshot() {
    const sandbox = await createEngine(options).sandboxes.createForLogin(who(0));
    const add = (state, id) => state.table('spent_refresh_tokens').insert({ id });
    await sandbox.write((state) => {
      for (let at = 0; at < rows; at += 1) add(state, `token ${at}`);
    });
    const began = performance.now();
    await sandbox.write((state) => state.keep('one', 0));
    await sandbox.write((state) => add(state, 'one more'));
    return performance.now() - began;
  },
  /** Microseconds of processor time for the first page of the fulfillments. */
  async page({ seconds }) {
    const before = process.cpuUsage();
    const began = performance.now();
    let calls = 0;
    for (; performance.now() - began < seconds * 1000; calls += 1) {
      const page = await engine.fetch('http://localhost/v2/fulfillments?limit=20', { headers });
      if ((await page.json()).fulfillments.length !== 20) throw new Error('The page has no 20 fulfillments');
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  },
};

async function loggedIn({ fetch }, base) {
  const answer = await fetch(`http://localhost${base}/v2/authentication/token`, {
    method: 'POST',
    headers: json,
    body: login,
  });
  return { ...json, authorization: `Bearer ${(await answer.json()).access_token}` };
}

function withFulfillments(count) {
  const made = shippedFixtures();
  const own = made.fulfillments.filter(({ brand_id }) => brand_id === made.brands[0].id);
  const more = Array.from({ length: Math.max(0, count - own.length) }, (_, at) => ({
    ...own[at % own.length],
    id: `7d000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  }));
  return { ...made, fulfillments: [...made.fulfillments, ...more] };
}

process.on('message', async ({ measure, ...given }) => process.send({ value: await measures[measure](given) }));
process.once('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ ready: true }));
