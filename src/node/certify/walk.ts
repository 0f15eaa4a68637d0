// The walk: through the scenarios, one after the other, each from a sandbox that is as new.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { stopwatch } from '../../control/clock.ts';
import type { Caller, ToldScenario } from './caller.ts';
import { Calls } from './calls.ts';
import type { ScenarioResult } from './certification.ts';
import { applied, type InForce } from './in-force.ts';
import { judge } from './judge.ts';

/** What is told of it on the way. */
export interface Progress {
  readonly opened: () => void;
  readonly begun: (scenario: ToldScenario, number: number) => void;
  /** From now on the calls count. */
  readonly applied: (scenario: ToldScenario) => void;
  readonly judged: (result: ScenarioResult, number: number) => void;
}

/** Where it takes place. */
export interface Sandbox {
  readonly control: SandboxControl;
  /** Makes a call that the journal keeps and that changes nothing. */
  readonly mark: () => Promise<void>;
}

export async function walk(
  sandbox: Sandbox,
  scenarios: readonly ToldScenario[],
  caller: Caller,
  progress: Progress,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  progress.opened();
  for (const [index, scenario] of scenarios.entries()) {
    progress.begun(scenario, index + 1);
    const result = await walked(sandbox, scenario, caller, () => progress.applied(scenario));
    progress.judged(result, index + 1);
    results.push(result);
  }
  return results;
}

async function walked(
  { control, mark }: Sandbox,
  scenario: ToldScenario,
  caller: Caller,
  tellApplied: () => void,
): Promise<ScenarioResult> {
  const { name, intent, right_client } = scenario;
  const begun = stopwatch();
  await control.reset();
  let trouble = await caller.before(scenario);
  const calls = await Calls.fromNow(control, mark);
  const inForce = trouble === undefined ? await unlessRefused(applied(control, name)) : trouble;
  if (typeof inForce === 'string') trouble = inForce;
  else {
    tellApplied();
    const kept = await caller.during(scenario, calls);
    trouble = together(await inForce.trouble(), kept);
  }
  const { outcome, note, ...found } = await judge(control, scenario, calls, trouble);
  if (typeof inForce !== 'string') await takenBack(control, name);
  return { name, intent, right_client, outcome, note, duration_ms: Math.round(stopwatch() - begun), ...found };
}

/** Each on lines of its own; the first is what the others may come of. */
const together = (...troubles: readonly (string | undefined)[]): string | undefined =>
  troubles.filter((one) => one !== undefined).join('\n') || undefined;

/** A scenario need not fit the fixtures of a server; what it is refused for is the scenario's. */
async function unlessRefused(applying: Promise<InForce>): Promise<InForce | string> {
  try {
    return await applying;
  } catch (error) {
    if (error instanceof ControlError && error.status === 422)
      return `the scenario cannot be applied here (leave it out by --only): ${error.message}`;
    throw error;
  }
}

/** Somebody may have reset the sandbox meanwhile; then the scenario has failed. */
async function takenBack({ scenarios }: SandboxControl, name: string): Promise<void> {
  try {
    await scenarios.take_back(name);
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 404)) throw error;
  }
}
