// What a Sachet is made with: its fixtures and scenarios, the shipped ones where one's own do not stand in their place.
import { chooseScenarios } from './contract/choose-scenarios.ts';
import { type FileFault, ScenariosError } from './contract/file-faults.ts';
import { readFixtures } from './contract/files.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { readScenarios, type Scenario } from './contract/scenarios.ts';
import { scenarioFaults } from './control/scenario-fit.ts';
import { shippedFixtures, shippedScenarios } from './shipped.ts';

/**
 * The shipped fixtures with these collections in place of theirs.
 * @throws FixturesError for collections that are not sound, or do not agree with the others.
 */
export function offeredFixtures(own?: Partial<Fixtures>): Fixtures {
  if (!own) return shippedFixtures();
  return readFixtures([{ name: 'fixtures', content: { ...shippedFixtures(), ...own } }]);
}

/**
 * Scenarios as a program gives them, checked as files are.
 * @throws ScenariosError
 */
export const givenScenarios = (scenarios: readonly Scenario[]): Scenario[] =>
  readScenarios(scenarios.map(({ name, ...content }) => ({ name: `${name}.json`, content })));

/** Why scenarios do not fit the fixtures; `fileOf` is what to call the file of one. */
export const unfit = (
  scenarios: readonly Scenario[],
  fixtures: Fixtures,
  fileOf = (name: string) => `${name}.json`,
): FileFault[] => scenarios.flatMap((scenario) => scenarioFaults(scenario, fixtures, fileOf(scenario.name)));

/**
 * The shipped scenarios and one's own, by name; one of the same name replaces the shipped one. One's own must fit the fixtures. A
 * shipped one need not, since the fixtures may be one's own, too: it is refused where it is applied.
 * @throws ScenariosError
 */
export function offeredScenarios(
  own: readonly Scenario[],
  fixtures: Fixtures | undefined,
  fileOf?: (name: string) => string,
): Scenario[] {
  if (fixtures) requireFit(own, fixtures, fileOf);
  const byName = new Map([...shippedScenarios(), ...own].map((scenario) => [scenario.name, scenario]));
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @throws UnknownScenarioError for a scenario that there is none of, ScenariosError for those that do not fit the fixtures. */
export const requireUsable = (names: readonly string[], scenarios: readonly Scenario[], fixtures: Fixtures): void =>
  requireFit(chooseScenarios(scenarios, names), fixtures);

function requireFit(scenarios: readonly Scenario[], fixtures: Fixtures, fileOf?: (name: string) => string): void {
  const faults = unfit(scenarios, fixtures, fileOf);
  if (faults.length > 0) throw new ScenariosError(faults);
}
