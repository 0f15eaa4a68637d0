// The walk: through the scenarios, one after the other, each from a sandbox that is as new.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { stopwatch } from '../../control/clock.ts';
import type { Caller, ToldScenario } from './caller.ts';
import { Calls } from './calls.ts';
import type { ScenarioResult } from './certification.ts';
import { judge } from './judge.ts';

/** What is told of it on the way. */
export interface Progress {
  readonly opened: () => void;
  readonly begun: (scenario: ToldScenario, number: number) => void;
  /** From now on the calls count. */
  readonly applied: (scenario: ToldScenario) => void;
  readonly judged: (result: ScenarioResult, number: number) => void;
}

export async function walk(
  control: SandboxControl,
  scenarios: readonly ToldScenario[],
  caller: Caller,
  progress: Progress,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  progress.opened();
  for (const [index, scenario] of scenarios.entries()) {
    progress.begun(scenario, index + 1);
    const result = await walked(control, scenario, caller, () => progress.applied(scenario));
    progress.judged(result, index + 1);
    results.push(result);
  }
  return results;
}

async function walked(
  control: SandboxControl,
  scenario: ToldScenario,
  caller: Caller,
  applied: () => void,
): Promise<ScenarioResult> {
  const { name, intent, right_client } = scenario;
  const begun = stopwatch();
  await control.reset();
  let trouble = await caller.before(scenario);
  const calls = await Calls.fromNow(control);
  trouble ??= await refused(control.scenarios.apply(name));
  const isApplied = trouble === undefined;
  if (isApplied) {
    applied();
    trouble = await caller.during(scenario, calls);
  }
  const { outcome, note, ...found } = await judge(control, scenario, calls, trouble);
  if (isApplied) await takenBack(control, name);
  return { name, intent, right_client, outcome, note, duration_ms: Math.round(stopwatch() - begun), ...found };
}

/** A scenario need not fit the fixtures of a server; what it is refused for is the scenario's. */
async function refused(applying: Promise<unknown>): Promise<string | undefined> {
  try {
    await applying;
    return undefined;
  } catch (error) {
    if (error instanceof ControlError && error.status === 422)
      return `the scenario cannot be applied here (leave it out by --only): ${error.message}`;
    throw error;
  }
}

/** Somebody may have reset the sandbox meanwhile. */
async function takenBack({ scenarios }: SandboxControl, name: string): Promise<void> {
  try {
    await scenarios.take_back(name);
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}
