// One run of the command against a fresh server.
import type { Readings } from '../../contract/assumptions.ts';
import { stopwatch } from '../../control/clock.ts';
import type { EngineOptions } from '../../engine-options.ts';
import { clientEnvironment, type GivenVariable } from '../client-environment.ts';
import { ClientProcess } from '../client-process.ts';
import { openWorld } from '../own-world.ts';
import type { World } from '../world-flags.ts';

/** What is the same in every run. */
export interface Client {
  readonly world: World;
  readonly command: readonly string[];
  readonly variables: readonly GivenVariable[];
}

/** What is a run's own. */
interface Run {
  readonly readings: Readings;
  readonly timeoutMilliseconds: number;
  readonly onCompleted: NonNullable<EngineOptions['onCompleted']>;
}

export interface RunEnd {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It took longer than it may and was ended. */
  readonly timedOut: boolean;
  readonly timeoutMilliseconds: number;
  readonly durationMilliseconds: number;
  readonly output: string;
}

/** @throws UsageError where the command cannot be started. */
export async function runCommand({ world, command, variables }: Client, run: Run): Promise<RunEnd> {
  const { place, close } = await openWorld(world, run);
  try {
    return await ran(command, clientEnvironment(place, variables), run.timeoutMilliseconds);
  } finally {
    await close();
  }
}

/** A timer of Node runs at once where it shall run later than that. */
const longestMilliseconds = 2 ** 31 - 1;

async function ran(command: readonly string[], env: NodeJS.ProcessEnv, timeoutMilliseconds: number): Promise<RunEnd> {
  const started = stopwatch();
  const client = await ClientProcess.start(command, env);
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      void client.end();
    },
    Math.min(timeoutMilliseconds, longestMilliseconds),
  );
  const { exitCode, signal } = await client.ended;
  clearTimeout(timer);
  const durationMilliseconds = Math.round(stopwatch() - started);
  // What it has left behind goes, too, and then all that it printed is there.
  await client.end();
  const passed = exitCode === 0 && !timedOut;
  return { passed, exitCode, signal, timedOut, timeoutMilliseconds, durationMilliseconds, output: client.output };
}
