// A refusal: a rule of the contract that a request broke. Thrown by rule id; status and words stand in rules.ts alone.
import type { Facts, RuleId } from './rules.ts';

export type FieldPath = readonly (string | number)[];

/** One fault: the rule, the field it is about (none for a refusal without details) and what its words name. */
export interface Fault {
  readonly rule: RuleId;
  readonly path?: FieldPath;
  readonly facts: Facts;
  /** Words of the fault's kind, for a rule that has none of its own. */
  readonly words?: string;
}

/**
 * Thrown by the stages and the domain, rendered at the edge. The first fault's rule decides the status, or `judgedAs`.
 * @example throw new Refusal('ORD-11', { path: ['consumer', 'id'] })
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly faults: readonly [Fault, ...Fault[]];
  /** The rule whose status the answer has. */
  readonly judgedAs: RuleId;

  constructor(
    rule: RuleId | readonly [Fault, ...Fault[]],
    about: Facts & { readonly path?: FieldPath; readonly judgedAs?: RuleId | undefined } = {},
  ) {
    super(typeof rule === 'string' ? rule : rule.map((fault) => fault.rule).join(', '));
    const { path, judgedAs, ...facts } = about;
    this.faults = typeof rule === 'string' ? [path ? { rule, path, facts } : { rule, facts }] : rule;
    this.judgedAs = judgedAs ?? this.faults[0].rule;
  }
}
