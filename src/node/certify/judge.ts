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
  const standings = await Promise.all(scenario.expect.map((expectation) => calls.standing(expectation)));
  const expect = scenario.expect.map(({ match, count }, index) => {
    const { count: came = null, satisfied = false } = standings[index] ?? {};
    return { match, count, came, satisfied };
  });
  const { rules } = await control.report.get();
  const conduct = rules.filter(({ id }) => scenario.conduct.includes(id));
  const broken = conduct.filter(({ outcome }) => outcome === 'fail');
  const named = [...broken.flatMap(({ evidence }) => evidence), ...standings.flatMap(({ requestIds }) => requestIds)];
  const note = trouble ?? (expect.some(({ came }) => came === null) ? lostCalls : await silence(calls));
  const isPassed = note === null && broken.length === 0 && expect.every(({ satisfied }) => satisfied);
  const evidence = await evidenceOf(control, named);
  return { outcome: isPassed ? 'pass' : 'fail', note, expect, conduct, evidence };
}

const lostCalls =
  'the journal no longer has all calls since the scenario was applied: more came than it keeps, or somebody cleared it';

/** Whoever calls nothing breaks no rule, and has shown nothing. */
const silence = async (calls: Calls): Promise<string | null> =>
  (await calls.answered()) === 0 ? 'no call came while the scenario was applied' : null;
