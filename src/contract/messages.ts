// zod issue → fault: rule, dotted path and, where the rule has none of its own, Joi's words for that kind of fault.
// A schema's error text is the rule id it enforces; the order is the schema's, one fault per field, the first.
import type { z } from 'zod';
import type { Fault, FieldPath } from './refusal.ts';
import { isRuleId, type RuleId } from './rules.ts';

type Issue = z.core.$ZodIssue;

const typeWords: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer',
  boolean: 'must be a boolean',
  array: 'must be an array',
  object: 'must be of type object',
};

/** Joi's label of a path: the key itself, an array's item by its index, the whole body `value`. */
function labelOf(path: FieldPath): string {
  const last = path.at(-1);
  return typeof last === 'number' ? `[${last}]` : last || 'value';
}

/** The faults of a failed parse. The parse must have been asked to report inputs (`reportInput: true`). */
export function faultsOf(error: z.core.$ZodError): [Fault, ...Fault[]] {
  const seen = new Set<string>();
  const faults = error.issues.flatMap(faultsOfIssue).filter(({ path }) => {
    const field = path?.join('.') ?? '';
    return !seen.has(field) && seen.add(field);
  });
  const [first, ...rest] = faults;
  if (!first) throw new Error('a failed parse has at least one issue');
  return [first, ...rest];
}

function faultsOfIssue(issue: Issue): Fault[] {
  const rule = ruleOf(issue);
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code !== 'unrecognized_keys') return [faultAt(rule, path, issue)];
  return issue.keys.map((key) => faultAt(rule, [...path, key], issue));
}

function ruleOf(issue: Issue): RuleId {
  if (isRuleId(issue.message)) return issue.message;
  throw new Error(
    `a schema's error text must be a rule id, not "${issue.message}" (${issue.code} at ${issue.path.join('.')})`,
  );
}

function faultAt(rule: RuleId, path: FieldPath, issue: Issue): Fault {
  const label = labelOf(path);
  return { rule, path, facts: { label, value: issue.input }, words: `"${label}" ${wordsOf(issue)}` };
}

function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : (typeWords[issue.expected] ?? `must be of type ${issue.expected}`);
    case 'too_small':
      return tooSmallWords(issue);
    case 'too_big':
      return `${issue.origin === 'string' ? 'length ' : ''}must be less than or equal to ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'guid'
        ? 'must be a valid GUID'
        : `with value "${issue.input}" fails to match the required pattern: ${issue.pattern}`;
    case 'invalid_value':
      return `must be one of [${issue.values.join(', ')}]`;
    case 'invalid_union':
      return 'must be one of [string, number]';
    case 'unrecognized_keys':
      return 'is not allowed';
    case 'custom':
      return String(issue.params?.words ?? 'contains an invalid value');
    default:
      return 'contains an invalid value';
  }
}

function tooSmallWords(issue: z.core.$ZodIssueTooSmall): string {
  if (issue.origin === 'string') return 'is not allowed to be empty';
  if (issue.origin === 'array') return `must contain at least ${issue.minimum} items`;
  return `must be greater than or equal to ${issue.minimum}`;
}
