// The rules by which this sandbox reads the contract, by their numbers: what each says, and whether the contract says it.
// What the contract leaves open and a setting decides stands in the register of assumptions.
import { explanations } from './explanations.ts';
import { openMatters, type RuleNumber, type SpokenRule, spokenRules } from './rulebook/sentences.ts';

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

/** The groups of rules, by the letters before their numbers, with how many rules each has. */
export const ruleGroups = [
  { letters: 'HTTP', title: 'Requests in general', rules: 4 },
  { letters: 'AUTH', title: 'Authentication', rules: 6 },
  { letters: 'CAT', title: 'Catalog and consumers', rules: 2 },
  { letters: 'ORD', title: 'Orders', rules: 27 },
  { letters: 'FUL', title: 'Fulfillments', rules: 5 },
  { letters: 'LIM', title: 'Limits', rules: 1 },
  { letters: 'OPEN', title: 'What the contract leaves open, and no setting decides', rules: 6 },
] as const;

const spoken: Readonly<Record<string, SpokenRule>> = spokenRules;
const required: Readonly<Record<string, string>> = explanations;
const silent: readonly string[] = openMatters;

function numberedRule(letters: string, number: number): NumberedRule {
  const id = `${letters}-${number}` as RuleNumber;
  const standing: Standing = letters === 'OPEN' || silent.includes(id) ? 'assumed' : 'documented';
  const own = spoken[id];
  return { id, standing, ...(own?.says ? {} : { requires: required[id] ?? '' }), ...own };
}

/** Every numbered rule, in the order of its group. */
export const rulebook: readonly NumberedRule[] = ruleGroups.flatMap(({ letters, rules }) =>
  Array.from({ length: rules }, (_, index) => numberedRule(letters, index + 1)),
);
