// `sachet matrix`: runs the command as it is, then once per variation of an assumption, and reports.
import type { WriteStream } from 'node:tty';
import { internChoices } from '../../contract/resolved-assumptions.ts';
import { stopwatch } from '../../system/time.ts';
import { type Outputs, prepareOutputs, printResults } from '../cli/results.ts';
import { type SettingFlags, settingOf } from '../cli/serve-flags.ts';
import { plainOutput } from '../client-output.ts';
import { interruptible } from '../client-process.ts';
import type { EnvVariable } from '../client-server.ts';
import { printable } from '../printable.ts';
import { describeEnd, type MatrixReport, matrixCases, matrixDocument, matrixTable, type Result } from './report.ts';
import {
  type ClientCommand,
  FirstRun,
  followVariation,
  listVariations,
  runCommand,
  type Selection,
  type Variation,
} from './runs.ts';

export interface MatrixFlags extends SettingFlags, Outputs {
  readonly env: readonly EnvVariable[];
  /** Also try the assumptions that the first run did not meet. */
  readonly all: boolean;
  readonly only: readonly Selection[];
  /** Runs at a time. */
  readonly parallel: number;
  /** In seconds, for a run. */
  readonly timeout?: number;
  readonly output: boolean;
}

interface MatrixCommand extends ClientCommand {
  readonly progress: ProgressLine;
}

/**
 * Returns whether the command passes every variation.
 * @throws Error if the command fails as it is, after its output is printed; UsageError
 */
export async function runMatrixCommand(command: readonly string[], flags: MatrixFlags): Promise<boolean> {
  const { env } = flags;
  const setting = await settingOf(flags);
  const variations = listVariations(setting.choices, flags.only);
  prepareOutputs(flags);
  const progress = new ProgressLine();
  const report = await interruptible((signal) =>
    runMatrix({ setting, command, env, signal, progress }, variations, flags).finally(progress.clear),
  );
  printResults(flags, {
    suite: 'sachet matrix',
    cases: matrixCases(report),
    document: matrixDocument(report),
    text: matrixTable(report, flags.output),
  });
  return report.results.every(({ passed }) => passed);
}

const noRequests =
  'the command sent no request to the server; point it at SACHET_BASE_URL, or give the variable that it reads ' +
  'by --env NAME=base_url';

/** @throws Error if the command fails as it is; UsageError if it cannot be started; the reason of the signal */
async function runMatrix(
  command: MatrixCommand,
  variations: readonly Variation[],
  { all, parallel, timeout }: MatrixFlags,
): Promise<MatrixReport> {
  const started = stopwatch();
  const { setting, progress } = command;
  const first = new FirstRun();
  progress.expect(1);
  const firstTimeout = (timeout ?? firstRunSeconds) * 1000;
  const options = { choices: setting.choices, timeoutMilliseconds: firstTimeout, onCompleted: first.add };
  const running = progress.during('the command as it is', runCommand(command, options));
  const { durationMilliseconds, output, ...end } = await running;
  progress.clear();
  if (!end.passed) {
    if (output) process.stderr.write(`${plainOutput(output)}\n`);
    throw new Error(`the command fails as it is, before any reading is turned: it ${describeEnd(end)}`);
  }
  if (first.requests === 0) process.stderr.write(`sachet: ${noRequests}\n`);
  const isTried = ({ assumption }: Variation) => all || first.used.has(assumption);
  const tried = variations.filter(isTried).length;
  progress.expect(tried);
  const timeoutMilliseconds = timeoutFor(timeout, durationMilliseconds);
  const results = await inParallel(variations, parallel, async (variation) =>
    isTried(variation)
      ? runVariation(command, first, variation, timeoutMilliseconds)
      : { ...variation, passed: true, reached: false, met: false, run: null, request: null },
  );
  return {
    command: command.command,
    base: setting.choices,
    durationMilliseconds: Math.round(stopwatch() - started),
    parallel: Math.min(parallel, tried),
    firstRun: { durationMilliseconds, requests: first.requests },
    results,
  };
}

const firstRunSeconds = 600;
const minTimeoutSeconds = 20;
const timesTheFirstRun = 10;

/** Milliseconds for a run: as `--timeout` says, or by the time of the first run. */
export const timeoutFor = (seconds: number | undefined, firstMilliseconds: number): number =>
  seconds === undefined ? Math.max(minTimeoutSeconds * 1000, timesTheFirstRun * firstMilliseconds) : seconds * 1000;

async function runVariation(
  command: MatrixCommand,
  first: FirstRun,
  variation: Variation,
  timeoutMilliseconds: number,
): Promise<Result> {
  const { assumption, reading } = variation;
  const base = command.setting.choices;
  const { found, onCompleted } = followVariation(first, variation, base);
  const choices = internChoices({ ...base, [assumption]: reading });
  const running = runCommand(command, { choices, timeoutMilliseconds, onCompleted });
  const run = await command.progress.during(`${assumption}=${reading}`, running);
  const { met, refused, surprising, isReached: reached } = found;
  const request = run.passed ? null : (surprising ?? refused ?? met ?? null);
  return { ...variation, passed: run.passed, reached, met: met !== undefined, run, request };
}

/** Results in the order of the items. The failure of one item is thrown after the running ones have ended. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  bound: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  const workers = await Promise.allSettled(Array.from({ length: bound }, worker));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
  return results;
}

/** The part of standard error that the progress uses. */
type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

const startOfLine = '\r\u001b[K';

/** The progress on one line of a terminal, which is rewritten; silent without a terminal. */
export class ProgressLine {
  readonly #terminal: Terminal | undefined;
  readonly #running = new Set<string>();
  #total = 0;
  #done = 0;
  #failed = 0;

  constructor(terminal: Terminal = process.stderr) {
    this.#terminal = terminal.isTTY ? terminal : undefined;
  }

  expect(runs: number): void {
    this.#total += runs;
  }

  async during<Run extends { readonly passed: boolean }>(name: string, running: Promise<Run>): Promise<Run> {
    this.#running.add(name);
    this.#show();
    const run = await running;
    this.#running.delete(name);
    this.#done += 1;
    if (!run.passed) this.#failed += 1;
    this.#show();
    return run;
  }

  readonly clear = (): void => {
    this.#terminal?.write(startOfLine);
  };

  #show(): void {
    const running = [...this.#running].join(', ') || 'nothing';
    const text = `${this.#done} of ${this.#total} runs, ${this.#failed} failed; running: ${running}`;
    // Some terminals wrap at the last column, and some do not know their width.
    this.#terminal?.write(startOfLine + printable(text).slice(0, (this.#terminal.columns || 80) - 1));
  }
}
