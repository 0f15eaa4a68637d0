// A disk that is full: what is refused was never there, reads go on, and with the first space all is well again.
import { expect, test } from 'vitest';
import { known } from '../cases/requests.ts';
import { Book } from './book.ts';
import { faultsOf, shown, sized, tell } from './figure.ts';
import { type StressedServer, startStressed } from './server.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';
import { compactedTo, leftIn } from './state-files.ts';

const rounds = sized(4, 1);
const diskMebibytes = 32;
/** What is left at first: less than a log that is compacted, and then enough for that log, but not for its snapshot. */
const left = { log: 400_000, snapshot: 4_600_000 };
const healMilliseconds = sized(5000, 20_000);

test('a full disk', async (context) => {
  const books: Book[] = [];
  const found: Found = { faults: [], healed: [] };
  for (let round = 0; round < rounds; round += 1) {
    const disk = smallDisk(diskMebibytes);
    if (!disk) return tell(context, { ...row, measured: '', faults: [], skipped: 'a tmpfs cannot be mounted here' });
    const flags = ['--state', `${disk.path}/state`, '--sync', round % 2 === 0 ? 'always' : 'interval'];
    books.push(await fullTwice({ disk, start: () => startStressed({ flags }) }, found));
  }
  tellFull(context, books, found);
});

const row = {
  row: 'full',
  done: `${shown(rounds)} × a disk of ${diskMebibytes} MiB that orders fill twice: first the log does not fit; then, after a \`kill -9\` and a start, the document that the log is compacted into does not fit; each time, space is freed again; alternately with \`--sync always\` and \`interval\``,
  wanted: `orders get 500 with the contract's error body, and reads work; \`/health\` is degraded and names ENOSPC, but no path; rejected orders never appear, acknowledged ones always; ok again within ${shown(healMilliseconds / 1000)} s after space is freed`,
} as const;

interface Found {
  readonly faults: string[];
  /** How long it took, in milliseconds. */
  readonly healed: number[];
}

interface Place {
  readonly disk: SmallDisk;
  readonly start: () => Promise<StressedServer>;
}

async function fullTwice({ disk, start }: Place, found: Found): Promise<Book> {
  const book = new Book();
  const state = `${disk.path}/state`;
  const first = await start();
  disk.fill(left.log);
  await fullOnce(first, disk, book, found);
  await first.kill();
  const second = await start();
  found.faults.push(...(await book.differences(second, 'after a kill')));
  disk.fill(left.snapshot);
  await fullOnce(second, disk, book, found);
  // It is tried again when the log has grown on.
  await book.many(second, 1200);
  expect(compactedTo(state, 'stage')).toBeGreaterThan(1);
  await second.kill();
  const last = await start();
  found.faults.push(...(await book.differences(last, 'after the last kill')));
  await last.stop();
  found.faults.push(...leftIn(state).map((name) => `${name} is left`));
  found.faults.push(...wordsFaults(first, second), ...book.faults);
  return book;
}

/** Fills it, looks at the server then, makes space, and looks again. */
async function fullOnce(server: StressedServer, disk: SmallDisk, book: Book, { faults, healed }: Found): Promise<void> {
  await book.untilRefused(server);
  faults.push(...(await whileFull(server)), ...(await book.differences(server, 'while the disk is full')));
  await disk.free();
  const began = Date.now();
  const status = async () => (await healthOf(server)).status;
  await expect.poll(status, { timeout: healMilliseconds, interval: 50 }).toBe('ok');
  healed.push(Date.now() - began);
  const refused = book.refused.length;
  await book.many(server, 40);
  if (book.refused.length > refused) faults.push('orders are rejected although the disk has space');
  faults.push(...(await book.differences(server, 'after space was freed')));
}

interface Health {
  readonly status: string;
  readonly why?: string;
}

const healthOf = async ({ url }: StressedServer): Promise<Health> =>
  (await (await fetch(`${url}/health`)).json()) as Health;

async function whileFull(server: StressedServer): Promise<string[]> {
  const { status, why = '' } = await healthOf(server);
  const paths = ['/v2/products', `/v2/fulfillments/${known.fulfillment}`, `/v2/orders/${known.pendingOrder}`];
  const headers = { authorization: `Bearer ${server.token}` };
  const answers = await Promise.all(paths.map((path) => fetch(server.url + path, { headers })));
  await Promise.all(answers.map((answer) => answer.text()));
  return faultsOf({
    [`the health is ${status}`]: status !== 'degraded',
    [`it is degraded because of "${why}"`]: !why.includes('ENOSPC') || why.includes('/'),
    'a read was rejected': answers.some((answer) => answer.status !== 200),
  });
}

/** Standard error shows that the log, and then the documents cannot be written; otherwise the test showed nothing. */
const wordsFaults = (first: StressedServer, second: StressedServer): string[] =>
  faultsOf({
    'no write was refused at first': !first.stderr.includes('state: cannot write changes'),
    'no document was refused': !second.stderr.includes('state: cannot write documents'),
    'writes are not taken again': !second.stderr.includes('state: writing works again'),
  });

function tellFull(context: Parameters<typeof tell>[0], books: readonly Book[], { faults, healed }: Found): void {
  const sum = (count: (book: Book) => number): number => books.reduce((all, book) => all + count(book), 0);
  tell(context, {
    ...row,
    measured: `${shown(sum(({ acknowledged }) => acknowledged.length))} orders acknowledged, ${shown(sum(({ refused }) => refused.length))} rejected; ${faults.length} faults; ok again after ${shown(Math.min(...healed) / 1000, 1)} to ${shown(Math.max(...healed) / 1000, 1)} s`,
    faults: [...new Set(faults)].slice(0, 10),
  });
}
