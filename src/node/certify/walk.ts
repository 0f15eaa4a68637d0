// The walk: through the scenarios, one after the other, each from a sandbox that is as new.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { stopwatch } from '../../control/clock.ts';
import { visible } from '../visible.ts';
import { Calls } from './calls.ts';
import { awaited, type Caller, type ToldScenario } from './client.ts';
import { type EvidenceRow, failureInWords, type ScenarioResult } from './report.ts';

/** What is told of it on the way. */
export interface Progress {
  readonly opened: () => void;
  readonly begun: (scenario: ToldScenario, number: number) => void;
  /** From now on the calls count. */
  readonly applied: (scenario: ToldScenario) => void;
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

/** An applied scenario. */
interface InForce {
  /** What keeps it from being judged; undefined where it is in force as it was. */
  readonly trouble: () => Promise<string | undefined>;
}

/** Whether a scenario is in force as it was applied: somebody may have taken it off, or turned what it turned. */
async function applied(control: SandboxControl, name: string): Promise<InForce> {
  const { applied_at } = await control.scenarios.apply(name);
  const levers = await leversOf(control, name);
  return {
    trouble: async () => {
      const { scenarios } = await control.scenarios.list();
      if (scenarios.find((one) => one.name === name)?.applied_at !== applied_at) return takenOff;
      const left = await leversOf(control, name);
      const gone = levers.filter((lever) => !left.includes(lever));
      return gone.length === 0 ? undefined : turnedOff(gone);
    },
  };
}

const takenOff = 'the scenario was taken off meanwhile: somebody reset the sandbox, or took it back';

const turnedOff = (gone: readonly string[]): string =>
  `what the scenario turned was turned off or replaced meanwhile: ${gone.join(', ')}`;

/** The switches and faults that it has turned. Those that are used up are there all the same. */
async function leversOf(control: SandboxControl, name: string): Promise<string[]> {
  const isIts = (lever: object | null): boolean => lever !== null && 'scenario' in lever && lever.scenario === name;
  const switches = Object.entries(await control.switches.get()).filter(([, lever]) => isIts(lever));
  const { faults } = await control.faults.list();
  return [...switches.map(([id]) => `switch ${id}`), ...faults.filter(isIts).map(({ id }) => `fault ${id}`)];
}

type Judgement = Pick<ScenarioResult, 'outcome' | 'note' | 'expect' | 'conduct' | 'evidence'>;

/**
 * What the calls under a scenario come to: by its expectations and by the rules of conduct that it is about.
 * @param trouble what kept the client from its calls; a scenario with such is failed
 */
async function judge(
  control: SandboxControl,
  scenario: ToldScenario,
  calls: Calls,
  trouble: string | undefined,
): Promise<Judgement> {
  const { expect, expectedIds } = await expectations(scenario, calls);
  const { rules } = await control.report.get();
  const conduct = rules.filter(({ id }) => scenario.conduct.includes(id));
  const broken = conduct.filter(({ outcome }) => outcome === 'fail');
  const note = trouble ?? (expect.some(({ came }) => came === null) ? lostCalls : await silence(calls));
  const isPassed = note === null && broken.length === 0 && expect.every(({ satisfied }) => satisfied);
  const evidence = await evidenceOf(control, [...broken.flatMap((rule) => rule.evidence), ...expectedIds]);
  return { outcome: isPassed ? 'pass' : 'fail', note, expect, conduct, evidence };
}

async function expectations({ expect }: ToldScenario, calls: Calls) {
  const stood = await Promise.all(
    expect.map(async (expectation) => ({ ...expectation, ...(await calls.standing(expectation)) })),
  );
  return {
    expect: stood.map(({ match, count, came, satisfied }) => ({ match, count, came, satisfied })),
    expectedIds: stood.flatMap(({ requestIds }) => requestIds),
  };
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

const tell = (line: string): void => void process.stderr.write(`${visible(line)}\n`);

/** What is in the sandbox of a server that runs already. */
export const tellKept = (snapshot: string): void =>
  tell(`What is in the sandbox is kept as its snapshot "${snapshot}", and brought back in the end.`);

/** Sachet shall end before the walk has. */
export const tellEnding = (snapshot: string | undefined): void =>
  tell(snapshot === undefined ? 'Ending.' : 'Ending; bringing the sandbox back.');

/** It ends at once. */
export const tellLeft = (snapshot: string | undefined): void => {
  if (snapshot !== undefined)
    tell(`The sandbox was not brought back; what was in it is its snapshot "${snapshot}", if that is still there.`);
};

/** With what more is known of a failure on lines of its own. */
function tellOutcome(begin: string, result: ScenarioResult): void {
  const why = failureInWords(result);
  tell(`${begin}${result.outcome} after ${(result.duration_ms / 1000).toFixed(1)} s${why ? `: ${why}` : ''}`);
  for (const line of result.note?.split('\n').slice(1) ?? []) tell(`    ${line}`);
}

/** A line per scenario, for a client that needs no words. */
export const progressByLines = (scenarios: number): Progress => ({
  opened: () => undefined,
  begun: () => undefined,
  applied: () => undefined,
  judged: (result, number) => tellOutcome(`${number}/${scenarios} ${result.name}: `, result),
});

/** What whoever has the client called must know. */
export const progressElsewhere = (scenarios: number, baseUrl: string, timeoutSeconds: number): Progress => ({
  opened: () => tell(`Certifying the client that calls ${baseUrl}.`),
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
