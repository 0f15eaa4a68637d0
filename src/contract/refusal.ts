// A refusal: a rule of the contract that a request broke. Thrown by rule id; status and words stand in rules.ts alone.

import { z } from 'zod';
import { type Status, statusNames } from './operation.ts';
import { type Facts, type Rule, type RuleId, rules } from './rules.ts';
import type { Assumptions } from './terms.ts';

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

// The body of every error, as the documents show it.

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
    error: z.string().meta({ description: "The status's name." }),
    message: z.string().meta({ description: 'What is wrong; of several faults the first, by the default readings.' }),
    details: z.array(errorDetail).optional().meta({ description: 'The faulty fields of the request, one item each.' }),
  })
  .meta({ id: 'ErrorBody', description: 'The body of every error.' });
export type ErrorBody = z.infer<typeof errorBody>;

// A refusal → its answer (HTTP-3): status and words by the rule, their place by the readings.

/** What a client gets that was refused. */
export interface RefusalAnswer {
  readonly status: Status;
  readonly body: ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerTo(refusal: Refusal, assumptions: Assumptions): RefusalAnswer {
  const rule: Rule = rules[refusal.judgedAs];
  const status = (typeof rule.status === 'function' ? rule.status(assumptions) : rule.status) as Status;
  const body = { statusCode: status, error: statusNames[status], ...told(refusal.faults, status, assumptions) };
  const headers = rule.headers?.(refusal.faults[0].facts);
  return headers ? { status, body, headers } : { status, body };
}

/** Message and details, by the readings of validation_report and validation_placement. */
function told(
  faults: readonly [Fault, ...Fault[]],
  status: Status,
  assumptions: Assumptions,
): Pick<ErrorBody, 'message' | 'details'> {
  const [first] = faults;
  if (!first.path) return { message: wordsOf(first, status, assumptions) };
  const reported = assumptions.get('validation_report') === 'first' ? [first] : faults;
  const details = reported.map((fault) => ({
    field: fieldOf(fault.path ?? [], assumptions),
    message: wordsOf(fault, status, assumptions),
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

/** The rule's own words, else those of the fault's kind, else the status name (HTTP-3). */
function wordsOf({ rule, facts, words }: Fault, status: Status, assumptions: Assumptions): string {
  const own: Rule = rules[rule];
  return own.words?.(facts, assumptions) ?? words ?? statusNames[status];
}

function fieldOf(path: FieldPath, assumptions: Assumptions): string {
  const brackets = path.some((part) => typeof part === 'number') && assumptions.get('field_path') === 'brackets';
  if (!brackets) return path.join('.');
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );
}
