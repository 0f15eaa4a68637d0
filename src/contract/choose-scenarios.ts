// Scenarios picked by name, as options name them.
import type { Scenario } from './scenarios.ts';

/**
 * A scenario that there is none of. The message names what there is.
 * @example createSachet({ scenario: 'no-pga' }); // UnknownScenarioError: unknown scenario "no-pga"; there are: …
 */
export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
}

/** @throws UnknownScenarioError for a name that none of them has. */
export function chooseScenarios(all: readonly Scenario[] = [], names: readonly string[] = []): Scenario[] {
  return [...new Set(names)].map((name) => {
    const found = all.find((scenario) => scenario.name === name);
    if (found) return found;
    const others = all.map((scenario) => scenario.name).join(', ') || 'none';
    throw new UnknownScenarioError(`unknown scenario "${name}"; there are: ${others}`);
  });
}
