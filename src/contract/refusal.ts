// A refusal: the rules of the contract that a request broke, and the answer to it. Status and messages are in rules.ts.
import { z } from 'zod';
import { type AnswerStatus, answerStatusNames } from './operation.ts';
import type { Assumptions } from './resolved-assumptions.ts';
import { type Facts, isRuleId, type Rule, type RuleId, rules } from './rules.ts';
import { emptyWords } from './schema.ts';

export type FieldPath = readonly (string | number)[];

/** One broken rule, with the field (one without a field has no details) and what the message names. */
export interface BrokenRule {
  readonly rule: RuleId;
  readonly path?: FieldPath;
  readonly facts: Facts;
  /** The message, for a rule without its own message. */
  readonly words?: string;
}

/**
 * Thrown by the stages and the domain. The first broken rule decides the status, or `judgedAs`.
 * @example throw new Refusal('ORD-11', { path: ['consumer', 'id'] })
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly broken: readonly [BrokenRule, ...BrokenRule[]];
  /** The rule that decides the status. */
  readonly judgedAs: RuleId;

  constructor(
    rule: RuleId | readonly [BrokenRule, ...BrokenRule[]],
    about: Facts & { readonly path?: FieldPath; readonly judgedAs?: RuleId | undefined } = {},
  ) {
    super(typeof rule === 'string' ? rule : rule.map((one) => one.rule).join(', '));
    const { path, judgedAs, ...facts } = about;
    this.broken = typeof rule === 'string' ? [path ? { rule, path, facts } : { rule, facts }] : rule;
    this.judgedAs = judgedAs ?? this.broken[0].rule;
  }
}

const errorDetail = z
  .strictObject({
    field: z.string().meta({ description: 'A dotted path such as `consumer.email`; empty for the whole body.' }),
    message: z.string(),
  })
  .meta({ id: 'ErrorDetail' });

/** The error body (HTTP-3): these keys and no other. */
export const errorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'The HTTP status.' }),
    error: z.string().meta({ description: 'The name of the status.' }),
    message: z
      .string()
      .meta({ description: 'The problem. With the default assumptions, the first one if there are several.' }),
    details: z.array(errorDetail).optional().meta({ description: 'The invalid fields of the request, one item each.' }),
  })
  .meta({ id: 'ErrorBody', description: 'The body of every error.' });
export type ErrorBody = z.infer<typeof errorBody>;

/** The answer to a refused request. */
export interface RefusalAnswer {
  readonly status: AnswerStatus;
  readonly body: ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders a refusal (HTTP-3). The rule gives status and message; assumptions decide where the messages appear. */
export function answerTo(refusal: Refusal, assumptions: Assumptions): RefusalAnswer {
  const rule: Rule = rules[refusal.judgedAs];
  const status = (typeof rule.status === 'function' ? rule.status(assumptions) : rule.status) as AnswerStatus;
  const body = {
    statusCode: status,
    error: answerStatusNames[status],
    ...messagesOf(refusal.broken, status, assumptions),
  };
  const headers = rule.headers?.(refusal.broken[0].facts, assumptions);
  return headers ? { status, body, headers } : { status, body };
}

/** Follows `validation_report` and `validation_placement`. */
function messagesOf(
  broken: readonly [BrokenRule, ...BrokenRule[]],
  status: AnswerStatus,
  assumptions: Assumptions,
): Pick<ErrorBody, 'message' | 'details'> {
  const [first] = broken;
  if (!first.path) return { message: messageOf(first, status, assumptions) };
  const reported = assumptions.get('validation_report') === 'first' ? [first] : broken;
  const details = reported.map((rule) => ({
    field: fieldOf(rule.path ?? [], assumptions),
    message: messageOf(rule, status, assumptions),
  }));
  const message = details[0]?.message ?? '';
  switch (assumptions.get('validation_placement')) {
    case 'both':
      return { message, details };
    case 'details':
      return { message: 'Validation failed', details };
    case 'message':
      return { message };
    case 'joined':
      return { message: details.map((detail) => detail.message).join('. ') };
  }
}

/** The rule's own message, else the schema's words for it, else the status name (HTTP-3). */
function messageOf({ rule, facts, words }: BrokenRule, status: AnswerStatus, assumptions: Assumptions): string {
  const { message }: Rule = rules[rule];
  if (typeof message === 'function') return message(facts, assumptions);
  return message ?? words ?? answerStatusNames[status];
}

function fieldOf(path: FieldPath, assumptions: Assumptions): string {
  const brackets = path.some((part) => typeof part === 'number') && assumptions.get('field_path') === 'brackets';
  if (!brackets) return path.join('.');
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );
}

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

/**
 * The broken rules of a failed parse: of each field the first, or all (`faults_per_field`). Parse with
 * `reportInput: true`. The error text of a schema is the id of the rule that it enforces; the words are Joi's for that
 * kind of issue.
 */
export function brokenRulesOf(error: z.core.$ZodError, assumptions: Assumptions): [BrokenRule, ...BrokenRule[]] {
  const seen = new Set<string>();
  const all = error.issues.filter(isReachedByJoi).flatMap(brokenRulesOfIssue);
  const firsts = all.filter(({ path }) => {
    // Not joined: a key may contain a dot.
    const field = JSON.stringify(path);
    return !seen.has(field) && seen.add(field);
  });
  // The choice shapes the answer only if a field has two errors.
  const isAll = firsts.length < all.length && assumptions.get('faults_per_field') === 'all';
  const [first, ...rest] = isAll ? all : firsts;
  if (!first) throw new Error('a failed parse has at least one issue');
  return [first, ...rest];
}

/** False for a further error of a value of another type, or an empty one: Joi stops at the first of these. */
function isReachedByJoi({ path }: Issue, index: number, issues: readonly Issue[]): boolean {
  const before = issues[index - 1];
  if (before?.path.length !== path.length || !path.every((part, at) => part === before.path[at])) return true;
  return before.code !== 'invalid_type' && before.message !== 'OPEN-4' && before.input !== '';
}

function brokenRulesOfIssue(issue: Issue): BrokenRule[] {
  const rule = ruleOf(issue);
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'invalid_value') return [brokenRuleAt(rule, path, issue), ...typeOfListed(path, issue)];
  if (issue.code !== 'unrecognized_keys') return [brokenRuleAt(rule, path, issue)];
  return issue.keys.map((key) => brokenRuleAt(rule, [...path, key], issue, Object(issue.input)[key]));
}

/** A value that is not in a list of strings is also of the wrong type, or empty: in Joi that is a second error. */
function typeOfListed(path: FieldPath, { input }: Issue): BrokenRule[] {
  const broken = (rule: RuleId, words: string) => [
    { rule, path, facts: { label: labelOf(path), value: input }, words: `"${labelOf(path)}" ${words}` },
  ];
  if (typeof input !== 'string') return broken('OPEN-3', 'must be a string');
  return input === '' ? broken('OPEN-4', emptyWords) : [];
}

function ruleOf(issue: Issue): RuleId {
  if (isRuleId(issue.message)) return issue.message;
  throw new Error(
    `a schema's error text must be a rule id, not "${issue.message}" (${issue.code} at ${issue.path.join('.')})`,
  );
}

function brokenRuleAt(rule: RuleId, path: FieldPath, issue: Issue, value: unknown = issue.input): BrokenRule {
  const label = labelOf(path);
  return { rule, path, facts: { label, value }, words: `"${label}" ${issueWords(issue)}` };
}

function issueWords(issue: Issue): string {
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
  if (issue.origin === 'string') return emptyWords;
  if (issue.origin === 'array') return `must contain at least ${issue.minimum} items`;
  return `must be greater than or equal to ${issue.minimum}`;
}
