// Why a call was answered as it was: the stage, the rules and fields of a refusal, the faults that affected it. Words are made when somebody
// reads them.

import type { Fault, FieldPath, Refusal } from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { type Rule, type RuleId, rules } from '../contract/rules.ts';
import { isSecretName, preview, type Redactor, readJson, unredacted } from './redaction.ts';

/** Where an answer may come from: the stages of HTTP-4, and what a sandbox serves beside the operations. */
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

/** What the stages found out about a call. */
export interface Decided {
  /** The stage that gave the answer. */
  readonly stage: StageName;
  readonly refusal?: Refusal | undefined;
  /** The assumptions with the trace of those that were asked for. */
  readonly assumptions?: Assumptions | undefined;
  /** The ids of the faults that affected the call, in order. */
  readonly faults?: readonly string[] | undefined;
  /** Whether the last of the faults gave the answer. */
  readonly isInjected?: boolean | undefined;
  /** Whether the caller never got the answer. */
  readonly isLost?: boolean | undefined;
  /** The next cursor that a page gave; null on the last one. */
  readonly next?: string | null | undefined;
  /** The names in the path, for a refusal that is about them. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** The call that is decided, as far as its faults are looked up in it. */
interface Explained {
  readonly received: { readonly body: string | null };
  readonly redactor: Redactor | undefined;
}

export const maxDetails = 20;
/** What a kept fault takes in memory, with the words that are made of it. */
export const detailBytes = 512;
const none: readonly never[] = [];

/** The decision as it is kept. */
export interface Decision {
  readonly stage: StageName;
  /** One per reported detail, in order; of those after the twentieth each other rule once. */
  readonly rules: readonly RuleId[];
  /** How many faults are reported. */
  readonly reported: number;
  /** The first twenty. */
  readonly details: readonly Detail[];
  readonly faults: readonly string[];
  readonly isInjected: boolean;
  readonly isLost: boolean;
  readonly next: string | null | undefined;
  readonly assumptions: Assumptions | undefined;
}

/** The decision of this server about a call. Its details are explained when somebody reads them. */
export function decisionOf(decided: Decided, { received, redactor }: Explained): Decision {
  const { stage, refusal, faults = none, isInjected = false, isLost = false, next, params } = decided;
  const assumptions = decided.assumptions?.interned;
  if (!refusal)
    return { stage, rules: none, reported: 0, details: none, faults, isInjected, isLost, next, assumptions };
  const all = reportedFaults(refusal, assumptions);
  // A refusal may have 50,000 faults, each with a part of the body.
  const kept = all.slice(0, maxDetails).map((fault) => withoutBody(fault, stage));
  return {
    stage,
    rules: rulesOf(all),
    reported: all.length,
    get details() {
      const part = stage === 'path' ? params : jsonOf(received.body, stage);
      return kept.map((fault) => explain(fault, part, redactor ?? unredacted));
    },
    faults,
    isInjected,
    isLost,
    next,
    assumptions,
  };
}

/** A fault without what takes room and stands in the body, where its path leads to it. */
function withoutBody(fault: Fault, stage: StageName): Fault {
  const { value, ...facts } = fault.facts;
  // Null is kept: an empty body counts as null, and no path leads to it.
  const isLarge =
    (typeof value === 'object' && value !== null) || (typeof value === 'string' && value.length > maxFieldCharacters);
  return isLarge && fault.path !== undefined && stage !== 'query' ? { ...fault, facts } : fault;
}

/** The JSON that a refusal's paths are looked up in. */
const jsonOf = (body: string | null, stage: StageName): unknown =>
  body === null || stage === 'query' ? undefined : readJson(body)?.value;

/** The faults that an answer tells, by the reading of `validation_report`. */
export const reportedFaults = ({ faults }: Refusal, assumptions: Assumptions | undefined): readonly Fault[] =>
  assumptions?.choices.validation_report === 'first' ? [faults[0]] : faults;

function rulesOf(faults: readonly Fault[]): readonly RuleId[] {
  const rules = faults.slice(0, maxDetails).map(({ rule }) => rule);
  const others = faults.slice(maxDetails).map(({ rule }) => rule);
  return [...rules, ...[...new Set(others)].filter((rule) => !rules.includes(rule))];
}

/** The decision in one sentence; a status of null is a broken connection. */
export function sentenceOf(
  { details, reported, faults, isInjected }: Decision,
  status: number | null,
  operation: string | null,
): string {
  const answered = status === null ? 'the connection was broken' : String(status);
  const met = faults.length > 0 ? `met by the fault ${faults.join(', ')}` : undefined;
  if (met && (isInjected || status === null)) return `${met}: ${answered}`;
  const [first] = details;
  const more = reported > 1 ? `, and ${reported - 1} more` : '';
  const words = first ? first.sentence + more : `answered ${answered}${operation ? ` by ${operation}` : ''}`;
  return met ? `${met}; ${words}` : words;
}

/** One fault of a refusal in words: the rule, the field, what came and what is allowed. */
interface Detail {
  readonly rule: RuleId;
  /** The dotted path; null for a refusal that is about no field. */
  readonly field: string | null;
  /** What came or was found, in at most 80 characters of JSON, or `nothing`; null where neither is meant. */
  readonly came: string | null;
  /** What is allowed or required. */
  readonly allowed: string;
  readonly sentence: string;
}

type Reader = Pick<Redactor, 'text' | 'value' | 'field'>;

/** @param part what the fault's path is looked up in: the body, the query or the path's parameters */
function explain({ rule, path, facts }: Fault, part: unknown, redactor: Reader): Detail {
  const { requires: allowed, allowedCharacters: characters }: Rule = rules[rule];
  const required = `required: ${allowed} (${rule})`;
  if (!path) return withoutField(rule, facts.found, redactor);
  const value = facts.names ?? cameAt(path, part, facts.value);
  const field = bounded(redactor.text(path.join('.')));
  const came = shown(path, value, redactor);
  const label = labelOf(path, field);
  if (characters === undefined || typeof value !== 'string') {
    const what = value === undefined ? 'is missing' : `${facts.names ? 'names' : 'is'} ${came}`;
    return { rule, field, came, allowed, sentence: `${label} ${what}; ${required}` };
  }
  const length = `${value.length} characters`;
  const sentence = `${label} has ${length}; the contract allows ${characters} (${rule})`;
  return { rule, field, came: `${came} (${length})`, allowed, sentence };
}

/** A refusal that is about no field of the request may be about what it found, such as an order's status. */
function withoutField(rule: RuleId, found: unknown, redactor: Reader): Detail {
  const allowed = rules[rule].requires;
  const required = `required: ${allowed} (${rule})`;
  if (found === undefined) return { rule, field: null, came: null, allowed, sentence: required };
  const came = preview(redactor.value(found));
  return { rule, field: null, came, allowed, sentence: `found ${came}; ${required}` };
}

/** The value at a path; where there is none, what the fault itself tells. */
function cameAt(path: FieldPath, part: unknown, told: unknown): unknown {
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    part,
  );
  return value === undefined ? told : value;
}

function shown(path: FieldPath, value: unknown, redactor: Reader): string {
  const secret = path.find((key) => typeof key === 'string' && isSecretName(key));
  return preview(secret === undefined ? redactor.value(value) : redactor.field(String(secret), value));
}

const maxFieldCharacters = 200;
/** A client may name a field as long as a body. */
const bounded = (field: string): string =>
  field.length > maxFieldCharacters ? `${field.slice(0, maxFieldCharacters - 1)}…` : field;

/** The field's own name, or the whole path where it takes a list's index to find it. */
function labelOf(path: FieldPath, field: string): string {
  const isPlain = path.every((key) => typeof key === 'string');
  return (isPlain ? field.slice(field.lastIndexOf('.') + 1) : field) || 'the body';
}
