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
import { FirstRunError, type MatrixReport, matrixCases, matrixDocument, matrixTable, type Result } from './report.ts';
import {
  type ClientCommand,
  FirstRun,
  listVariations,
  type RunEnd,
  runCommand,
  type Selection,
  type Variation,
  VariationRun,
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

/**
 * Returns whether the command passes every variation.
 * @throws FirstRunError, after its output is printed; UsageError
 */
export async function runMatrixCommand(command: readonly string[], flags: MatrixFlags): Promise<boolean> {
  const { env } = flags;
  const setting = await settingOf(flags);
  const variations = listVariations(setting.choices, flags.only);
  prepareOutputs(flags);
  const report = await interruptible((signal) =>
    withProgress((progress) => runMatrix({ setting, command, env, signal, progress }, variations, flags)),
  );
  printResults(flags, {
    suite: 'sachet matrix',
    cases: () => matrixCases(report),
    document: () => matrixDocument(report),
    text: () => matrixTable(report, flags.output),
  });
  return report.results.every(({ passed }) => passed);
}

async function withProgress(run: (progress: ProgressLine) => Promise<MatrixReport>): Promise<MatrixReport> {
  const progress = new ProgressLine();
  // A second signal exits at once.
  process.once('exit', progress.clear);
  try {
    return await run(progress);
  } catch (error) {
    progress.clear();
    if (error instanceof FirstRunError && error.output) process.stderr.write(`${plainOutput(error.output)}\n`);
    throw error;
  } finally {
    process.removeListener('exit', progress.clear);
    progress.clear();
  }
}

const noRequests =
  'the command sent no request to the server; point it at SACHET_BASE_URL, or give the variable that it reads by --env NAME=base_url';

interface MatrixCommand extends ClientCommand {
  readonly progress: ProgressLine;
}

const firstRunSeconds = 600;
const minTimeoutSeconds = 20;
const timesTheFirstRun = 10;

/** @throws FirstRunError if the command fails as it is; UsageError if it cannot be started; the reason of the signal */
async function runMatrix(
  command: MatrixCommand,
  variations: readonly Variation[],
  { all, parallel, timeout }: MatrixFlags,
): Promise<MatrixReport> {
  const started = stopwatch();
  const { setting, progress } = command;
  const first = new FirstRun(setting.choices);
  const firstEnd = await runFirst(command, first, timeout);
  if (first.requests === 0) {
    progress.clear();
    process.stderr.write(`sachet: ${noRequests}\n`);
  }
  const isTried = ({ assumption }: Variation) => all || first.assumptions.used.has(assumption);
  const tried = variations.filter(isTried).length;
  progress.expect(tried);
  const timeoutMilliseconds = timeoutFor(timeout, firstEnd.durationMilliseconds);
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
    firstRun: { durationMilliseconds: firstEnd.durationMilliseconds, requests: first.requests },
    results,
  };
}

const firstRunName = 'the command as it is';

async function runFirst(command: MatrixCommand, first: FirstRun, timeoutSeconds = firstRunSeconds): Promise<RunEnd> {
  const { progress } = command;
  progress.expect(1);
  progress.begin(firstRunName);
  const end = await runCommand(command, {
    choices: first.base,
    timeoutMilliseconds: timeoutSeconds * 1000,
    onCompleted: (entry) => first.add(entry),
  });
  progress.end(firstRunName, end.passed);
  if (end.passed) return end;
  throw new FirstRunError(end);
}

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
  const name = `${assumption}=${reading}`;
  const calls = new VariationRun(first, variation);
  command.progress.begin(name);
  const { passed, ...run } = await runCommand(command, {
    choices: internChoices({ ...first.base, [assumption]: reading }),
    timeoutMilliseconds,
    onCompleted: (entry, sandbox) => calls.add(entry, sandbox),
  });
  command.progress.end(name, passed);
  const reached = first.assumptions.used.has(assumption) || calls.isReached;
  return { ...variation, passed, reached, met: calls.isMet, run, request: passed ? null : calls.request };
}

/** Results in the order of the items. After a failure no further item is begun, and the running ones are waited for. */
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
