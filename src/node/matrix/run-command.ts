// One run of the command against a fresh server.
import type { Readings } from '../../contract/assumptions.ts';
import { stopwatch } from '../../control/clock.ts';
import type { EngineOptions } from '../../engine-options.ts';
import { clientEnvironment, type GivenVariable } from '../client-environment.ts';
import { ClientProcess, within } from '../client-process.ts';
import { startClientServer } from '../client-server.ts';
import { unlessAborted } from '../interruptible.ts';
import type { Setting } from '../serve-flags.ts';

/** What is the same in every run. */
export interface ClientCommand {
  readonly setting: Setting;
  readonly command: readonly string[];
  readonly env: readonly GivenVariable[];
  /** Aborted where Sachet shall end: then nothing is to be concluded from how the command ends. */
  readonly signal: AbortSignal;
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

/** @throws UsageError where the command cannot be started; the reason of the signal. */
export async function runCommand(client: ClientCommand, run: Run): Promise<RunEnd> {
  const { place, close } = await startClientServer(client.setting, run);
  try {
    client.signal.throwIfAborted();
    return await ran(client, clientEnvironment(place, client.env), run.timeoutMilliseconds);
  } finally {
    await close();
  }
}

async function ran(
  { command, signal: stop }: ClientCommand,
  env: NodeJS.ProcessEnv,
  timeoutMilliseconds: number,
): Promise<RunEnd> {
  const started = stopwatch();
  const client = await ClientProcess.start(command, env);
  try {
    const inTime = await unlessAborted(stop, within(timeoutMilliseconds, client.ended));
    const durationMilliseconds = Math.round(stopwatch() - started);
    // What it has left behind goes, too, and then all that it printed is there.
    await client.end();
    const { exitCode, signal } = await client.ended;
    const timedOut = inTime === undefined;
    const passed = exitCode === 0 && !timedOut;
    return { passed, exitCode, signal, timedOut, timeoutMilliseconds, durationMilliseconds, output: client.output };
  } finally {
    await client.end();
  }
}
