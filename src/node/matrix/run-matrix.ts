// The assumption matrix: the command as it is, then once per other reading.
import { stopwatch } from '../../control/clock.ts';
import { inParallel } from './in-parallel.ts';
import type { ProgressLine } from './progress.ts';
import { FirstRunError, type MatrixReport, notRun, type Result, resultOf } from './results.ts';
import { type ClientCommand, type RunEnd, runCommand } from './run-command.ts';
import { type Turn, turnedFrom } from './turns.ts';
import { FirstRun, TurnedRun } from './watched-runs.ts';

export interface MatrixTask extends ClientCommand {
  /** What is turned, one at a time. */
  readonly turns: readonly Turn[];
  /** Whether readings are tried that the first run never asked for. */
  readonly all: boolean;
  /** Runs at a time. */
  readonly parallel: number;
  /** How long a run may take. Default: ten times as long as the first one, at least 20 seconds. */
  readonly timeoutSeconds?: number | undefined;
  readonly progress: ProgressLine;
  /** Told when the first run has sent no request: then nothing can be learnt. */
  readonly onSilence: () => void;
}

const firstRunSeconds = 600;
const leastSeconds = 20;
const timesTheFirst = 10;

/** @throws FirstRunError where the command fails as it is; UsageError where it cannot be started; the reason of the signal. */
export async function runMatrix(task: MatrixTask): Promise<MatrixReport> {
  const started = stopwatch();
  const { setting, command, turns, all, progress, parallel } = task;
  const first = new FirstRun(setting.readings);
  const firstEnd = await firstRun(task, first);
  if (first.requests === 0) task.onSilence();
  const { asked } = first;
  const isTried = ({ assumption }: Turn) => all || asked.has(assumption);
  progress.expect(turns.filter(isTried).length);
  const timeoutMilliseconds = timeoutFor(task.timeoutSeconds, firstEnd.durationMilliseconds);
  const results = await inParallel(turns, parallel, async (turn) =>
    isTried(turn) ? turnedRun(task, first, turn, timeoutMilliseconds) : notRun(turn),
  );
  return {
    command,
    base: setting.readings,
    durationMilliseconds: Math.round(stopwatch() - started),
    parallel: Math.min(parallel, turns.filter(isTried).length),
    firstRun: { durationMilliseconds: firstEnd.durationMilliseconds, requests: first.requests },
    results,
  };
}

async function firstRun({ progress, timeoutSeconds, ...client }: MatrixTask, first: FirstRun): Promise<RunEnd> {
  progress.expect(1);
  progress.begin(firstRunName);
  const end = await runCommand(client, {
    readings: first.base,
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

async function turnedRun(
  { progress, ...client }: MatrixTask,
  first: FirstRun,
  turn: Turn,
  timeoutMilliseconds: number,
): Promise<Result> {
  const name = `${turn.assumption}=${turn.reading}`;
  const watched = new TurnedRun(first, turn);
  progress.begin(name);
  const end = await runCommand(client, {
    readings: turnedFrom(first.base, turn),
    timeoutMilliseconds,
    onCompleted: (entry, sandbox) => watched.see(entry, sandbox),
  });
  progress.end(name, end.passed);
  const { isReached, isMet: met, request } = watched;
  return resultOf(turn, end, { reached: first.asked.has(turn.assumption) || isReached, met, request });
}
