// The walk: through the scenarios, one after the other, each from a sandbox that is as new.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { stopwatch } from '../../system/time.ts';
import { printable } from '../printable.ts';
import { type Calls, callsFromNow } from './calls.ts';
import { awaited, type CertifiedClient, type Scenario } from './client.ts';
import { type EvidenceRow, failureInWords, type ScenarioResult } from './report.ts';

/** What is told of it on the way. */
export interface Progress {
  readonly begun?: (scenario: Scenario, number: number) => void;
  /** From now on the calls count. */
  readonly applied?: (scenario: Scenario) => void;
  readonly judged: (result: ScenarioResult, number: number) => void;
}

/** Where it takes place. */
interface Sandbox {
  readonly control: SandboxControl;
  /** Makes a call that the journal keeps and that changes nothing. */
  readonly mark: () => Promise<void>;
}

export async function walk(
  sandbox: Sandbox,
  scenarios: readonly Scenario[],
  caller: CertifiedClient,
  progress: Progress,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    progress.begun?.(scenario, results.length + 1);
    const result = await walked(sandbox, scenario, caller, progress);
    results.push(result);
    progress.judged(result, results.length);
  }
  return results;
}

async function walked(
  { control, mark }: Sandbox,
  scenario: Scenario,
  caller: CertifiedClient,
  progress: Progress,
): Promise<ScenarioResult> {
  const { name, intent, right_client } = scenario;
  const begun = stopwatch();
  await control.reset();
  let trouble = await caller.before(scenario);
  const calls = await callsFromNow(control, mark);
  const stillHolds = trouble === undefined ? await applied(control, name) : trouble;
  if (typeof stillHolds === 'string') trouble = stillHolds;
  else {
    progress.applied?.(scenario);
    const kept = await caller.during(scenario, calls);
    // Each on lines of its own; the first is what the other may come of.
    trouble = [await stillHolds(), kept].filter((one) => one !== undefined).join('\n') || undefined;
  }
  const { outcome, note, ...found } = await judge(control, scenario, calls, trouble);
  // Somebody may have reset the sandbox meanwhile; then the scenario has failed.
  if (typeof stillHolds !== 'string') await control.scenarios.take_back(name).catch(unlessAnswered(404));
  return { name, intent, right_client, outcome, note, duration_ms: Math.round(stopwatch() - begun), ...found };
}

/** Passes on every error but a refusal with this status. */
const unlessAnswered = (status: number) => (error: unknown) => {
  if (error instanceof ControlError && error.status === status) return error;
  throw error;
};

/**
 * Applies a scenario. Gives what tells whether it is still in force, as somebody may have taken it off or turned what
 * it turned; or why it cannot be applied, as it need not fit the fixtures of a server.
 */
async function applied(control: SandboxControl, name: string): Promise<string | (() => Promise<string | undefined>)> {
  const layer = await control.scenarios.apply(name).catch(unlessAnswered(422));
  if (layer instanceof Error) return `the scenario cannot be applied here (leave it out by --only): ${layer.message}`;
  const overrides = await leversOf(control, name);
  return async () => {
    const { scenarios } = await control.scenarios.list();
    if (scenarios.find((one) => one.name === name)?.applied_at !== layer.applied_at) return takenOff;
    const left = await leversOf(control, name);
    const gone = overrides.filter((override) => !left.includes(override));
    if (gone.length === 0) return undefined;
    return `what the scenario turned was turned off or replaced meanwhile: ${gone.join(', ')}`;
  };
}

const takenOff = 'the scenario was taken off meanwhile: somebody reset the sandbox, or took it back';

/** The switches and faults that it has turned. Those that are used up are there all the same. */
async function leversOf(control: SandboxControl, name: string): Promise<string[]> {
  const isIts = (override: object | null): boolean =>
    override !== null && 'scenario' in override && override.scenario === name;
  const switches = Object.entries(await control.switches.get()).filter(([, override]) => isIts(override));
  const { faults } = await control.faults.list();
  return [...switches.map(([id]) => `switch ${id}`), ...faults.filter(isIts).map(({ id }) => `fault ${id}`)];
}

/**
 * What the calls under a scenario come to: by its expectations and by the rules of conduct that it is about.
 * @param trouble what kept the client from its calls; a scenario with such is failed
 */
async function judge(control: SandboxControl, scenario: Scenario, calls: Calls, trouble: string | undefined) {
  const stood = await Promise.all(
    scenario.expect.map(async ({ match, count }) => ({ match, count, ...(await calls.standing({ match, count })) })),
  );
  const expect = stood.map(({ match, count, came, satisfied }) => ({ match, count, came, satisfied }));
  const { rules } = await control.report.get();
  const conduct = rules.filter(({ id }) => scenario.conduct.includes(id));
  const broken = conduct.filter(({ outcome }) => outcome === 'fail');
  const note = trouble ?? (expect.some(({ came }) => came === null) ? lostCalls : await silence(calls));
  const isPassed = note === null && broken.length === 0 && expect.every(({ satisfied }) => satisfied);
  const ids = [...broken.flatMap((rule) => rule.evidence), ...stood.flatMap(({ requestIds }) => requestIds)];
  const outcome: ScenarioResult['outcome'] = isPassed ? 'pass' : 'fail';
  return { outcome, note, expect, conduct, evidence: await evidenceOf(control, ids) };
}

const lostCalls =
  'the journal no longer has all calls since the scenario was applied: more came than it keeps, or somebody cleared it';

/** Whoever calls nothing breaks no rule, and has shown nothing. */
const silence = async (calls: Calls): Promise<string | null> =>
  (await calls.answered()) === 0 ? 'no call came while the scenario was applied' : null;

const mostRows = 50;

/** The requests with these ids, the first ones where they are too many; in the order of the journal. One that it lost is left out. */
async function evidenceOf({ requests }: SandboxControl, ids: readonly string[]): Promise<EvidenceRow[]> {
  const named = new Set([...new Set(ids)].slice(0, mostRows));
  if (named.size === 0) return [];
  const all = (await requests.list()).requests;
  return all
    .filter(({ id }) => named.has(id))
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

// What is told on the way: on standard error, as the reports go to standard output.

export const tell = (line: string): void => void process.stderr.write(`${printable(line)}\n`);

/** With what more is known of a failure on lines of its own. */
function tellOutcome(begin: string, result: ScenarioResult): void {
  const why = failureInWords(result);
  tell(`${begin}${result.outcome} after ${(result.duration_ms / 1000).toFixed(1)} s${why ? `: ${why}` : ''}`);
  for (const line of result.note?.split('\n').slice(1) ?? []) tell(`    ${line}`);
}

/** A line per scenario, for a client that needs no words. */
export const lineProgress = (scenarios: number): Progress => ({
  judged: (result, number) => tellOutcome(`${number}/${scenarios} ${result.name}: `, result),
});

/** What whoever has the client called must know. */
export const externalProgress = (scenarios: number, timeoutSeconds: number): Progress => ({
  begun: ({ name, intent, right_client }, number) => {
    tell(`${number}/${scenarios} ${name}: ${intent}`);
    tell(`  A right client: ${right_client}`);
  },
  applied: (scenario) => {
    tell(`  Waiting, at most ${timeoutSeconds} s, for:`);
    for (const line of awaited(scenario)) tell(`    ${line}`);
  },
  judged: (result) => tellOutcome('  ', result),
});
