// Clients that leave at any byte, of their request or of the answer: nothing of them stays behind.
import { test } from 'vitest';
import { type Abort, aborts } from './aborts.ts';
import { faultsOf, firstOf, mebibytes, ofTime, shown, sized, tell } from './figure.ts';
import { quiet, type StressedServer, startStressed, wordsBesideLog } from './server.ts';
import { leave, together } from './sockets.ts';

const total = sized(10_000, 1000);
/** Nothing that is a multiple of three, or each cut would be left in one way alone. */
const [warmUpStride, stride] = [sized(1, 7), sized(1, 10)];
const atATime = 50;
/** How much more the heap may hold than before. */
const mostHeap = 0.1;

test('clients that leave in the middle', ofTime, async (context) => {
  const server = await startStressed();
  const stage = server.control.sandbox('stage');
  const every = await aborts(server);
  const sample = (step: number) => every.filter((_, at) => at % step === 0).slice(0, total);
  const held = async (mostHandles?: number): Promise<OpenResources> => {
    // The journal may hold what it likes, within its bounds.
    await stage.requests.clear();
    const { orders } = await stage.records.orders.list();
    return { ...(await quiet(server, mostHandles)), orders: orders.length };
  };
  const start = await held();
  await carryOut(server, sample(warmUpStride));
  const before = { ...(await held()), files: start.files, resources: start.resources };
  const left = sample(stride);
  await carryOut(server, left);
  tellAborts(context, left.length, {
    before,
    after: await held(start.resources.length),
    words: wordsBesideLog(server),
  });
});

/** What the server holds when no client is there. */
type OpenResources = Awaited<ReturnType<typeof quiet>> & { readonly orders: number };

interface Found {
  /** Its files and handles at the start, its heap and orders after the warm-up. */
  readonly before: OpenResources;
  readonly after: OpenResources;
  readonly words: readonly string[];
}

function tellAborts(context: Parameters<typeof tell>[0], count: number, { before, after, words }: Found): void {
  const grown = after.heapBytes / before.heapBytes - 1;
  const stored = after.orders - before.orders;
  tell(context, {
    row: 'aborts',
    done: `${shown(count)} clients disconnect early, ${atATime} at a time: they close, reset or half-close the connection. They do so at every byte of an order (with a length, chunked, gzipped), at every byte of an order that follows three pipelined requests, and within the responses of short and long lists, labels and the event stream`,
    wanted: `as many open files and handles as at the start; the heap within ${shown(mostHeap * 100)} % of its size after the warm-up; no order stored; only log lines on standard error`,
    measured: `files ${before.files} → ${after.files}, handles ${before.resources.length} → ${after.resources.length}, heap ${mebibytes(before.heapBytes)} → ${mebibytes(after.heapBytes)} MiB (${shown(grown * 100, 1)} %), ${stored} orders stored`,
    faults: faultsOf({
      'files stay open': after.files > before.files,
      [`handles stay: ${after.resources}`]: after.resources.length > before.resources.length,
      'orders were stored': stored !== 0,
      [`standard error has ${firstOf(words)}`]: words.length > 0,
      'too few clients': count < total,
    }),
    // Behind a warm-up as short as that code is still compiled, sooner or later; what leaks grows each time.
    ofMachine: faultsOf({ 'the heap has grown': grown > mostHeap }),
  });
}

const carryOut = ({ port }: StressedServer, list: readonly Abort[]): Promise<void> =>
  together(list, atATime, ({ bytes, leaving, taken }) => leave(port, bytes, leaving, taken));
