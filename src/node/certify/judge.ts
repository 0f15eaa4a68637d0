// What the calls under a scenario come to: by its expectations and by the rules of conduct that it is about.
import type { SandboxControl } from '../../client/sandbox-control.ts';
import type { ToldScenario } from './caller.ts';
import type { Calls } from './calls.ts';
import type { ScenarioResult } from './certification.ts';
import { evidenceOf } from './evidence.ts';

type Judgement = Pick<ScenarioResult, 'outcome' | 'note' | 'expect' | 'conduct' | 'evidence'>;

/** @param trouble what kept the client from its calls; a scenario with such is failed */
export async function judge(
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
