// `x-rules`: the rules of the contract by their ids, which the examples of errors are named by.
import { rulebook } from '../rulebook.ts';

interface ShownRule {
  /** Whether the contract's document says it, or is silent, and this is the sandbox's answer. */
  readonly standing: 'documented' | 'assumed';
  readonly says: string;
}

export const shownRules: Readonly<Record<string, ShownRule>> = Object.fromEntries(
  rulebook.map(({ id, standing, says, requires }) => [id, { standing, says: says ?? `Required: ${requires}.` }]),
);
