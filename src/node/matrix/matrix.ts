// `sachet matrix`: runs the command unchanged, then once per variation of an assumption, and reports.
import type { Choices } from '../../contract/assumptions.ts';
import { internChoices, nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import type { EngineOptions } from '../../engine.ts';
import { stopwatch } from '../../system/time.ts';
import { version } from '../../version.ts';
import { type Outputs, prepareOutputs } from '../cli/results.ts';
import { type Setting, type SettingFlags, settingOf } from '../cli/serve-flags.ts';
import { plainOutput, redactCommand, redactor } from '../client-output.ts';
import { ClientProcess, interruptible, withTimeout } from '../client-process.ts';
import { clientAddress, clientEnvironment, type EnvVariable, startClientServer } from '../client-server.ts';
import { ProgressLine } from '../progress-line.ts';
import { FirstRun, followVariation, listVariations, type Selection, type Variation } from './calls.ts';
import { describeEnd, firstRunCase, type MatrixDocument, matrixCases, matrixTable } from './report.ts';
import { nameOf, type TestResults, watchResults } from './test-results.ts';

export interface MatrixFlags extends SettingFlags, Outputs {
  readonly env: readonly EnvVariable[];
  /** Also try the assumptions that the first run did not use. */
  readonly all: boolean;
  readonly only: readonly Selection[];
  /** Runs at a time. */
  readonly parallel: number;
  /** In seconds, for a run. */
  readonly timeout?: number;
  readonly output: boolean;
  /** Where the command writes the results of its tests. */
  readonly results?: string;
}

const suite = 'sachet matrix';

interface MatrixTask extends MatrixFlags {
  readonly command: readonly string[];
  readonly setting: Setting;
  /** Aborted when Sachet is interrupted. */
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
  readonly print: ReturnType<typeof prepareOutputs>;
}

/**
 * Returns whether the command passes every variation.
 * @throws Error if the first run fails; UsageError
 */
export async function runMatrixCommand(command: readonly string[], flags: MatrixFlags): Promise<boolean> {
  const setting = await settingOf(flags);
  const variations = listVariations(setting.choices, flags.only);
  const print = prepareOutputs(flags);
  const progress = new ProgressLine('runs');
  const { document, limits } = await interruptible((signal) =>
    runMatrix({ ...flags, command, setting, signal, progress, print }, variations).finally(progress.clear),
  );
  const text = matrixTable(document, limits, flags);
  print({ suite, cases: matrixCases(document, limits), document, text });
  return document.results.every(({ passed }) => passed);
}

const noRequests =
  'the command sent no request to the server; point it at SACHET_BASE_URL, or pass the variable that it reads ' +
  'with --env NAME=base_url';

/**
 * @throws Error if the first run fails, after its output and its JUnit case are written; UsageError if it cannot be
 * started; the reason of the signal
 */
async function runMatrix(task: MatrixTask, variations: readonly Variation[]) {
  const started = stopwatch();
  const { all, command, parallel, print, progress, setting, timeout } = task;
  const first = new FirstRun();
  progress.expect(1);
  const firstTimeout = (timeout ?? firstRunSeconds) * 1000;
  const options = { at: 0, choices: setting.choices, timeoutMilliseconds: firstTimeout, onCompleted: first.add };
  const run = await progress.during('first run', runCommand(task, options), hasPassed);
  progress.clear();
  if (!run.passed) {
    if (run.output) process.stderr.write(`${plainOutput(run.output)}\n`);
    const next = first.requests === 0 ? noRequests : 'no choice was tried; fix the run, then start the matrix again';
    const end = `it ${describeEnd(run, firstTimeout)}`;
    const message = `the command fails in the first run, before any assumption is changed: ${end}; ${next}`;
    try {
      print({ suite, cases: [firstRunCase(message, run)] });
    } catch (unwritten) {
      throw new Error(`${message}\n${(unwritten as Error).message}`);
    }
    throw new Error(message);
  }
  if (first.requests === 0) process.stderr.write(`sachet: ${noRequests}\n`);
  if (run.results_problem) process.stderr.write(`sachet: no names of failed tests: ${run.results_problem}\n`);
  const knownFailures = new Set(run.failed_tests?.map(nameOf));
  const isTried = ({ assumption }: Variation) => all || first.used.has(assumption);
  const tried = variations.filter(isTried).length;
  progress.expect(tried);
  const timeoutMilliseconds = timeoutFor(timeout, run.duration_ms);
  const results = await inParallel(variations, parallel, async (variation, at) =>
    isTried(variation)
      ? runVariation(task, first, variation, { at: at + 1, timeoutMilliseconds, knownFailures })
      : { ...variation, passed: true, reached: false, met: false, ...notRun },
  );
  const document: MatrixDocument = {
    version,
    command: redactCommand(command, redactor([])),
    assumptions: nonDefaultChoices(setting.choices),
    duration_ms: Math.round(stopwatch() - started),
    first_run: { duration_ms: run.duration_ms, requests: first.requests },
    results,
  };
  return { document, limits: { parallel: Math.min(parallel, tried), timeoutMilliseconds } };
}

const firstRunSeconds = 600;
const minTimeoutSeconds = 20;
const timesTheFirstRun = 10;

/** Milliseconds for a run: from `--timeout`, otherwise from the duration of the first run. */
export const timeoutFor = (seconds: number | undefined, firstMilliseconds: number): number =>
  seconds === undefined ? Math.max(minTimeoutSeconds * 1000, timesTheFirstRun * firstMilliseconds) : seconds * 1000;

const hasPassed = ({ passed }: { readonly passed: boolean }): boolean => passed;

const notRun = {
  ...{ exit_code: null, signal: null, timed_out: false, duration_ms: null, request: null },
  ...{ failed_tests: null, results_problem: null, output: null },
};

interface VariationOptions extends Pick<RunOptions, 'at' | 'timeoutMilliseconds'> {
  /** The tests that failed in the first run: the choice is not why they fail. */
  readonly knownFailures: ReadonlySet<string>;
}

async function runVariation(task: MatrixTask, first: FirstRun, variation: Variation, options: VariationOptions) {
  const { assumption, reading } = variation;
  const base = task.setting.choices;
  const { found, onCompleted } = followVariation(first, variation, base);
  const choices = internChoices({ ...base, [assumption]: reading });
  const { knownFailures, ...limits } = options;
  const running = runCommand(task, { ...limits, choices, onCompleted });
  const run = await task.progress.during(`${assumption}=${reading}`, running, hasPassed);
  const { met, refused, surprising, isReached: reached } = found;
  const request = run.passed ? null : (surprising ?? refused ?? met ?? null);
  return {
    ...{ ...variation, reached, met: met !== undefined, ...run, request },
    failed_tests: run.failed_tests?.filter((test) => !knownFailures.has(nameOf(test))) ?? null,
    output: run.passed ? null : run.output,
  };
}

/** In the command and in the path of its results, this stands for the number of the run. */
const runNumber = '{run}';

interface RunOptions {
  /** The number of the run: 0 for the first. */
  readonly at: number;
  readonly choices: Choices;
  readonly timeoutMilliseconds: number;
  readonly onCompleted: NonNullable<EngineOptions['onCompleted']>;
}

/** @throws UsageError if the command cannot be started; the reason of the signal */
async function runCommand({ setting, command, env, results, signal: stop }: MatrixTask, run: RunOptions) {
  const numbered = (text: string) => (results?.includes(runNumber) ? text.replaceAll(runNumber, `${run.at}`) : text);
  const readResults = results === undefined ? undefined : watchResults(numbered(results));
  const { remote, close } = await startClientServer(setting, run.choices, run.onCompleted);
  const address = clientAddress(remote, setting.fixtures, run.choices);
  let client: ClientProcess | undefined;
  try {
    stop.throwIfAborted();
    const started = stopwatch();
    client = await ClientProcess.start(command.map(numbered), clientEnvironment(address, env));
    const inTime = await withTimeout(run.timeoutMilliseconds, client.ended, stop);
    const duration_ms = Math.round(stopwatch() - started);
    // Also ends processes that the command left running; then the output is complete.
    await client.end();
    const { exitCode: exit_code, signal } = await client.ended;
    const passed = exit_code === 0 && inTime !== undefined;
    const tests: TestResults = readResults?.() ?? { failed_tests: null, results_problem: null };
    const { output } = client;
    return { passed, exit_code, signal, timed_out: inTime === undefined, duration_ms, ...tests, output };
  } finally {
    await client?.end();
    await close();
  }
}

/** Results in the order of the items. The failure of one item is thrown after the running ones have ended. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  bound: number,
  work: (item: Item, at: number) => Promise<Result>,
) {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item, at);
  };
  const workers = await Promise.allSettled(Array.from({ length: bound }, worker));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
  return results;
}
