// Servers that are killed again and again under load, over one state folder and over one PostgreSQL: all acknowledged writes are stored, once.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { postgresMissing, startPostgres } from '../node/postgres/support/server.ts';
import { call, folder, logIn, sachet } from '../support/command.ts';
import { AcknowledgedWrites, createOrder, ordersIn, writeDuring } from '../support/marked-orders.ts';
import { format, ifAny, report, seed, sized } from './row.ts';
import { compactedVersion, type StressServer, startServer, unfinishedFiles } from './server.ts';

const cycles = sized(100, 6);
/** A reset keeps the document of the sandbox small, so that the log is compacted often. */
const resetEvery = sized(20, 4);
const killedStartEvery = 5;
const leastWrites = sized(100, 20);
/** Large orders, so that the log is soon compacted. */
const orderLines = 50;
const mark = /^\d+-\d+-\d+$/;
const expectedLine =
  /^state: (?:took over the lock: process \d+ on \S+, which held it|changes\.log ends in the middle of a change)/;

test('kills', async (context) => {
  const state = folder();
  const writes = new AcknowledgedWrites();
  const [lost, doubled, wrong] = [[] as string[], [] as string[], [] as string[]];
  const [unreadable, faults, lines] = [[] as string[], [] as string[], [] as string[]];
  let compacted = 1;
  const moments = (min: number, max: number) =>
    fc.sample(fc.noBias(fc.integer({ min, max })), { numRuns: cycles + 1, seed });
  const [loads, starts] = [moments(50, sized(2400, 1200)), moments(20, 500)];
  for (const [cycle, load = 0] of loads.entries()) {
    const flags = ['--state', state, '--sync', cycle % 2 === 1 ? 'always' : 'interval'];
    if (cycle % killedStartEvery === 1) await killStart(flags, starts[cycle] ?? 0);
    const server = await startServer({ flags }).catch((error) => void unreadable.push(`cycle ${cycle}: ${error}`));
    if (!server) break;
    const [orders, values] = [await ordersIn(server.control, mark), await valuesIn(server)];
    lost.push(...writes.lost(orders));
    doubled.push(...writes.doubled(orders));
    wrong.push(...writes.wrong(values, 'gone'));
    await tidyUp(server, values, writes);
    compacted = Math.max(compacted, compactedVersion(state));
    if (cycle % resetEvery === resetEvery - 1) {
      await server.control.sandbox('stage').reset();
      writes.deleteOrders();
    }
    if (cycle === cycles) await server.stop();
    else faults.push(...(await killUnderLoad(server, writes, cycle, load)));
    lines.push(...server.unexpectedLines(expectedLine));
  }
  const left = unfinishedFiles(state);
  report(context, {
    name: 'kills',
    load: `${format(cycles)} × \`kill -9\` under load with one state folder, alternately with \`--sync interval\` and \`always\`; 8 writers create orders, switches, bursts, snapshots and short-lived sandboxes; every ${killedStartEvery}th start is killed, too; after each kill all data is compared (STRESS_SEED=${seed})`,
    expected:
      'every acknowledged write is stored, each order once; the server starts each time; the log was compacted; after a SIGTERM the folder has no unfinished files',
    measured: `${format(writes.count)} acknowledged writes: ${lost.length + wrong.length} lost, ${doubled.length} doubled; ${unreadable.length} states unreadable; the log compacted up to version ${format(compacted)}; ${left.length} unfinished files`,
    faults: {
      ...ifAny({ lost, doubled, unreadable, 'not as acknowledged': wrong, 'unfinished files': left }),
      ...ifAny({ 'unexpected for a writer': faults, 'standard error has': lines }),
      'the log was never compacted': compacted < 2,
    },
  });
});

async function killStart(flags: readonly string[], after: number): Promise<void> {
  const starting = sachet(['--port', '0', ...flags]);
  await sleep(after);
  starting.child.kill('SIGKILL');
  await starting.ended();
}

async function killUnderLoad(
  server: StressServer,
  writes: AcknowledgedWrites,
  cycle: number,
  after: number,
): Promise<string[]> {
  const faults: string[] = [];
  let stopped = 0;
  const writers = writersTo(server, writes, cycle).map(async (write) => {
    try {
      for (let count = 0; ; count += 1) await write(count);
    } catch (error) {
      const isBroken = error instanceof TypeError || (error as Error).cause instanceof TypeError;
      if (!isBroken) faults.push(`cycle ${cycle}: ${error}`);
    }
    stopped += 1;
  });
  await sleep(after);
  // On a busy machine it takes longer until there is something to lose.
  await expect.poll(() => stopped > 0 || writes.count >= leastWrites * (cycle + 1)).toBe(true);
  if (stopped > 0) faults.push(`cycle ${cycle}: a connection broke before the kill`);
  if (server.hasExited()) faults.push(`cycle ${cycle}: the server exited: ${server.stderr()}`);
  else await server.kill();
  await Promise.all(writers);
  return faults;
}

type Writer = (count: number) => Promise<void>;

function writersTo(server: StressServer, writes: AcknowledgedWrites, cycle: number): Writer[] {
  const { control, url, ready } = server;
  const stage = control.sandbox('stage');
  const orders = Array.from(
    { length: 6 },
    (_, writer): Writer =>
      async (count) => {
        writes.addOrder(await createOrder(server, `${cycle}-${writer}-${count}`, orderLines));
      },
  );
  const options: Writer = async (count) => {
    const seconds = cycle * 1000 + count + 1;
    const patch = { label_expiry: { lifetime_seconds: seconds } };
    await writes.write('lifetime', `${seconds}`, () => stage.switches.set(patch));
    const name = (number: number) => `s-${cycle}-${number}`;
    await writes.write(`snapshot ${name(count)}`, 'exists', () => stage.snapshots.create({ name: name(count) }));
    if (count > 0)
      await writes.write(`snapshot ${name(count - 1)}`, 'gone', () => stage.snapshots.delete(name(count - 1)));
  };
  /** A login creates a sandbox, which gets an order, and a burst of which one request is used. Every second one is deleted. */
  const sandboxes: Writer = async (count) => {
    const name = `w${cycle}-${count}`;
    const sandbox = control.sandbox(name);
    let token = '';
    await writes.write(`sandbox ${name}`, 'exists', async () => {
      token = await logIn(ready, `demo+${name}`);
    });
    await writes.write(`orders ${name}`, `${name}.`, () => createOrder({ url, token, fetch }, `${name}.`, orderLines));
    await writes.write(`burst ${name}`, '3', () => sandbox.switches.set({ rate_limit: { burst: 3 } }));
    await writes.write(`burst ${name}`, '2', async () => {
      const { status } = await call('GET', `${url}/v2/products`, { token });
      if (status !== 429) throw new Error(`a request within a burst got ${status}`);
    });
    if (count % 2 === 0) return;
    for (const what of ['orders', 'burst']) writes.forget(`${what} ${name}`);
    await writes.write(`sandbox ${name}`, 'gone', () => sandbox.delete());
  };
  return [...orders, options, sandboxes];
}

/** What the server has of the values that the writers wrote. */
async function valuesIn(server: StressServer): Promise<Map<string, string>> {
  const { control } = server;
  const stage = control.sandbox('stage');
  const values = new Map([['lifetime', `${(await stage.switches.get()).label_expiry?.lifetime_seconds}`]]);
  for (const { name } of (await stage.snapshots.list()).snapshots) values.set(`snapshot ${name}`, 'exists');
  for (const { name } of (await control.list()).sandboxes) {
    if (!name.startsWith('w')) continue;
    values.set(`sandbox ${name}`, 'exists');
    const orders = await ordersIn(control, /\.$/, name);
    values.set(`orders ${name}`, orders.map((order) => order.mark).join());
    values.set(`burst ${name}`, `${(await control.sandbox(name).switches.get()).rate_limit?.remaining}`);
  }
  return values;
}

/** Deletes snapshots and sandboxes, because their number is limited. */
async function tidyUp({ control }: StressServer, values: ReadonlyMap<string, string>, writes: AcknowledgedWrites) {
  for (const key of values.keys()) {
    const [kind, name = ''] = key.split(' ');
    if (kind === 'orders' || kind === 'burst') writes.forget(key);
    if (kind === 'sandbox') await writes.write(key, 'gone', () => control.sandbox(name).delete());
    if (kind === 'snapshot') await writes.write(key, 'gone', () => control.sandbox('stage').snapshots.delete(name));
  }
}

/** Each round kills every server, then the database. */
const rounds = sized(10, 1);
const leastOrders = sized(10_000, 200);
const expectedOfReplica =
  /^(?:store: the database (?:does not answer: |answers again$)|request \S+ failed: the store did not answer: )/;

const row = {
  name: 'replicas',
  load: `${format(rounds * 4)} × \`kill -9\` under load: ${rounds * 3} × one of three servers that share a PostgreSQL, ${rounds} × the database with all its processes; each is started again; 8 writers send orders to the servers in turn; at the end all data is compared, also with a newly started server (STRESS_SEED=${seed})`,
  expected: `every acknowledged order is stored once, at least ${format(leastOrders)} of them; a request gets 201, the contract's 500 or a broken connection; all servers recover on their own`,
} as const;

test('replicas', async (context) => {
  const skipped = postgresMissing();
  if (skipped) return report(context, { ...row, skipped });
  const database = await startPostgres({ durable: true });
  onTestFinished(() => database.close());
  const start = () => startServer({ flags: ['--store', database.url] });
  const servers: StressServer[] = [await start(), await start(), await start()];
  const [lines, faults] = [[] as string[], [] as string[]];
  const waits = (max: number) => fc.sample(fc.noBias(fc.integer({ min: 0, max })), { numRuns: rounds * 4, seed });
  const [loads, pauses] = [waits(500), waits(300)];
  const written = await writeDuring(servers, servers[0]?.token ?? '', 0, async (writes) => {
    for (let round = 1; round <= rounds; round += 1) {
      for (const [at, server] of servers.entries()) {
        await sleep(loads.pop());
        if (server.hasExited()) faults.push(`a server exited: ${server.stderr()}`);
        else await server.kill();
        lines.push(...server.unexpectedLines(expectedOfReplica));
        await sleep(pauses.pop());
        servers[at] = await start();
      }
      await expect.poll(() => writes.count).toBeGreaterThanOrEqual((leastOrders * round) / rounds);
      await sleep(loads.pop());
      await database.kill();
      await sleep(pauses.pop());
      await database.start();
      for (const server of servers) await expect.poll(server.health).toMatchObject({ status: 'ok' });
    }
  });
  const { count, others } = written;
  faults.push(...others.filter((response) => !/^(?:0|500) /.test(response)));
  const lists = await Promise.all(servers.map(({ control }) => ordersIn(control, /^mark /)));
  for (const server of servers) {
    await server.stop();
    lines.push(...server.unexpectedLines(expectedOfReplica));
  }
  lists.push(await ordersIn((await start()).control, /^mark /));
  const [lost, doubled] = [lists.flatMap((list) => written.lost(list)), lists.flatMap((list) => written.doubled(list))];
  const sizes = [...new Set(lists.map(({ length }) => length))];
  report(context, {
    ...row,
    measured: `${format(count)} acknowledged orders: ${lost.length} lost, ${doubled.length} doubled; ${format(others.length)} requests rejected or broken; ${sizes.map((size) => format(size)).join(' and ')} orders at each server`,
    faults: {
      ...ifAny({ lost, doubled, 'unexpected for a writer': faults, 'standard error has': lines }),
      'the servers have different orders': sizes.length > 1,
      'no request failed because of a kill': others.length === 0,
    },
  });
});
