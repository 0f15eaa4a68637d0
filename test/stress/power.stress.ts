// What a loss of power would leave, by the order in which the server asks the kernel: nothing is acknowledged before it stands.
import { expect, test } from 'vitest';
import { folder } from '../support/command.ts';
import { faultsOf, firstOf, shown, sized, tell } from './figure.ts';
import { postOrder } from './marked-orders.ts';
import { Course, isLogSync } from './order-of-calls.ts';
import { type StressedServer, startStressed, wordsBesideLog } from './server.ts';
import { together } from './sockets.ts';
import { compactedTo } from './state-files.ts';
import { type SystemCall, tracing } from './system-calls.ts';

const alone = sized(100, 20);
const crowd = sized(3000, 800);
const connections = 50;
/** Orders of many lines, so that the log is compacted. */
const lines = 25;

test('a loss of power', async (context) => {
  const trace = tracing();
  if (!trace) return tell(context, { ...row, measured: '', faults: [], skipped: 'strace cannot trace a process here' });
  const state = folder();
  const server = await startStressed({ under: trace.command, flags: ['--state', state, '--sync', 'always'] });
  const marks = Array.from({ length: alone + crowd }, (_, at) => `m${at}`);
  await together(marks.slice(0, alone), 1, (mark) => ordered(server, mark));
  await together(marks.slice(alone), connections, (mark) => ordered(server, mark));
  await untilFold(server, state, marks);
  await server.stop();
  const calls = trace.calls();
  controls(calls, marks.length);
  tellPower(context, calls, { words: wordsBesideLog(server), firstOfCrowd: `m${alone}`, ordered: marks.length });
});

async function untilFold(server: StressedServer, state: string, marks: string[]): Promise<void> {
  while (compactedTo(state, 'stage') <= 1 && marks.length < 4 * crowd) {
    const mark = `m${marks.length}`;
    marks.push(mark);
    await ordered(server, mark);
  }
}

const row = {
  row: 'power',
  done: `${shown(alone)} orders one after the other, then ${shown(crowd)} over ${connections} connections, with \`--sync always\`, under strace, while the log is compacted`,
  wanted:
    'in the order of the system calls: the log line of each order is written and synced before its 201 leaves; a document is written, synced and renamed, then its folder is synced, and only then the log is emptied; concurrent orders share syncs',
} as const;

async function ordered(server: StressedServer, mark: string): Promise<void> {
  const { status, text } = await postOrder(server, mark, lines);
  if (status !== 201) throw new Error(`an order was answered with ${status}: ${text}`);
}

/** The same calls without syncs, of the log or of documents and folders, are found at fault: else nothing would be shown. */
function controls(calls: readonly SystemCall[], ordered: number): void {
  const without = (name: string) => new Course(calls.filter((call) => call.name !== name));
  const [noLog, noOthers] = [without('fdatasync'), without('fsync')];
  expect(noLog.orders()).toHaveLength(ordered);
  expect(noOthers.documents()).not.toEqual([]);
  expect(noOthers.emptied()).not.toEqual([]);
}

interface Beside {
  readonly words: readonly string[];
  readonly firstOfCrowd: string;
  readonly ordered: number;
}

function tellPower(
  context: Parameters<typeof tell>[0],
  calls: readonly SystemCall[],
  { words, firstOfCrowd, ordered: wanted }: Beside,
): void {
  const course = new Course(calls);
  const { answered, truncated } = course;
  const began = answered.get(firstOfCrowd)?.began ?? 0;
  const syncs = calls.filter((call) => isLogSync(call) && call.began > began).length;
  const late = course.orders();
  const astray = [...course.documents(), ...course.emptied()];
  tell(context, {
    ...row,
    measured: `${shown(answered.size)} orders, ${late.length} acknowledged too early; the log was emptied ${shown(truncated.length)} ×, with ${astray.length} steps out of order; ${shown(syncs)} syncs of the log for the last ${shown(wanted - alone)} orders (${shown((wanted - alone) / syncs, 1)} orders per sync)`,
    faults: faultsOf({
      [`too early: ${firstOf(late)}`]: late.length > 0,
      [`out of order: ${firstOf(astray)}`]: astray.length > 0,
      'not every order was seen': answered.size !== wanted,
      'the log was never emptied': truncated.length === 0,
      'syncs are not shared': syncs >= wanted - alone,
      [`standard error has ${firstOf(words)}`]: words.length > 0,
    }),
  });
}
