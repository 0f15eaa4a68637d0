// Runs a client through the scenarios, one after the other, each from a reset sandbox.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { stopwatch } from '../../system/time.ts';
import { printProgress } from '../client-output.ts';
import { ProgressLine } from '../progress-line.ts';
import { type Calls, callsFromNow } from './calls.ts';
import type { CertifiedClient, Scenario } from './client.ts';
import { type EvidenceRow, failureInWords, type ScenarioResult } from './report.ts';
import { addFulfillments, type Draw, shuffled } from './variation.ts';

/** Runs the scenarios in an order that is drawn. Returns the results in the order of the scenarios. */
export async function runScenarios(
  control: SandboxControl,
  scenarios: readonly Scenario[],
  client: CertifiedClient,
  draw: Draw,
): Promise<ScenarioResult[]> {
  const results = new Map<Scenario, ScenarioResult>();
  const progress = new ProgressLine('scenarios');
  progress.expect(scenarios.length);
  const hasPassed = ({ outcome }: ScenarioResult) => outcome === 'pass';
  try {
    for (const scenario of shuffled(scenarios, draw)) {
      const title = `${results.size + 1}/${scenarios.length} ${scenario.name}`;
      const drawHere: Draw = (purpose) => draw(`${scenario.name}: ${purpose}`);
      const running = runScenario(control, scenario, client, title, drawHere);
      // A client that runs elsewhere reads what to do, which must stay on the terminal.
      const isRewritten = progress.isVisible && !client.isExternal;
      const result = await (isRewritten ? progress.during(scenario.name, running, hasPassed) : running);
      if (!isRewritten) printOutcome(client.isExternal ? '  ' : `${title}: `, result);
      results.set(scenario, result);
    }
  } finally {
    progress.clear();
  }
  return scenarios.flatMap((scenario) => results.get(scenario) ?? []);
}

function printOutcome(begin: string, result: ScenarioResult): void {
  const why = failureInWords(result);
  printProgress(`${begin}${result.outcome} after ${(result.duration_ms / 1000).toFixed(1)} s${why ? `: ${why}` : ''}`);
  for (const line of result.note?.split('\n').slice(1) ?? []) printProgress(`    ${line}`);
}

async function runScenario(
  control: SandboxControl,
  scenario: Scenario,
  client: CertifiedClient,
  title: string,
  draw: Draw,
) {
  const { name, intent, right_client } = scenario;
  const started = stopwatch();
  await control.reset();
  await addFulfillments(control, draw);
  const unready = await client.before(scenario, title);
  const calls = await callsFromNow(control);
  const failure = unready ?? (await runWhileApplied(control, scenario, client, calls));
  const { outcome, note, ...found } = await judge(control, scenario, calls, failure);
  return { name, intent, right_client, outcome, note, duration_ms: Math.round(stopwatch() - started), ...found };
}

/**
 * Applies the scenario while the client calls. Returns the failure: the scenario does not fit the
 * fixtures of the server, someone removed it or changed its switches and faults, or the client failed.
 */
async function runWhileApplied(control: SandboxControl, scenario: Scenario, client: CertifiedClient, calls: Calls) {
  const { name, advance } = scenario;
  const layer = await control.scenarios.apply(name).catch((error: unknown) => {
    if (error instanceof ControlError && error.status === 422) return error;
    throw error;
  });
  if (layer instanceof ControlError)
    return `the scenario cannot be applied here (use --only to leave it out): ${layer.message}`;
  const overrides = await overridesOf(control, name);
  await calls.rememberFulfillments();
  let clientFailure = await client.during(advance === undefined ? scenario : { ...scenario, outcomes: [] }, calls);
  if (advance !== undefined && clientFailure === undefined) {
    await control.clock.advance({ by: advance });
    if (client.isExternal) printProgress(`  The sandbox's clock has advanced by ${advance}.`);
    clientFailure = await client.during(scenario, calls);
  }
  const { scenarios } = await control.scenarios.list();
  const left = await overridesOf(control, name);
  const missing = overrides.filter((override) => !left.includes(override));
  // The cause first: the client may have failed because the scenario was removed.
  const failures = clientFailure === undefined ? [] : [clientFailure];
  if (scenarios.find((one) => one.name === name)?.applied_at !== layer.applied_at)
    failures.unshift('the scenario was removed during the run: someone reset the sandbox, or removed the scenario');
  else if (missing.length > 0)
    failures.unshift(`overrides of the scenario were turned off or replaced during the run: ${missing.join(', ')}`);
  return failures.join('\n') || undefined;
}

/** The switches and faults of a scenario, also the exhausted ones. */
async function overridesOf(control: SandboxControl, name: string): Promise<string[]> {
  const isIts = (override: object | null): boolean =>
    override !== null && 'scenario' in override && override.scenario === name;
  const switches = Object.entries(await control.switches.get()).filter(([, override]) => isIts(override));
  const { faults } = await control.faults.list();
  return [...switches.map(([id]) => `switch ${id}`), ...faults.filter(isIts).map(({ id }) => `fault ${id}`)];
}

/** Judges the calls. `failure` is why the client could not call; it fails the scenario. */
async function judge(control: SandboxControl, scenario: Scenario, calls: Calls, failure: string | undefined) {
  const { expect, outcomes, isEvicted, areSatisfied, callIds, requestIds } = await calls.check(scenario);
  const { rules } = await control.report.get();
  const conduct = rules.filter(({ id }) => scenario.conduct.includes(id));
  const broken = conduct.filter(({ outcome }) => outcome !== 'pass');
  const note = failure ?? (isEvicted ? callsEvicted : await noCalls(calls));
  const isPassed = note === null && broken.length === 0 && areSatisfied;
  const ids = [...broken.flatMap(({ evidence }) => evidence), ...requestIds];
  const outcome: ScenarioResult['outcome'] = isPassed ? 'pass' : 'fail';
  return { outcome, note, expect, outcomes, conduct, evidence: await evidenceOf(control, ids, { callIds, isPassed }) };
}

const callsEvicted =
  'the journal no longer has all calls since the scenario was applied: more came than it keeps, or someone cleared it';

/** A client that does not call breaks no rule, but proves nothing. */
const noCalls = async (calls: Calls): Promise<string | null> =>
  (await calls.count()).answered === 0 ? 'no call came while the scenario was applied' : null;

const maxEvidence = 50;

/**
 * The first of the requests with these ids that the journal still has, in its order. Calls of paths that do not exist
 * come with them: a mistyped path explains why an expected request is missing. If a scenario has failed without any, all
 * of its calls.
 */
async function evidenceOf(
  { requests }: SandboxControl,
  ids: readonly string[],
  { callIds, isPassed }: { readonly callIds: readonly string[]; readonly isPassed: boolean },
): Promise<EvidenceRow[]> {
  const wanted = new Set([...new Set(ids)].slice(0, maxEvidence));
  const inScenario = new Set(callIds);
  const all = (await requests.list()).requests;
  const found = all.filter(({ id, rules }) => wanted.has(id) || (inScenario.has(id) && rules.includes('HTTP-1')));
  const shown = isPassed || found.length > 0 ? found : all.filter(({ id }) => inScenario.has(id));
  return shown.slice(0, maxEvidence).map(({ id, received_at, method, path, status, rules, decision }) => {
    return { id, received_at, method, path, status, rules, sentence: decision?.sentence ?? null };
  });
}
