// A write costs its own size: as long among many records as among few, and as many bytes.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { onTestFinished, test } from 'vitest';
import { folder } from '../support/command.ts';
import { faultsOf, ofTime, shown, sized, tell } from './figure.ts';
import { type StressedServer, startStressed } from './server.ts';
import { compactedTo, logBytes } from './state-files.ts';
import { type Poster, poster, quantile } from './timed-orders.ts';

const few = 100;
const many = sized(100_000, 20_000);
const rounds = sized(60, 15);
const aRound = 50;
/** How many times as much a write may cost; of the few calls of the short form noise has a larger part. */
const most = sized(1.2, 1.4);

test('the cost of a write', ofTime, async (context) => {
  const [small, large] = [await holding(few), await holding(many)];
  await fill(large);
  await fill(small);
  const bytes = { small: await bytesOfAnOrder(small), large: await bytesOfAnOrder(large) };
  const times: Times = { small: [], large: [] };
  const post = async (held: Holding, taken: number[]) => void taken.push(...(await posted(held.poster, aRound)));
  for (let round = 0; round < rounds; round += 1) {
    const turns = [() => post(small, times.small), () => post(large, times.large)];
    // Neither is always the one that comes first.
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  tellCost(context, times, bytes, await sizeOf(large));
});

/** A server whose stage is given so many orders. */
interface Holding {
  readonly server: StressedServer;
  readonly state: string;
  readonly orders: number;
  readonly poster: Poster;
}

async function holding(orders: number): Promise<Holding> {
  const state = inMemory();
  const server = await startStressed({ flags: ['--state', state] });
  return { server, state, orders, poster: poster(server) };
}

/** A folder that is no disk, so that no other one's noise is measured. */
function inMemory(): string {
  if (!existsSync('/dev/shm')) return folder();
  const path = mkdtempSync('/dev/shm/sachet-stress-');
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Gives the stage its orders, in one write. */
async function fill({ server, orders }: Holding): Promise<void> {
  const { state } = server.control.sandbox('stage');
  const document = await state.get();
  const [order] = document.data.orders;
  const [line] = order?.order_lines ?? [];
  if (!order || !line) throw new Error('the fixtures have no order');
  const digits = (at: number): string => `${at}`.padStart(12, '0');
  const content = { client_product_id: '20000000-0000-4000-8000-000000000001', serving_size: 1 };
  const pouches = [{ time_of_administration: 'Morning', contents: [content] }];
  const all = Array.from({ length: orders }, (_, at) => ({
    ...order,
    id: `50000000-0000-4000-9000-${digits(at)}`,
    order_lines: [{ ...line, id: `51000000-0000-4000-9000-${digits(at)}`, pouches }],
  }));
  const counters = { ...document.counters, orders: Math.max(orders, document.counters.orders ?? 0) };
  const data = { ...document.data, orders: all, fulfillments: [] };
  const { sequences: _, ...others } = document;
  await state.put({ ...others, counters, data, due_steps: [] });
}

async function posted({ post }: Poster, count: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count) times.push(await post());
  return times;
}

/** What an order adds to the log, on the average of a hundred, which are also those that warm the server up. */
async function bytesOfAnOrder({ state, poster: connection }: Holding): Promise<number> {
  const before = logBytes(state);
  await posted(connection, 100);
  return (logBytes(state) - before) / 100;
}

interface Size {
  /** The version up to which the log was compacted. */
  readonly compacted: number;
  readonly records: number;
}

async function sizeOf({ server, state }: Holding): Promise<Size> {
  const { orders } = await server.control.sandbox('stage').records.orders.list();
  return { compacted: compactedTo(state, 'stage'), records: orders.length };
}

interface Times {
  readonly small: number[];
  readonly large: number[];
}

function tellCost(
  context: Parameters<typeof tell>[0],
  { small, large }: Times,
  bytes: { readonly small: number; readonly large: number },
  { compacted, records }: Size,
): void {
  const [few50, many50] = [quantile(small, 0.5), quantile(large, 0.5)];
  const [ratio, ratioBytes] = [many50 / few50, bytes.large / bytes.small];
  tell(context, {
    row: 'cost',
    done: `${shown(small.length)} orders each to a server with ${shown(few)} stored orders and to one with ${shown(many)}, in turns of ${aRound}, over one connection; the state folders are in memory (/dev/shm), so that disk noise does not count`,
    wanted: `in the median a write costs at most ${most} times as much with ${shown(many)} orders, in time and in bytes of the log`,
    measured: `${shown(few50, 2)} and ${shown(many50, 2)} ms: ${shown(ratio, 2)} times as much (p99 ${shown(quantile(small, 0.99), 1)} and ${shown(quantile(large, 0.99), 1)}); ${shown(bytes.small)} and ${shown(bytes.large)} bytes`,
    faults: faultsOf({
      'a write takes more bytes': !(ratioBytes <= most && bytes.small > 0),
      'the log was not compacted': compacted < 2,
      'too few orders are stored': records < many,
    }),
    ofMachine: faultsOf({
      'a write takes longer': !(ratio <= most),
    }),
  });
}
