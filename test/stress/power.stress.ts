// A power loss undoes what was not synced. The order of the system calls shows that every write is synced before it is acknowledged.
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../support/command.ts';
import { createOrder } from '../support/marked-orders.ts';
import { format, ifAny, report, sized } from './row.ts';
import { compactedVersion, startServer } from './server.ts';
import { inParallel } from './sockets.ts';
import { type SystemCall, strace, straceMissing, systemCallsIn } from './strace.ts';

const [alone, concurrent, connections] = [sized(100, 20), sized(3000, 600), 50];
/** Large orders, so that the log is compacted. */
const orderLines = 25;
const traced = [
  ...['openat', 'write', 'pwrite64', 'writev', 'pwritev', 'sendto', 'sendmsg', 'ftruncate'],
  ...['fsync', 'fdatasync', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'rmdir'],
];

const row = {
  name: 'power',
  load: `${format(alone)} orders one after the other, then ${format(concurrent)} over ${connections} connections, with \`--sync always\`, under strace, while the log is compacted`,
  expected:
    'in the order of the system calls: the log line of each order is written and synced before its 201 leaves; a document is written, synced and renamed, then its folder is synced, and only then the log is emptied; concurrent orders share syncs',
} as const;

test('power', async (context) => {
  const trace = strace(traced);
  if (!trace) return report(context, { ...row, skipped: straceMissing });
  const state = folder();
  const server = await startServer({ under: trace.command, flags: ['--state', state, '--sync', 'always'] });
  const marks = Array.from({ length: alone + concurrent }, (_, at) => `m${at}`);
  const create = (mark: string) => createOrder(server, mark, orderLines);
  await inParallel(marks.slice(0, alone), 1, create);
  await inParallel(marks.slice(alone), connections, create);
  while (compactedVersion(state) <= 1 && marks.length < 4 * concurrent) {
    marks.push(`m${marks.length}`);
    await create(`m${marks.length - 1}`);
  }
  await server.stop();
  const calls = systemCallsIn(trace.text());
  // Without the syncs, the checks must fail.
  const without = (name: string) => check(calls.filter((call) => call.name !== name));
  expect(without('fdatasync').early).toHaveLength(marks.length);
  expect(without('fsync').unsynced).not.toEqual([]);
  expect(without('fsync').lossy).not.toEqual([]);

  const { responses, early, emptied, unsynced, lossy } = check(calls);
  const began = responses.get(`m${alone}`)?.began ?? 0;
  const syncs = calls.filter((call) => isSync(call) && log.test(call.path) && call.began > began).length;
  const shared = marks.length - alone;
  report(context, {
    ...row,
    measured: `${format(responses.size)} orders, ${early.length} acknowledged too early; the log was emptied ${format(emptied.length)} ×, with ${unsynced.length + lossy.length} steps out of order; ${format(syncs)} syncs of the log for the last ${format(shared)} orders (${format(shared / syncs, 1)} orders per sync)`,
    faults: {
      ...ifAny({ 'too early': early, 'out of order': [...unsynced, ...lossy] }),
      ...ifAny({ 'standard error has': server.unexpectedLines() }),
      'not every order was seen': responses.size !== marks.length,
      'the log was never emptied': emptied.length === 0,
      'syncs are not shared': syncs >= shared,
    },
  });
});

const log = /\/changes\.log$/;
const document = /\/sandboxes\/[^/]+\.json$/;
const isSync = ({ name }: SystemCall): boolean => name === 'fdatasync' || name === 'fsync';
const isWrite = ({ name }: SystemCall): boolean => /^p?writev?(?:64)?$|^send/.test(name);

function check(calls: readonly SystemCall[]) {
  const syncs = calls.filter(isSync);
  const isSynced = (path: string, after: number, before: number) =>
    syncs.some((sync) => sync.path === path && sync.began > after && sync.ended < before);
  const writes = calls.filter(isWrite);
  const responses = firstByMark(
    writes.filter(({ path, text }) => path.startsWith('socket:') && text.includes('HTTP/1.1 201')),
  );
  const logged = firstByMark(writes.filter(({ path }) => log.test(path)));
  /** Orders whose response leaves before their line in the log is synced. */
  const early = [...responses].flatMap(([mark, { began }]) => {
    const line = logged.get(mark);
    return line && isSynced(line.path, line.ended, began) ? [] : [`order ${mark}`];
  });
  const renames = calls.filter(({ name, path }) => name.startsWith('rename') && document.test(path));
  /** Documents that are renamed before their bytes are synced. */
  const unsynced = renames.flatMap(({ path, from, began }) => {
    const last = writes.findLast((call) => call.path === from && call.ended < began);
    return last && isSynced(from, last.ended, began) ? [] : [`${basename(path)} was renamed before it was synced`];
  });
  // A start empties the log, too, but it can be empty then.
  const firstWrite = writes.find(({ path }) => log.test(path))?.began ?? 0;
  const emptied = calls.filter(({ name, path, began }) => name === 'ftruncate' && log.test(path) && began > firstWrite);
  /** Logs that are emptied before the folder with the new documents is synced. */
  const lossy = emptied.flatMap(({ path, began }) => {
    const rename = renames.findLast((call) => call.ended < began);
    const isSafe = rename && isSynced(dirname(rename.path), rename.ended, began);
    return isSafe ? [] : [`${basename(path)} was emptied before its documents were synced`];
  });
  return { responses, early, unsynced, emptied, lossy };
}

/** The first call with each order's mark. */
function firstByMark(calls: readonly SystemCall[]): Map<string, SystemCall> {
  const found = new Map<string, SystemCall>();
  for (const call of calls)
    for (const [mark] of call.text.matchAll(/\bm\d+\b/g)) if (!found.has(mark)) found.set(mark, call);
  return found;
}
