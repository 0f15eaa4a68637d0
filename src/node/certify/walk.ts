// Walks a client through the scenarios, one after the other, each from a reset sandbox.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { stopwatch } from '../../system/time.ts';
import { printProgress } from '../client-output.ts';
import { type Calls, callsFromNow } from './calls.ts';
import type { CertifiedClient, Scenario } from './client.ts';
import { type EvidenceRow, failureInWords, type ScenarioResult } from './report.ts';

export async function walk(
  control: SandboxControl,
  scenarios: readonly Scenario[],
  client: CertifiedClient,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const title = `${index + 1}/${scenarios.length} ${scenario.name}`;
    const result = await walkScenario(control, scenario, client, title);
    printOutcome(client.isExternal ? '  ' : `${title}: `, result);
    results.push(result);
  }
  return results;
}

function printOutcome(begin: string, result: ScenarioResult): void {
  const why = failureInWords(result);
  printProgress(`${begin}${result.outcome} after ${(result.duration_ms / 1000).toFixed(1)} s${why ? `: ${why}` : ''}`);
  for (const line of result.note?.split('\n').slice(1) ?? []) printProgress(`    ${line}`);
}

async function walkScenario(
  control: SandboxControl,
  scenario: Scenario,
  client: CertifiedClient,
  title: string,
): Promise<ScenarioResult> {
  const { name, intent, right_client } = scenario;
  const started = stopwatch();
  await control.reset();
  let failure = await client.before(scenario, title);
  const calls = await callsFromNow(control);
  const applied = failure === undefined ? await applyScenario(control, name) : { failure };
  if ('failure' in applied) failure = applied.failure;
  else {
    const clientFailure = await client.during(scenario, calls);
    // The cause first: a scenario that was taken off may be why the client failed.
    const failures = [await applied.findTampering(), clientFailure].filter((one) => one !== undefined);
    failure = failures.join('\n') || undefined;
  }
  const { outcome, note, ...found } = await judge(control, scenario, calls, failure);
  return { name, intent, right_client, outcome, note, duration_ms: Math.round(stopwatch() - started), ...found };
}

/**
 * Applies a scenario. Returns why that failed (it may not fit the fixtures of the server), or a function that finds out
 * whether somebody has taken it off, or changed its switches and faults.
 */
async function applyScenario(control: SandboxControl, name: string) {
  const layer = await control.scenarios.apply(name).catch((error: unknown) => {
    if (error instanceof ControlError && error.status === 422) return error;
    throw error;
  });
  if (layer instanceof ControlError)
    return { failure: `the scenario cannot be applied here (leave it out by --only): ${layer.message}` };
  const overrides = await overridesOf(control, name);
  const findTampering = async (): Promise<string | undefined> => {
    const { scenarios } = await control.scenarios.list();
    if (scenarios.find((one) => one.name === name)?.applied_at !== layer.applied_at)
      return 'the scenario was taken off meanwhile: somebody reset the sandbox, or took it back';
    const left = await overridesOf(control, name);
    const missing = overrides.filter((override) => !left.includes(override));
    if (missing.length === 0) return undefined;
    return `what the scenario turned was turned off or replaced meanwhile: ${missing.join(', ')}`;
  };
  return { findTampering };
}

/** The switches and faults of a scenario, used up ones included. */
async function overridesOf(control: SandboxControl, name: string): Promise<string[]> {
  const isIts = (override: object | null): boolean =>
    override !== null && 'scenario' in override && override.scenario === name;
  const switches = Object.entries(await control.switches.get()).filter(([, override]) => isIts(override));
  const { faults } = await control.faults.list();
  return [...switches.map(([id]) => `switch ${id}`), ...faults.filter(isIts).map(({ id }) => `fault ${id}`)];
}

/**
 * Judges the calls by the scenario's expectations and rules of conduct.
 * @param failure what kept the client from its calls; it fails the scenario
 */
async function judge(control: SandboxControl, scenario: Scenario, calls: Calls, failure: string | undefined) {
  const checks = await Promise.all(
    scenario.expect.map(async ({ match, count }) => ({ match, count, ...(await calls.check({ match, count })) })),
  );
  const expect = checks.map(({ match, count, came, satisfied }) => ({ match, count, came, satisfied }));
  const { rules } = await control.report.get();
  const conduct = rules.filter(({ id }) => scenario.conduct.includes(id));
  const broken = conduct.filter(({ outcome }) => outcome === 'fail');
  const note = failure ?? (expect.some(({ came }) => came === null) ? callsEvicted : await noCalls(calls));
  const isPassed = note === null && broken.length === 0 && expect.every(({ satisfied }) => satisfied);
  const ids = [...broken.flatMap(({ evidence }) => evidence), ...checks.flatMap(({ requestIds }) => requestIds)];
  const outcome: ScenarioResult['outcome'] = isPassed ? 'pass' : 'fail';
  return { outcome, note, expect, conduct, evidence: await evidenceOf(control, ids) };
}

const callsEvicted =
  'the journal no longer has all calls since the scenario was applied: more came than it keeps, or somebody cleared it';

/** A client that does not call breaks no rule, but proves nothing. */
const noCalls = async (calls: Calls): Promise<string | null> =>
  (await calls.count()).answered === 0 ? 'no call came while the scenario was applied' : null;

const maxEvidence = 50;

/** The first of the requests with these ids that the journal still has, in its order. */
async function evidenceOf({ requests }: SandboxControl, ids: readonly string[]): Promise<EvidenceRow[]> {
  const wanted = new Set([...new Set(ids)].slice(0, maxEvidence));
  if (wanted.size === 0) return [];
  return (await requests.list()).requests
    .filter(({ id }) => wanted.has(id))
    .map(({ id, received_at, method, path, status, rules, decision }) => ({
      id,
      received_at,
      method,
      path,
      status,
      rules,
      sentence: decision?.sentence ?? null,
    }));
}
