// The answers that the service may give to a call if it has made certain choices. The state of the service is unknown:
// what depends on it (whether a product exists) may go either way; what depends on the request alone may not.
import type { z } from 'zod';
import { limits, rateLimits } from '../contract/limits.ts';
import { isOffered, type Schema, type Status, statusNames } from '../contract/operation.ts';
import { invalidCursor } from '../contract/paging.ts';
import { answerTo, brokenRulesOf, type FieldPath, Refusal } from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { type Rule, type RuleId, rules } from '../contract/rules.ts';
import { isRecord } from '../contract/schema.ts';
import { isSecretName } from '../journal/redaction.ts';
import type { CallToJudge } from './call-to-judge.ts';
import { conditionProblems, limitOf } from './conditions.ts';
import { differencesOf } from './difference.ts';
import { type TokenState, tooManyCalls } from './history.ts';
import { contentsOf, linesOf, pouchesOf } from './json-parts.ts';
import { schemaOf } from './schemas.ts';

/** How an answer that the service may give differs from the recorded one. */
export interface Verdict {
  readonly rules: readonly string[];
  readonly status: number;
  /** It counts with another status, too: a choice may change the status, or a success shows that nothing refuses. */
  readonly isTelling: boolean;
  /** Of a page: the most results that the request allows. */
  readonly limit?: number;
  /** Empty if it is the recorded answer. */
  readonly problems: readonly string[];
}

/** Of the choice `100/60s`. */
const limitedCalls = rateLimits['100/60s']?.calls ?? 0;

/** Stands for a text that the state of the service decides, such as the name of a product. */
const anyText = '\0';

/** All answers that the service may give, each compared with the recorded one. */
export function verdictsOf(judged: CallToJudge, assumptions: Assumptions): Verdict[] {
  return Array.from(possibleAnswers(judged, assumptions), (possible) =>
    possible instanceof Refusal ? refusalVerdict(judged, possible, assumptions) : successVerdict(judged, assumptions),
  );
}

function* possibleAnswers(judged: CallToJudge, assumptions: Assumptions): Generator<Refusal | 'success'> {
  const { operation, call, history } = judged;
  // No refusal is a recorded success: only those that rule it out count then.
  const isRefused = call.status >= 300;
  const recent = history.recentCalls(call);
  const hasLimit = assumptions.get('rate_limit') !== 'off';
  const limited = new Refusal('LIM-1', { retryAfterSeconds: limits.retryAfterSeconds });
  if (hasLimit && recent > tooManyCalls) return yield limited;
  // Other callers may have used up another limit.
  if (isRefused) yield* hasLimit || recent < limitedCalls ? [new Refusal('HTTP-3'), limited] : [new Refusal('HTTP-3')];
  if (!isOffered(operation, assumptions)) return yield new Refusal(operation.offeredBy as RuleId);
  const isStopped = operation.permission !== null && !mayPass(judged.token, assumptions);
  if (operation.permission !== null && (isStopped || isRefused)) yield* callerRefusals(judged, assumptions);
  if (isStopped) return;
  const ofRequest = [...requestRefusals(judged, assumptions)];
  if (ofRequest.length > 0) return yield* ofRequest;
  if (isRefused) yield* businessRefusals(judged, assumptions).filter((one) => isOn(one.judgedAs, assumptions));
  yield 'success';
}

/** In the order of the register's rules; the first of a state is the likeliest. */
const tokenRefusals: Readonly<Record<TokenState, readonly RuleId[]>> = {
  missing: ['missing_token_message'],
  malformed: ['unauthorized_message'],
  refresh: ['unauthorized_message'],
  replaced: ['old_token_after_refresh'],
  expired: ['AUTH-3'],
  valid: ['AUTH-3', 'unauthorized_message'],
  unknown: ['AUTH-3', 'unauthorized_message', 'missing_token_message'],
};

function* callerRefusals(judged: CallToJudge, assumptions: Assumptions) {
  const { token, history, call, params } = judged;
  for (const rule of tokenRefusals[token]) if (isOn(rule, assumptions)) yield new Refusal(rule);
  // A user may lose a permission, but not for one record only.
  const isOfRecord = history.isGranted(judged) && history.isForeign(call, params.id ?? '');
  if (mayPass(token, assumptions) && !isOfRecord && isOn('AUTH-5', assumptions)) yield new Refusal('AUTH-5');
}

function mayPass(token: TokenState, assumptions: Assumptions): boolean {
  if (token === 'replaced') return !isOn('old_token_after_refresh', assumptions);
  return token === 'valid' || token === 'unknown';
}

const isOn = (id: RuleId, assumptions: Assumptions): boolean => (rules[id] as Rule).when?.(assumptions) ?? true;

/** The refusals of the request itself, which do not depend on the state of the service: those of the first stage. */
function* requestRefusals(judged: CallToJudge, assumptions: Assumptions): Generator<Refusal> {
  const { operation, body, bodyFault, params, query } = judged;
  if (operation.method !== 'GET' && (bodyFault === 'malformed' || bodyFault === 'unsupported')) {
    yield new Refusal('unsupported_media_type');
    return yield new Refusal('malformed_body');
  }
  const parts = [
    [operation.params, params, undefined],
    [operation.query, query, 'malformed_parameter'],
    [bodyFault ? undefined : operation.body, body, undefined],
  ] as const;
  for (const [schema, value, judgedAs] of parts) {
    const error = errorOf(schema, value, assumptions);
    if (error) return yield new Refusal(brokenRulesOf(error, assumptions), { judgedAs });
  }
}

const errorOf = (schema: Schema | undefined, value: unknown, assumptions: Assumptions): z.ZodError | undefined =>
  schema && schemaOf(schema, assumptions).safeParse(value, { reportInput: true }).error;

const notFound: Readonly<Record<string, string>> = {
  products: 'Product',
  consumers: 'Consumer',
  orders: 'Order',
  fulfillments: 'Fulfillment',
};

/** The refusals that depend on the state of the service, of those that the operation has. */
const businessRefusals = (judged: CallToJudge, assumptions: Assumptions): Refusal[] =>
  judged.operation.refusals.flatMap((rule) => {
    if (rule === 'malformed_parameter') {
      const { cursor: value } = judged.query;
      const broken = { rule, path: ['cursor'], facts: { label: 'cursor', value }, words: invalidCursor };
      // A cursor that the service did not give.
      return value === undefined ? [] : [new Refusal([broken])];
    }
    if (withoutField.has(rule) && mayRefuse(rule, judged, assumptions)) {
      const what = notFound[rule === 'FUL-2' ? 'orders' : (judged.operation.id.split('.')[0] ?? '')];
      return [new Refusal(rule, what ? { what } : {})];
    }
    return pathsOf(rule, judged.body).map((path) => new Refusal(rule, { path, names: [anyText], operator: anyText }));
  });

const withoutField: ReadonlySet<RuleId> = new Set([
  'CAT-2',
  'FUL-1',
  'FUL-2',
  'foreign_resource',
  'bad_credentials',
  'bad_refresh_token',
  'expired_refresh_token',
  'ORD-22',
  'ORD-23',
]);

/** False if the recording shows that the rule is not the reason. */
function mayRefuse(rule: RuleId, judged: CallToJudge, assumptions: Assumptions): boolean {
  const { params, call, history } = judged;
  const isForeign = rule === 'CAT-2' && history.isForeign(call, params.id ?? '');
  if (isForeign) return assumptions.get('foreign_resource') === '404';
  const isReused = rule.endsWith('refresh_token') && history.isReused(judged);
  return !isReused || assumptions.get('refresh_token_lifetime') === 'single_use';
}

/** The fields of an order that a business rule may be about. */
function pathsOf(rule: RuleId, order: unknown): FieldPath[] {
  if (rule === 'ORD-11')
    return isRecord(order) && isRecord(order.consumer) && 'id' in order.consumer ? [['consumer', 'id']] : [];
  if (rule === 'ORD-19' || rule === 'ORD-20') return [['order_lines']];
  // Without lines, an update is judged by those of the order.
  if (rule === 'ORD-21') return [['order_lines', 0], ...linesOf(order).map(([path]) => path)];
  if (rule === 'pack_id')
    return pouchesOf(order).flatMap(([path, pouch]) => (isRecord(pouch) && rule in pouch ? [[...path, rule]] : []));
  if (rule !== 'ORD-17' && rule !== 'ORD-18') return [];
  return contentsOf(order).map(([path]) => [...path, 'client_product_id']);
}

function refusalVerdict({ call, answer }: CallToJudge, possible: Refusal, assumptions: Assumptions): Verdict {
  const expected = answerTo(possible, assumptions);
  const problems = statusProblem(call.status, expected.status);
  for (const name of Object.keys(expected.headers ?? {}))
    if (!call.responseHeaders.has(name.toLowerCase())) problems.push(`the header ${name} is missing`);
  const rule: Rule = rules[possible.judgedAs];
  if (rule.headers && !expected.headers?.['WWW-Authenticate'] && call.responseHeaders.has('www-authenticate'))
    problems.push('the header WWW-Authenticate is not expected');
  problems.push(...(answer === undefined ? [notJson] : bodyProblems(expected.body, answer)));
  const broken = new Set(possible.broken.map((one) => one.rule));
  return { rules: [...broken], status: expected.status, isTelling: typeof rule.status === 'function', problems };
}

const notJson = 'the body is not JSON';

function successVerdict(judged: CallToJudge, assumptions: Assumptions): Verdict {
  const { operation, call, answer } = judged;
  const status = operation.answersWith?.(assumptions) ?? (Number(Object.keys(operation.responses)[0]) as Status);
  const problems = statusProblem(call.status, status);
  if (answer === undefined) problems.push(notJson);
  else {
    const error = errorOf(operation.responses[status], answer, assumptions);
    if (error) problems.push(...schemaProblems(error));
    else if (problems.length === 0) problems.push(...conditionProblems(judged, assumptions));
  }
  return { rules: [], status, isTelling: true, problems, ...limitOf(judged, assumptions) };
}

function statusProblem(found: number, expected: number): string[] {
  if (found === expected) return [];
  const isDocumented = Object.hasOwn(statusNames, found);
  return [`the status is ${found}, not ${expected}${isDocumented ? '' : `; ${found} is not documented (HTTP-2)`}`];
}

/** A path in a body, with `*` for each index, so that all items of a list have one problem. */
const written = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? '*' : String(part))).join('.') || 'the body';

function schemaProblems(error: z.core.$ZodError): string[] {
  const problems = error.issues.flatMap((issue) => {
    const { path, input, message } = issue;
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${written([...path, key])} is not documented`);
    return `${written(path)} ${input === undefined ? 'is missing' : `has an undocumented form: ${message}`}`;
  });
  return [...new Set(problems)];
}

/** How a body differs from the expected one. `anyText` in the expected one stands for any text. */
const bodyProblems = (expected: unknown, found: unknown): string[] =>
  differencesOf(expected, found)
    .filter(({ one, other }) => !(typeof one === 'string' && typeof other === 'string' && matchesText(one, other)))
    .map(({ path, one, other }) => {
      const place = path || 'the body';
      const name = path.replace(/.*\./, '');
      const hidden = (key: string, part: unknown) => (isSecretName(key || name) ? '[redacted]' : part);
      const shown = (value: unknown): string => JSON.stringify(value, hidden).replaceAll(String.raw`\u0000`, '…');
      if (other === undefined) return `${place} is missing`;
      if (one === undefined) return `${place} is not expected: ${shown(other)}`;
      return `${place} is ${shown(other)}, not ${shown(one)}`;
    });

function matchesText(expected: string, found: string): boolean {
  const parts = expected.split(anyText).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(found);
}
