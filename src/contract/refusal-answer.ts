// A refusal → its answer (HTTP-3): status and words by the rule, their place by the readings.
import type { ErrorBody } from './error-body.ts';
import { type Status, statusNames } from './operation.ts';
import type { Fault, FieldPath, Refusal } from './refusal.ts';
import { type Rule, rules } from './rules.ts';
import type { Terms } from './terms.ts';

/** What a client gets that was refused. */
export interface RefusalAnswer {
  readonly status: Status;
  readonly body: ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerTo(refusal: Refusal, terms: Terms): RefusalAnswer {
  const rule: Rule = rules[refusal.judgedAs];
  const status = (typeof rule.status === 'function' ? rule.status(terms) : rule.status) as Status;
  const body = { statusCode: status, error: statusNames[status], ...told(refusal.faults, status, terms) };
  const headers = rule.headers?.(refusal.faults[0].facts);
  return headers ? { status, body, headers } : { status, body };
}

/** Message and details, by the readings of validation_report and validation_placement. */
function told(
  faults: readonly [Fault, ...Fault[]],
  status: Status,
  terms: Terms,
): Pick<ErrorBody, 'message' | 'details'> {
  const [first] = faults;
  if (!first.path) return { message: wordsOf(first, status, terms) };
  const reported = terms.get('validation_report') === 'first' ? [first] : faults;
  const details = reported.map((fault) => ({
    field: fieldOf(fault.path ?? [], terms),
    message: wordsOf(fault, status, terms),
  }));
  const message = details[0]?.message ?? '';
  switch (terms.get('validation_placement')) {
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
function wordsOf({ rule, facts, words }: Fault, status: Status, terms: Terms): string {
  const own: Rule = rules[rule];
  return own.words?.(facts, terms) ?? words ?? statusNames[status];
}

function fieldOf(path: FieldPath, terms: Terms): string {
  const brackets = path.some((part) => typeof part === 'number') && terms.get('field_path') === 'brackets';
  if (!brackets) return path.join('.');
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );
}
