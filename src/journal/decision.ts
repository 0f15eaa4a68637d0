// Why a call was answered as it was: the stage, the rules and fields of a refusal, the faults that affected it.
// Sentences are made when somebody reads them.
import { switchNames } from '../contract/control/switch-names.ts';
import type { BrokenRule, FieldPath, Refusal } from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { type Rule, type RuleId, rules } from '../contract/rules.ts';
import { isSecretName, type TextRedactor } from './redaction.ts';

/** Where an answer comes from: a stage of HTTP-4, or the storage and tracking pages. */
export type StageName =
  | 'admission'
  | 'route'
  | 'fault'
  | 'token'
  | 'bodyFormat'
  | 'permission'
  | 'path'
  | 'query'
  | 'bodySchema'
  | 'operation'
  | 'storage'
  | 'tracking';

/** What the stages decided about a call. */
export interface CallOutcome {
  /** The stage that gave the answer. */
  readonly stage: StageName;
  readonly refusal?: Refusal | undefined;
  /** The assumptions, with the trace of those that the call asked for. */
  readonly assumptions?: Assumptions | undefined;
  /** The ids of the faults that affected the call, in order. */
  readonly faults?: readonly string[] | undefined;
  /** True if the last of the faults gave the answer. */
  readonly isInjected?: boolean | undefined;
  /** True if the caller never got the answer. */
  readonly isLost?: boolean | undefined;
  /** The id of the fault that cut the connection after there was an answer. */
  readonly cutBy?: string | undefined;
  /** The next cursor of a page; null on the last page. */
  readonly next?: string | null | undefined;
  /** The path's parameters, for a refusal that is about them. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** What the journal keeps of it. */
export interface Decision extends Pick<CallOutcome, 'stage' | 'cutBy' | 'next' | 'assumptions'> {
  /** The rule of each of the first twenty details, in order; then each other rule once. */
  readonly rules: readonly RuleId[];
  /** How many details the answer reported. */
  readonly reported: number;
  /** The first twenty. */
  readonly details: readonly Detail[];
  readonly faults: readonly string[];
  readonly isInjected: boolean;
  readonly isLost: boolean;
}

/** One detail of a refusal: the rule, the field, the received value and the requirement. */
interface Detail {
  readonly rule: RuleId;
  /** The dotted path; null if the refusal is about no field. */
  readonly field: string | null;
  /** The value as at most 80 characters of JSON, `nothing` if it is missing; null if the refusal is about no value. */
  readonly came: string | null;
  /** The requirement of the rule. */
  readonly allowed: string;
  readonly sentence: string;
  /** For a 429: its Retry-After, and how a test gets around the wait. */
  readonly wait?: string;
  /** The problem in short, without the rule. Entries of earlier versions in a shared journal lack it. */
  readonly reason?: string;
}

export const maxDetails = 20;
/** The approximate memory of a detail with its sentence. */
export const detailBytes = 512;
const maxValueCharacters = 80;
/** A client may name a field as long as a body. */
const maxFieldCharacters = 200;
const none: readonly never[] = [];

/** @param bodyValue returns the JSON value of the request's body; called when the details are read */
export function decisionOf(outcome: CallOutcome, bodyValue: () => unknown, redactor: TextRedactor): Decision {
  const { stage, refusal, faults = none, isInjected = false, isLost = false, cutBy, next, params } = outcome;
  const assumptions = outcome.assumptions?.interned;
  if (!refusal)
    return { stage, rules: none, reported: 0, details: none, faults, isInjected, isLost, cutBy, next, assumptions };
  const all = reportedRules(refusal, assumptions);
  // A refusal may name 50,000 broken rules, each with a part of the body.
  const kept = all.slice(0, maxDetails).map((rule) => withoutLargeValue(rule, stage));
  return {
    stage,
    rules: rulesOf(all),
    reported: all.length,
    get details() {
      const input = stage === 'path' ? params : stage === 'query' ? undefined : bodyValue();
      return kept.map((rule) => explain(rule, input, redactor));
    },
    faults,
    isInjected,
    isLost,
    cutBy,
    next,
    assumptions,
  };
}

/** Drops a large value if it can be found again in the body, by its path. */
function withoutLargeValue(broken: BrokenRule, stage: StageName): BrokenRule {
  const { value, ...facts } = broken.facts;
  // Null stays: an empty body counts as null, and no path leads to it.
  const isLarge =
    (typeof value === 'object' && value !== null) || (typeof value === 'string' && value.length > maxFieldCharacters);
  return isLarge && broken.path !== undefined && stage !== 'query' ? { ...broken, facts } : broken;
}

/** The broken rules that an answer reports, according to `validation_report`. */
export const reportedRules = ({ broken }: Refusal, assumptions: Assumptions | undefined): readonly BrokenRule[] =>
  assumptions?.choices.validation_report === 'first' ? [broken[0]] : broken;

function rulesOf(broken: readonly BrokenRule[]): readonly RuleId[] {
  const all = broken.map(({ rule }) => rule);
  const first = all.slice(0, maxDetails);
  return [...first, ...new Set(all.slice(maxDetails).filter((rule) => !first.includes(rule)))];
}

/** The assumptions that the call asked for, with their choices. */
export const askedChoices = ({ assumptions }: Decision): Record<string, string> =>
  assumptions ? Object.fromEntries(Array.from(assumptions.used, (id) => [id, assumptions.choices[id]])) : {};

/** The decision in sentences. @param status null for a broken connection */
export const sentenceOf = (decision: Decision, status: number | null, operation: string | null): string =>
  explanationOf(decision, { status, operation, isShort: false });

/**
 * The same in short, for a line that has the rules and the status: null for a call that nothing rejected or affected.
 * @example 'address1 has 121 characters (max 99)'
 */
export function reasonOf(decision: Decision, status: number | null, operation: string | null): string | null {
  const { rules, faults, isLost } = decision;
  if (rules.length === 0 && faults.length === 0 && !isLost && (status ?? 500) < 400) return null;
  return explanationOf(decision, { status, operation, isShort: true }).replace(/\.+$/, '');
}

interface Explained {
  readonly status: number | null;
  readonly operation: string | null;
  readonly isShort: boolean;
}

function explanationOf(decision: Decision, { status, operation, isShort }: Explained): string {
  const { details, reported, faults, isInjected, cutBy } = decision;
  const answer = status === null ? 'Connection cut' : `Answered with ${status}`;
  const isByFault = faults.length > 0 && (isInjected || status === null);
  const effects = affectedBy(isByFault ? faults.slice(0, -1) : faults.filter((id) => id !== cutBy));
  const giver = isByFault ? overrideName(faults.at(-1)) : operation;
  const [first] = isByFault ? none : details;
  const wait = details[0]?.wait ?? '';
  if (!first) return `${effects}${answer}${giver ? ` by ${giver}` : ''}${lossOf(decision, status, ', but')}.${wait}`;
  const more = reported > 2 ? ` And ${reported - 1} more errors.` : ' And 1 more error.';
  const errors = `${isShort && first.reason ? `${first.reason}.` : first.sentence}${reported > 1 ? more : ''}`;
  // A reason begins with the field, or in lower case.
  const text = isShort ? `${errors} ${effects}`.trimEnd() : effects + errors;
  return text + lossOf(decision, status, ' But', '.') + wait;
}

/** Why the answer did not reach the caller; empty if it did, or if there was none. */
function lossOf({ isLost, cutBy }: Decision, status: number | null, but: string, end = ''): string {
  if (!isLost || status === null) return '';
  const cut = cutBy === undefined ? 'the caller closed' : `${overrideName(cutBy)} cut`;
  return `${but} ${cut} the connection before the response was complete${end}`;
}

/** Ends with a space, unless it is empty. A fault that neither answers a call nor cuts its connection delays it. */
const affectedBy = (faults: readonly string[]): string =>
  faults.map((id) => `${id === 'latency' || !isSwitch(id) ? 'Delayed' : 'Affected'} by ${overrideName(id)}. `).join('');

const isSwitch = (id: string): boolean => (switchNames as readonly string[]).includes(id);
const overrideName = (id = ''): string => (isSwitch(id) ? `the ${id} switch` : `the fault ${id}`);

/** @param input where the path leads to its value: the body or the path's parameters */
function explain(broken: BrokenRule, input: unknown, redactor: TextRedactor): Detail {
  const { rule, facts, words } = broken;
  const { requires, maxCharacters, isGeneral }: Rule = rules[rule];
  const { field, came, found, isTooLong } = findingOf(broken, input, redactor);
  const problem = facts.problem ?? found;
  const allowed = isGeneral && facts.problem === undefined && words ? words : requires;
  const sentence = `Rejected by ${rule}${problem ? `: ${problem}` : ''}. ${allowed}.`;
  let reason = facts.problem ?? (found ? `${found}. ${allowed}` : allowed);
  if (isTooLong) reason = `${found} (max ${maxCharacters})`;
  return { rule, field, came, allowed, sentence, reason, ...waitOf(broken) };
}

interface Finding extends Pick<Detail, 'field' | 'came'> {
  /** The state of the field or the order, such as `email is "x"`. */
  readonly found?: string;
  readonly isTooLong?: boolean;
}

function findingOf({ rule, path, facts }: BrokenRule, input: unknown, redactor: TextRedactor): Finding {
  if (!path) {
    const came = facts.found === undefined ? null : preview(redactor.value(facts.found));
    return { field: null, came, ...(came === null ? {} : { found: `the order is ${came}` }) };
  }
  const { maxCharacters }: Rule = rules[rule];
  const value = facts.names ?? valueAt(path, input, facts.value);
  const field = shortened(redactor.text(path.join('.')), maxFieldCharacters);
  const found = previewAt(path, value, redactor);
  const length = maxCharacters !== undefined && typeof value === 'string' ? `${value.length} characters` : undefined;
  const isEmpty = facts.value === null && input === undefined;
  const state = length ? `has ${length}` : isEmpty ? 'is empty' : stateOf(value, found, facts);
  const came = length ? `${found} (${length})` : found;
  return { field, came, found: `${labelOf(path, field)} ${state}`, isTooLong: length !== undefined };
}

function waitOf({ rule, facts: { retryAfterSeconds: seconds } }: BrokenRule): Pick<Detail, 'wait'> {
  if (seconds === undefined) return {};
  // The server's own limit counts real time.
  const advice =
    seconds > 1 && rule !== 'max_calls'
      ? ': in a test, set retry_after to less; a window also ends when you advance the clock'
      : '';
  return { wait: ` Retry-After is ${seconds}${advice}.` };
}

const stateOf = (value: unknown, found: string, { names }: BrokenRule['facts']): string =>
  value === undefined ? 'is missing' : `${names ? 'contains' : 'is'} ${found}`;

/** @param otherwise the value if the path leads nowhere */
function valueAt(path: FieldPath, input: unknown, otherwise: unknown): unknown {
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    input,
  );
  return value === undefined ? otherwise : value;
}

function previewAt(path: FieldPath, value: unknown, redactor: TextRedactor): string {
  const secret = path.find((key) => typeof key === 'string' && isSecretName(key));
  return preview(secret === undefined ? redactor.value(value) : redactor.field(String(secret), value));
}

const preview = (value: unknown): string =>
  shortened(value === undefined ? 'nothing' : JSON.stringify(value), maxValueCharacters);

const shortened = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** The name of the field; its whole path, if the path has an index of a list. */
function labelOf(path: FieldPath, field: string): string {
  const isPlain = path.every((key) => typeof key === 'string');
  return (isPlain ? field.slice(field.lastIndexOf('.') + 1) : field) || 'the body';
}
