// Whether a scenario's data fits fixtures: judged as it is when the scenario is applied to a sandbox that was born from them.
import { type FileFault, ScenariosError } from '../contract/file-faults.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { chooseReadings } from '../contract/readings.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { birthOf, newRoot } from '../state/birth.ts';
import { Draft } from '../state/draft.ts';
import { noFreeze } from '../state/freeze.ts';
import { realClock } from './clock.ts';
import { recordFaults } from './put-records.ts';

const nobody = {
  name: 'fit',
  environment: 'fit',
  seed: '',
  signingKey: '',
  madeByLogin: false,
  ownKeyHash: null,
  ttlSeconds: null,
};

/**
 * Every fault of a scenario's data in these fixtures.
 * @param file what to call the scenario's file in a fault.
 */
export function scenarioFaults(
  { name, data = {} }: Pick<Scenario, 'data' | 'name'>,
  fixtures: Fixtures,
  file = `${name}.json`,
): FileFault[] {
  const root = newRoot(birthOf(fixtures, noFreeze), { identity: nobody, clock: realClock, readings: chooseReadings() });
  return recordFaults(new Draft(root, noFreeze), data, 0).map((fault) => ({ ...fault, file }));
}

/** The file of a scenario, by its name: what a fault calls it. */
type FileOf = (name: string) => string;

/** Every fault of scenarios in these fixtures. */
export const misfits = (scenarios: readonly Scenario[], fixtures: Fixtures, fileOf?: FileOf): FileFault[] =>
  scenarios.flatMap((scenario) => scenarioFaults(scenario, fixtures, fileOf?.(scenario.name)));

/** @throws ScenariosError for scenarios that do not fit the fixtures. */
export function requireFit(scenarios: readonly Scenario[], fixtures: Fixtures, fileOf?: FileOf): void {
  const faults = misfits(scenarios, fixtures, fileOf);
  if (faults.length > 0) throw new ScenariosError(faults);
}
