// Servers that are killed under load, again and again, over one state folder: what was acknowledged is there, once.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { test } from 'vitest';
import { folder, sachet } from '../support/command.ts';
import { faultsOf, firstOf, ofTime, shown, sized, tell } from './figure.ts';
import { ordersOf, tidy, valuesOf } from './found-state.ts';
import { Ledger } from './ledger.ts';
import { type StressedServer, startStressed, wordsBesideLog } from './server.ts';
import { compactedTo, leftIn } from './state-files.ts';
import { writing } from './writers.ts';

const cycles = sized(100, 10);
/** The stage begins anew after so many, so that its snapshot stays small, and its log is compacted often. */
const resetEvery = sized(20, 5);
/** Of so many starts one is killed, too, before or after it is ready. */
const killedStartEvery = 5;
const milliseconds = { load: { min: 50, max: sized(2400, 1200) }, start: { min: 20, max: 500 } };

/** The seed of a run that is to be had again. */
const seed = Number(process.env.STRESS_SEED ?? Date.now() % 2 ** 31);

test('servers that are killed', ofTime, async (context) => {
  const state = folder();
  const ledger = new Ledger();
  const found: Found = { lost: [], doubled: [], astray: [], unreadable: [], faults: [], words: [], compacted: 1 };
  const [loads, starts] = [moments(milliseconds.load), moments(milliseconds.start)];
  for (let cycle = 0; cycle <= cycles; cycle += 1) {
    if (cycle % killedStartEvery === 1) await killedStart(state, starts[cycle] ?? 0);
    const server = await started(state, cycle, found);
    if (!server) break;
    await check(server, ledger, found);
    found.compacted = Math.max(found.compacted, compactedTo(state, 'stage'));
    if (cycle === cycles) await server.stop();
    else await loadAndKill(server, ledger, found, { cycle, after: loads[cycle] ?? 0 });
    found.words.push(...wordsBesideLog(server).filter((words) => !isExpected.test(words)));
  }
  tellKills(context, ledger, { ...found, left: leftIn(state) });
});

interface Found {
  readonly lost: string[];
  readonly doubled: string[];
  readonly astray: string[];
  /** What the server said that did not start. */
  readonly unreadable: string[];
  /** What writers met that they should not. */
  readonly faults: string[];
  readonly words: string[];
  /** The version up to which the log was compacted. */
  compacted: number;
}

const moments = ({ min, max }: typeof milliseconds.load): number[] =>
  fc.sample(fc.noBias(fc.integer({ min, max })), { numRuns: cycles + 1, seed });

const isExpected =
  /^state: (?:took over the lock: process \d+ on \S+, which held it|changes\.log ends in the middle of a change)/;

const flagsOf = (state: string, cycle: number): string[] => [
  ...['--state', state, '--sync', cycle % 2 === 1 ? 'always' : 'interval'],
];

async function killedStart(state: string, after: number): Promise<void> {
  const starting = sachet(['--port', '0', ...flagsOf(state, 1)]);
  await sleep(after);
  starting.child.kill('SIGKILL');
  await starting.ended();
}

async function started(state: string, cycle: number, { unreadable }: Found): Promise<StressedServer | undefined> {
  try {
    return await startStressed({ flags: flagsOf(state, cycle) });
  } catch (error) {
    unreadable.push(`cycle ${cycle}: ${(error as Error).message}`);
    return undefined;
  }
}

async function check(server: StressedServer, ledger: Ledger, { lost, doubled, astray }: Found): Promise<void> {
  const listed = await ordersOf(server);
  const values = await valuesOf(server);
  lost.push(...ledger.lost(listed));
  doubled.push(...ledger.doubled(listed));
  astray.push(...ledger.astray(values, 'gone'));
  await tidy(server, values, ledger);
}

interface Moment {
  readonly cycle: number;
  /** Milliseconds from the begin of the load. */
  readonly after: number;
}

async function loadAndKill(server: StressedServer, ledger: Ledger, { faults }: Found, { cycle, after }: Moment) {
  if (cycle % resetEvery === resetEvery - 1) {
    await server.control.sandbox('stage').reset();
    ledger.reset();
  }
  const load = writing(server, ledger, cycle);
  await sleep(after);
  // A writer that has ended by now met something else.
  if (load.isBroken()) faults.push(`cycle ${cycle}: a connection broke before the kill`);
  if (server.child.exitCode === null) await server.kill();
  else faults.push(`cycle ${cycle}: the server exited: ${server.stderr}`);
  faults.push(...(await load.ended()));
}

function tellKills(
  context: Parameters<typeof tell>[0],
  { acknowledged }: Ledger,
  { lost, doubled, astray, unreadable, faults, words, compacted, left }: Found & { readonly left: readonly string[] },
): void {
  tell(context, {
    row: 'kills',
    done: `${shown(cycles)} × \`kill -9\` under load with one state folder, alternately with \`--sync interval\` and \`always\`; 8 writers create orders, switches, bursts, snapshots and short-lived sandboxes; every ${killedStartEvery}th start is killed, too; after each kill all data is compared (STRESS_SEED=${seed})`,
    wanted:
      'every acknowledged write is stored, each order once; the server starts each time; the log was compacted; after a SIGTERM the folder has no unfinished files',
    measured: `${shown(acknowledged)} acknowledged writes: ${lost.length + astray.length} lost, ${doubled.length} doubled; ${unreadable.length} states unreadable; the log compacted up to version ${shown(compacted)}; ${left.length} unfinished files`,
    faults: faultsOf({
      [`lost: ${firstOf(lost)}`]: lost.length > 0,
      [`doubled: ${firstOf(doubled)}`]: doubled.length > 0,
      [`not as acknowledged: ${firstOf(astray)}`]: astray.length > 0,
      [`unreadable: ${firstOf(unreadable)}`]: unreadable.length > 0,
      [`unexpected for a writer: ${firstOf(faults)}`]: faults.length > 0,
      [`standard error has ${firstOf(words)}`]: words.length > 0,
      [`left: ${firstOf(left)}`]: left.length > 0,
    }),
    // Of so many milliseconds of load.
    ofMachine: faultsOf({
      'the log was never compacted': compacted < 2,
      'too few writes to judge': acknowledged < cycles * sized(100, 20),
    }),
  });
}
