// The rules of the contract as text: the requirement of each, the contract's sentence, and the operations that can break it.
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
 * The lines about one rule: its requirement, the contract's own sentence, and what the sandbox adds. Undefined for an
 * unknown id.
 */
export function ruleLines(id: string): string[] | undefined {
  const rule = texts.get(id);
  if (!rule) return undefined;
  const { requires, contract, addition } = rule;
  return [
    `rule ${id}: ${requires === undefined ? '' : `${requires}.`}`.trimEnd(),
    ...(contract === undefined ? [] : [`  contract: ${contract}`]),
    ...(addition === undefined ? [] : [`  added: ${addition}.`]),
    ...assumptionLines(id),
  ];
}

/** An assumption can have the id of the rule that it decides. */
function assumptionLines(id: string): string[] {
  if (!Object.hasOwn(assumptionRegister, id)) return [];
  const { question } = assumptionRegister[id as AssumptionId];
  return [`  open question of the contract: ${question}; see the tool assumptions`];
}

/** The same, with its status and the operations that can break it. */
export function rulePage(id: string): string | undefined {
  const lines = ruleLines(id);
  if (!lines) return undefined;
  const { status } = texts.get(id) ?? {};
  const breaking = operationList.filter((operation) => canBreak(operation, id as RuleId)).map((one) => one.id);
  const statusText = typeof status === 'function' ? 'depends on the assumptions' : status;
  return [
    ...lines,
    ...(status === undefined ? [] : [`  status: ${statusText}`]),
    ...(breaking.length > 0 ? [`  operations: ${breaking.join(', ')}`] : []),
  ].join('\n');
}
