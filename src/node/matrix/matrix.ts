// The assumption matrix: the command as it is, then once per other reading, told as it goes.
import type { WriteStream } from 'node:tty';
import { internChoices } from '../../contract/resolved-assumptions.ts';
import { stopwatch } from '../../system/time.ts';
import { type Outputs, prepareOutputs, printResults } from '../cli/results.ts';
import { type SettingFlags, settingOf } from '../cli/serve-flags.ts';
import { plainOutput } from '../client-output.ts';
import { interruptible } from '../client-process.ts';
import type { GivenVariable } from '../client-server.ts';
import { printable } from '../printable.ts';
import { FirstRunError, type MatrixReport, matrixCases, matrixDocument, matrixTable, type Result } from './report.ts';
import {
  type ClientCommand,
  FirstRun,
  listVariations,
  type RunEnd,
  runCommand,
  type Selection,
  type Variation,
  watchVariation,
} from './runs.ts';

export interface MatrixFlags extends SettingFlags, Outputs {
  readonly env: readonly GivenVariable[];
  readonly all: boolean;
  readonly only: readonly Selection[];
  readonly parallel: number;
  readonly timeout?: number;
  readonly output: boolean;
}

/**
 * Whether it passes by every reading.
 * @throws FirstRunError, whose output is printed already; UsageError.
 */
export async function runMatrixCommand(command: readonly string[], flags: MatrixFlags): Promise<boolean> {
  const { env, all, parallel, timeout: timeoutSeconds } = flags;
  const setting = await settingOf(flags);
  const turns = listVariations(setting.choices, flags.only);
  prepareOutputs(flags);
  const report = await interruptible((signal) =>
    reportOf({ setting, turns, command, env, all, parallel, timeoutSeconds, signal }),
  );
  printResults(flags, {
    suite: 'sachet matrix',
    cases: () => matrixCases(report),
    document: () => matrixDocument(report),
    text: () => matrixTable(report, flags.output),
  });
  return report.results.every(({ passed }) => passed);
}

async function reportOf(task: Omit<MatrixTask, 'progress'>): Promise<MatrixReport> {
  const progress = new ProgressLine();
  // A second signal waits for nothing.
  process.once('exit', progress.clear);
  try {
    return await runMatrix({ ...task, progress });
  } catch (error) {
    progress.clear();
    if (error instanceof FirstRunError && error.output) process.stderr.write(`${plainOutput(error.output)}\n`);
    throw error;
  } finally {
    process.removeListener('exit', progress.clear);
    progress.clear();
  }
}

const silence =
  'the command sent no request to the server; point it at SACHET_BASE_URL, or give the variable that it reads by --env NAME=base_url';

interface MatrixTask extends ClientCommand {
  /** What is turned, one at a time. */
  readonly turns: readonly Variation[];
  /** Whether readings are tried that the first run never asked for. */
  readonly all: boolean;
  /** Runs at a time. */
  readonly parallel: number;
  /** How long a run may take. Default: ten times as long as the first one, at least 20 seconds. */
  readonly timeoutSeconds?: number | undefined;
  readonly progress: ProgressLine;
}

const firstRunSeconds = 600;
const leastSeconds = 20;
const timesTheFirst = 10;

/** @throws FirstRunError where the command fails as it is; UsageError where it cannot be started; the reason of the signal. */
async function runMatrix(task: MatrixTask): Promise<MatrixReport> {
  const started = stopwatch();
  const { setting, command, turns, all, progress, parallel } = task;
  const first = new FirstRun(setting.choices);
  const firstEnd = await firstRun(task, first);
  // Then nothing can be learnt.
  if (first.requests === 0) {
    progress.clear();
    process.stderr.write(`sachet: ${silence}\n`);
  }
  const isTried = ({ assumption }: Variation) => all || first.assumptions.asked.has(assumption);
  const tried = turns.filter(isTried).length;
  progress.expect(tried);
  const timeoutMilliseconds = timeoutFor(task.timeoutSeconds, firstEnd.durationMilliseconds);
  const results = await inParallel(turns, parallel, async (turn) =>
    isTried(turn)
      ? runVariation(task, first, turn, timeoutMilliseconds)
      : { ...turn, passed: true, reached: false, met: false, run: null, request: null },
  );
  return {
    command,
    base: setting.choices,
    durationMilliseconds: Math.round(stopwatch() - started),
    parallel: Math.min(parallel, tried),
    firstRun: { durationMilliseconds: firstEnd.durationMilliseconds, requests: first.requests },
    results,
  };
}

async function firstRun({ progress, timeoutSeconds, ...client }: MatrixTask, first: FirstRun): Promise<RunEnd> {
  progress.expect(1);
  progress.begin(firstRunName);
  const end = await runCommand(client, {
    choices: first.base,
    timeoutMilliseconds: (timeoutSeconds ?? firstRunSeconds) * 1000,
    onCompleted: (entry) => first.see(entry),
  });
  progress.end(firstRunName, end.passed);
  if (end.passed) return end;
  throw new FirstRunError(end);
}

const firstRunName = 'the command as it is';

/** By what was asked for, else by how long the first run took. In milliseconds. */
export const timeoutFor = (seconds: number | undefined, firstMilliseconds: number): number =>
  seconds === undefined ? Math.max(leastSeconds * 1000, timesTheFirst * firstMilliseconds) : seconds * 1000;

async function runVariation(
  { progress, ...client }: MatrixTask,
  first: FirstRun,
  turn: Variation,
  timeoutMilliseconds: number,
): Promise<Result> {
  const name = `${turn.assumption}=${turn.reading}`;
  const { see, found } = watchVariation(first, turn);
  progress.begin(name);
  const { passed, ...run } = await runCommand(client, {
    choices: internChoices({ ...first.base, [turn.assumption]: turn.reading }),
    timeoutMilliseconds,
    onCompleted: see,
  });
  progress.end(name, passed);
  const { isReached, met, request } = found();
  const reached = first.assumptions.asked.has(turn.assumption) || isReached;
  return { ...turn, passed, reached, met, run, request: passed ? null : request };
}

/** Results in the order of the items. What fails ends the work: nothing more is begun, and what is under way is waited for. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  bound: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, item] = next;
      results[at] = await work(item).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(bound, items.length) }, worker));
  const failed = workers.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}

/** What it needs of standard error. */
type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

const fromStart = '\r\u001b[K';

/** How far the runs are, on one line of a terminal that is written anew; nothing where there is no terminal. */
export class ProgressLine {
  readonly #terminal: Terminal | undefined;
  readonly #running = new Set<string>();
  #total = 0;
  #done = 0;
  #failed = 0;

  constructor(terminal: Terminal = process.stderr) {
    this.#terminal = terminal.isTTY ? terminal : undefined;
  }

  /** So many more runs are to come. */
  expect(runs: number): void {
    this.#total += runs;
  }

  begin(run: string): void {
    this.#running.add(run);
    this.#show();
  }

  end(run: string, passed: boolean): void {
    this.#running.delete(run);
    this.#done += 1;
    if (!passed) this.#failed += 1;
    this.#show();
  }

  /** Leaves the line as it was found. */
  readonly clear = (): void => {
    this.#terminal?.write(fromStart);
  };

  #show(): void {
    const running = [...this.#running].join(', ') || 'nothing';
    const text = `${this.#done} of ${this.#total} runs, ${this.#failed} failed; running: ${running}`;
    // The last column stays free: some terminals go on to the next line with it. Some do not know how wide they are.
    this.#terminal?.write(fromStart + printable(text).slice(0, (this.#terminal.columns || 80) - 1));
  }
}
