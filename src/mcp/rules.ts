// The rules of the contract as text: the requirement of each, the contract's sentence, and the operations that can
// break it.
import { type AssumptionId, assumptionRegister } from '../contract/assumptions.ts';
import { canBreak } from '../contract/operation.ts';
import { operationList } from '../contract/operations.ts';
import { numberedRules, type Rule, type RuleId, rules } from '../contract/rules.ts';

type RuleTexts = Partial<Pick<Rule, 'requires' | 'contract' | 'addition' | 'status'>>;

/** Every rule by its id: the numbered ones first. */
const texts: ReadonlyMap<string, RuleTexts> = new Map<string, RuleTexts>([
  ...numberedRules.map(({ id, ...text }) => [id, text] as const),
  ...Object.entries<Rule>(rules),
]);

export const allRuleIds: readonly string[] = [...texts.keys()];

/** A line for each rule: its id and what it requires. */
export const ruleIndex = (): string =>
  [...texts].map(([id, { requires, contract }]) => `${id}: ${requires ?? contract ?? ''}`).join('\n');

/**
 * The lines about one rule: its requirement, the contract's own sentence, what the sandbox adds, and the open question
 * that the rule decides. Empty for an unknown id.
 */
export function ruleLines(id: string): string[] {
  const rule = texts.get(id);
  if (!rule) return [];
  const { requires, contract, addition } = rule;
  // An assumption can have the id of a rule.
  const question = Object.hasOwn(assumptionRegister, id) && assumptionRegister[id as AssumptionId].question;
  return [
    requires ? `rule ${id}: ${requires}.` : `rule ${id}:`,
    ...(contract ? [`  contract: ${contract}`] : []),
    ...(addition ? [`  added: ${addition}.`] : []),
    ...(question ? [`  open question of the contract: ${question}; see the tool assumptions`] : []),
  ];
}

/** The same, with its status and the operations that can break it. */
export function rulePage(id: string): string {
  const { status } = texts.get(id) ?? {};
  const statusText = typeof status === 'function' ? 'depends on the assumptions' : status;
  const operations = operationList.filter((one) => canBreak(one, id as RuleId)).map((one) => one.id);
  return [
    ...ruleLines(id),
    ...(statusText ? [`  status: ${statusText}`] : []),
    ...(operations.length > 0 ? [`  operations: ${operations.join(', ')}`] : []),
  ].join('\n');
}
