// A full disk: rejected orders are not stored, reads work, and writes work again as soon as there is space.
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { errorBody } from '../../src/contract/refusal.ts';
import { known } from '../cases/requests.ts';
import { call, folder } from '../support/command.ts';
import { AcknowledgedWrites, ordersIn, postOrder } from '../support/marked-orders.ts';
import { format, ifAny, report, sized } from './row.ts';
import { compactedVersion, type StressServer, startServer, unfinishedFiles } from './server.ts';
import { inParallel } from './sockets.ts';

const rounds = sized(4, 1);
const diskMebibytes = 32;
/** The bytes that are free at first: fewer than a log before its compaction, then enough for the log, but not for its document. */
const free = { log: 400_000, document: 4_600_000 };
const recoverMilliseconds = sized(5000, 20_000);
const mark = /^f\d+$/;

const row = {
  name: 'full',
  load: `${format(rounds)} × a disk of ${diskMebibytes} MiB that orders fill twice: first the log does not fit; then, after a \`kill -9\` and a start, the document that the log is compacted into does not fit; each time, space is freed again; alternately with \`--sync always\` and \`interval\``,
  expected: `orders get 500 with the contract's error body, and reads work; \`/health\` is degraded and names ENOSPC, but no path; rejected orders never appear, acknowledged ones always; ok again within ${format(recoverMilliseconds / 1000)} s after space is freed`,
} as const;

test('full', async (context) => {
  const result = newResult();
  for (let round = 0; round < rounds; round += 1) {
    const disk = smallDisk();
    if (!disk) return report(context, { ...row, skipped: 'a tmpfs cannot be mounted here' });
    await fillTwice(disk, round % 2 === 0 ? 'always' : 'interval', result);
  }
  const { acknowledged, rejected, faults, recovered } = result;
  const seconds = (milliseconds: number) => format(milliseconds / 1000, 1);
  report(context, {
    ...row,
    measured: `${format(acknowledged)} orders acknowledged, ${format(rejected)} rejected; ${faults.length} faults; ok again after ${seconds(Math.min(...recovered))} to ${seconds(Math.max(...recovered))} s`,
    faults: ifAny({ faults: [...new Set(faults)] }),
  });
});

/** `recovered` has the milliseconds from the free space to a good health. */
const newResult = () => ({ acknowledged: 0, rejected: 0, faults: [] as string[], recovered: [] as number[] });
type Result = ReturnType<typeof newResult>;

/** A tmpfs, which only root can mount. */
function smallDisk() {
  const path = folder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m`, 'sachet-stress', path]).status !== 0) return;
  // -l unmounts it even if a file is open.
  onTestFinished(() => void spawnSync('umount', ['-l', path]));
  const filler = join(path, 'filler');
  const fill = (left: number) => {
    const { bavail, bsize } = statfsSync(path);
    writeFileSync(filler, Buffer.alloc(Math.max(bavail * bsize - left, 0)));
  };
  return { path, fill, clear: () => rmSync(filler) };
}

async function fillTwice(disk: NonNullable<ReturnType<typeof smallDisk>>, sync: string, result: Result): Promise<void> {
  const { faults } = result;
  const state = join(disk.path, 'state');
  const start = () => startServer({ flags: ['--state', state, '--sync', sync] });
  const orders = new PostedOrders(faults);
  const fill = async (server: StressServer, left: number) => {
    disk.fill(left);
    await orders.postUntilRejected(server);
    await checkWhileFull(server, faults);
    await orders.compare(server, 'while the disk is full');
    disk.clear();
    const began = Date.now();
    await expect.poll(server.health, { timeout: recoverMilliseconds }).toMatchObject({ status: 'ok' });
    result.recovered.push(Date.now() - began);
    const { rejected } = orders;
    await orders.post(server, 40);
    if (orders.rejected > rejected) faults.push('orders are rejected although the disk has space');
    await orders.compare(server, 'after space was freed');
  };
  const first = await start();
  await fill(first, free.log);
  await first.kill();
  const second = await start();
  await orders.compare(second, 'after a kill');
  await fill(second, free.document);
  // The compaction is repeated when the log has grown.
  for (let count = 0; count < 1200 && compactedVersion(state) < 2; count += 40) await orders.post(second, 40);
  expect(compactedVersion(state)).toBeGreaterThan(1);
  await second.kill();
  const last = await start();
  await orders.compare(last, 'after the last kill');
  await last.stop();
  faults.push(...unfinishedFiles(state).map((name) => `${name} is left`));
  expect(first.stderr()).toContain('state: cannot write changes');
  expect(second.stderr()).toContain('state: cannot write documents');
  expect(second.stderr()).toContain('state: writing works again');
  result.acknowledged += orders.writes.count;
  result.rejected += orders.rejected;
}

async function checkWhileFull(server: StressServer, faults: string[]): Promise<void> {
  const { status, why = '' } = await server.health();
  if (status !== 'degraded') faults.push(`the health is ${status}`);
  if (!why.includes('ENOSPC') || why.includes('/')) faults.push(`it is degraded because of "${why}"`);
  for (const path of ['/products', `/fulfillments/${known.fulfillment}`, `/orders/${known.pendingOrder}`]) {
    const response = await call('GET', `${server.url}/v2${path}`, server);
    if (response.status !== 200) faults.push(`a read got ${response.status}`);
  }
}

class PostedOrders {
  readonly writes = new AcknowledgedWrites();
  rejected = 0;
  #sent = 0;
  readonly #faults: string[];

  constructor(faults: string[]) {
    this.#faults = faults;
  }

  /** Returns whether one was acknowledged. */
  async post(server: StressServer, count: number): Promise<boolean> {
    const before = this.writes.count;
    await inParallel(Array.from({ length: count }), 8, async () => {
      this.#sent += 1;
      const order = `f${this.#sent}`;
      const { status, id, text } = await postOrder(server, order, 25);
      if (status === 201) return this.writes.addOrder({ id, mark: order });
      this.rejected += 1;
      const { data } = errorBody.safeParse(JSON.parse(text));
      if (status !== 500 || data?.statusCode !== 500) this.#faults.push(`an order got ${status}: ${text}`);
    });
    return this.writes.count > before;
  }

  /** Until three single orders in a row are rejected. */
  async postUntilRejected(server: StressServer): Promise<void> {
    while (await this.post(server, 80));
    for (let inARow = 0; inARow < 3; ) inARow = (await this.post(server, 1)) ? 0 : inARow + 1;
  }

  async compare(server: StressServer, when: string): Promise<void> {
    const found = await ordersIn(server.control, mark);
    const { writes } = this;
    this.#faults.push(...writes.lost(found).map((order) => `${order} is lost ${when}`));
    this.#faults.push(...writes.unexpected(found).map((order) => `${order} was rejected, but exists ${when}`));
    this.#faults.push(...writes.doubled(found).map((order) => `${order} is doubled ${when}`));
  }
}
