// The cost of a write does not depend on how many records are stored.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { folder } from '../support/command.ts';
import { createOrder } from '../support/marked-orders.ts';
import { format, report, sized } from './row.ts';
import { compactedVersion, startServer } from './server.ts';

const few = 100;
const many = sized(100_000, 20_000);
const [rounds, perRound] = [sized(60, 4), 50];
const most = { bytes: 1.2, time: sized(1.2, 3) };

test('cost', async (context) => {
  const [small, large] = [await serverWith(few), await serverWith(many)];
  for (let round = 0; round < rounds; round += 1)
    for (const one of round % 2 === 0 ? [small, large] : [large, small]) await one.post();
  const quantile = (times: readonly number[], part: number) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? Number.NaN;
  const [fast, slow] = [quantile(small.times, 0.5), quantile(large.times, 0.5)];
  const p99 = [small, large].map(({ times }) => format(quantile(times, 0.99), 1)).join(' and ');
  const { orders } = await large.server.control.sandbox('stage').records.orders.list();
  report(context, {
    name: 'cost',
    load: `${format(small.times.length)} orders each to a server with ${format(few)} stored orders and to one with ${format(many)}, in turns of ${perRound}, over one connection; the state folders are in memory (/dev/shm), so that disk noise does not count`,
    expected: `in the median a write costs at most ${most.time} times as much with ${format(many)} orders, in time and in bytes of the log`,
    measured: `${format(fast, 2)} and ${format(slow, 2)} ms: ${format(slow / fast, 2)} times as much (p99 ${p99}); ${format(small.bytes)} and ${format(large.bytes)} bytes`,
    faults: {
      'a write takes more bytes': !(large.bytes / small.bytes <= most.bytes && small.bytes > 0),
      'the log was not compacted': compactedVersion(large.state) < 2,
      'too few orders are stored': orders.length < many,
      'a write takes longer': !(slow / fast <= most.time),
    },
  });
});

/** A server whose sandbox `stage` has so many orders. */
async function serverWith(count: number) {
  const state = folderInMemory();
  const server = await startServer({ flags: ['--state', state] });
  const stage = server.control.sandbox('stage').state;
  const { sequences: _, ...document } = await stage.get();
  const [order] = document.data.orders;
  const [line] = order?.order_lines ?? [];
  if (!order || !line) throw new Error('the fixtures have no order');
  const content = { client_product_id: '20000000-0000-4000-8000-000000000001', serving_size: 1 };
  const pouches = [{ time_of_administration: 'Morning', contents: [content] }];
  const id = (prefix: string, at: number) => `${prefix}-0000-4000-9000-${`${at}`.padStart(12, '0')}`;
  const orders = Array.from({ length: count }, (_, at) => ({
    ...order,
    id: id('50000000', at),
    order_lines: [{ ...line, id: id('51000000', at), pouches }],
  }));
  const counters = { ...document.counters, orders: Math.max(count, document.counters.orders ?? 0) };
  await stage.put({ ...document, counters, data: { ...document.data, orders, fulfillments: [] }, due_steps: [] });

  // These orders also warm the server up.
  const logBytes = () => statSync(join(state, 'changes.log')).size;
  const before = logBytes();
  for (let at = 0; at < 100; at += 1) await createOrder(server, 'cost');
  const times: number[] = [];
  const post = async () => {
    for (let at = 0; at < perRound; at += 1) {
      const began = performance.now();
      await createOrder(server, 'cost');
      times.push(performance.now() - began);
    }
  };
  return { server, state, times, post, bytes: (logBytes() - before) / 100 };
}

function folderInMemory(): string {
  if (!existsSync('/dev/shm')) return folder();
  const path = mkdtempSync('/dev/shm/sachet-stress-');
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
