// `x-assumptions`: what a document says of what the contract does not show.
import { type AssumptionId, assumptionIds, assumptions } from '../assumptions.ts';
import type { Terms } from '../terms.ts';

interface ShownAssumption {
  readonly question: string;
  /** The one in force. */
  readonly reading: string;
  readonly default: string;
  /** All there are, each with what it means. */
  readonly readings: Readonly<Record<string, string>>;
}

/** The whole register, by id, with the readings in force. */
export function shownAssumptions({ readings }: Terms): Readonly<Record<AssumptionId, ShownAssumption>> {
  const shown = assumptionIds.map((id): [AssumptionId, ShownAssumption] => {
    const { question, readings: all } = assumptions[id];
    return [id, { question, reading: readings[id], default: all[0][0], readings: Object.fromEntries(all) }];
  });
  return Object.fromEntries(shown) as Record<AssumptionId, ShownAssumption>;
}

/** The readings in force that were asked for, by id. */
export function askedReadings(terms: Terms): Readonly<Record<string, string>> {
  return Object.fromEntries([...terms.asked].map((id) => [id, terms.readings[id]]));
}
