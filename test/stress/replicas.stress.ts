// Three servers over one PostgreSQL, which are killed under load like the database: all acknowledged orders are stored, once.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { postgresMissing, startPostgres } from '../node/postgres/support/server.ts';
import { ordersIn, writeDuring } from '../support/marked-orders.ts';
import { format, ifAny, report, seed, sized } from './row.ts';
import { type StressServer, startServer } from './server.ts';

/** Each round kills every server, then the database. */
const rounds = sized(10, 1);
const leastOrders = sized(10_000, 200);
const mark = /^mark \d+$/;
const expectedLine =
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
        lines.push(...server.unexpectedLines(expectedLine));
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
  const lists = await Promise.all(servers.map(({ control }) => ordersIn(control, mark)));
  for (const server of servers) {
    await server.stop();
    lines.push(...server.unexpectedLines(expectedLine));
  }
  lists.push(await ordersIn((await start()).control, mark));
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
