// The rules by which this sandbox reads the contract, by their numbers: what each says, and whether the contract says it.
// What the contract leaves open and a setting decides stands in the register of assumptions.

import { openMatters, type RuleNumber, type SpokenRule, spokenRules } from './rulebook/sentences.ts';
import { explanations } from './rules.ts';

export { notSettings } from './rulebook/sentences.ts';

/** `documented`: the contract's document says it. `assumed`: the document is silent, and this is our answer. */
type Standing = 'documented' | 'assumed';

export interface NumberedRule {
  readonly id: RuleNumber;
  readonly standing: Standing;
  /** What it says. Undefined where it says no more than what a request must hold: see `requires`. */
  readonly says?: string;
  /** What a request must hold, or else is refused by this rule; read after "required:". */
  readonly requires?: string;
  /** What of a documented rule the document leaves open: our answer to it. */
  readonly ours?: string;
}

/** The groups of rules, by the letters before their numbers. */
export const ruleGroups = [
  { letters: 'HTTP', title: 'Requests in general' },
  { letters: 'AUTH', title: 'Authentication' },
  { letters: 'CAT', title: 'Catalog and consumers' },
  { letters: 'ORD', title: 'Orders' },
  { letters: 'FUL', title: 'Fulfillments' },
  { letters: 'LIM', title: 'Limits' },
  { letters: 'OPEN', title: 'What the contract leaves open, and no setting decides' },
] as const;

const spoken: Readonly<Record<string, SpokenRule>> = spokenRules;
const required: Readonly<Record<string, string>> = explanations;
const silent: readonly string[] = openMatters;

const ids = [...new Set([...Object.keys(spokenRules), ...Object.keys(explanations)])] as RuleNumber[];

/** The numbers of a group, in their order. */
const numbersOf = (letters: string): RuleNumber[] =>
  ids
    .filter((id) => id.startsWith(`${letters}-`))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

function numberedRule(id: RuleNumber): NumberedRule {
  const standing: Standing = id.startsWith('OPEN-') || silent.includes(id) ? 'assumed' : 'documented';
  const own = spoken[id];
  return { id, standing, ...(own?.says ? {} : { requires: required[id] ?? '' }), ...own };
}

/** Every numbered rule, in the order of its group. */
export const rulebook: readonly NumberedRule[] = ruleGroups.flatMap(({ letters }) =>
  numbersOf(letters).map(numberedRule),
);
