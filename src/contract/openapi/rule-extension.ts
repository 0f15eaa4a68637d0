// `x-rules`: the rules of the contract by their ids, which the examples of errors are named by.
import { assumptions } from '../assumptions.ts';
import { explanations } from '../explanations.ts';
import { rulebook } from '../rulebook.ts';

interface ShownRule {
  /** Whether the contract's document says it, or is silent, and this is the sandbox's answer. */
  readonly standing: 'documented' | 'assumed';
  readonly says: string;
}

const required = (what = ''): string => `Required: ${what}.`;

const numbered: Readonly<Record<string, ShownRule>> = Object.fromEntries(
  rulebook.map(({ id, standing, says, requires }) => [id, { standing, says: says ?? required(requires) }]),
);

/** Refusals without a number, and that no assumption of their name speaks of. */
const unnumbered: Readonly<Record<string, ShownRule>> = Object.fromEntries(
  Object.entries(explanations)
    .filter(([id]) => !(id in numbered || id in assumptions))
    .map(([id, requires]) => [id, { standing: 'assumed', says: required(requires) }]),
);

export const shownRules = { ...numbered, ...unnumbered };
