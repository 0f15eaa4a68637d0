// What a Sachet is made with: its fixtures and scenarios, the shipped ones where one's own do not stand in their place.
import { sandboxName } from './contract/addresses.ts';
import { quoted, ScenariosError } from './contract/file-faults.ts';
import { readFixtures } from './contract/files.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { readScenarios, type Scenario } from './contract/scenarios.ts';
import { requireFit } from './control/scenarios.ts';
import { given } from './given.ts';
import { shippedFixtures, shippedScenarios } from './shipped.ts';

/**
 * The shipped fixtures with these collections in place of theirs.
 * @throws FixturesError for collections that are not sound, or do not agree with the others.
 */
export function effectiveFixtures(own?: Partial<Fixtures>): Fixtures {
  if (!own) return shippedFixtures();
  return readFixtures([{ name: 'fixtures', content: { ...shippedFixtures(), ...given(own) } }]);
}

/**
 * Scenarios as a program gives them, checked as files are.
 * @throws ScenariosError
 */
export function checkedScenarios(scenarios: readonly Scenario[]): Scenario[] {
  const faults = scenarios.map(nameOf).flatMap((name, index) =>
    typeof name === 'string' && sandboxName.test(name)
      ? []
      : [
          {
            file: 'scenarios',
            path: `$[${index}].name`,
            found: quoted(name),
            expected: 'a name such as token-expiry',
          },
        ],
  );
  if (faults.length > 0) throw new ScenariosError(faults);
  return readScenarios(scenarios.map(({ name, ...content }) => ({ name: `${name}.json`, content })));
}

/** Whatever was given: programs without types give anything. */
const nameOf = (scenario: Partial<Scenario> | null): unknown => scenario?.name;

/**
 * The shipped scenarios and one's own, by name; one of the same name replaces the shipped one. One's own must fit the fixtures. A
 * shipped one need not, since the fixtures may be one's own, too: it is refused where it is applied.
 * @throws ScenariosError
 */
export function effectiveScenarios(
  own: readonly Scenario[],
  fixtures: Fixtures | undefined,
  fileOf?: (name: string) => string,
): Scenario[] {
  if (fixtures) requireFit(own, fixtures, fileOf);
  const byName = new Map([...shippedScenarios(), ...own].map((scenario) => [scenario.name, scenario]));
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
