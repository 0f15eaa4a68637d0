// Why a call was answered as it was: the stage, the rules and fields of a refusal, the faults that met it. For an accepted call this
// keeps references only; words are made when somebody reads them.
import type { Fault, Refusal } from '../../contract/refusal.ts';
import type { RuleId } from '../../contract/rules.ts';
import type { Terms } from '../../contract/terms.ts';
import { type Detail, explain } from './explain.ts';
import type { Redactor } from './redaction.ts';

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
  /** The readings with the trace of those that were asked for. */
  readonly terms?: Terms | undefined;
  /** The ids of the faults that met the call, in order. */
  readonly faults?: readonly string[] | undefined;
  /** Whether the last of the faults gave the answer. */
  readonly isInjected?: boolean | undefined;
  /** Whether the caller never got the answer. */
  readonly isLost?: boolean | undefined;
  /** The next cursor that a page gave; null on the last one. */
  readonly next?: string | null | undefined;
  /** What the fields of a refusal are looked up in. */
  readonly parts?: Parts | undefined;
}

interface Parts {
  readonly params?: unknown;
  readonly query?: unknown;
  /** The body's JSON value. */
  readonly body?: unknown;
}

export interface Decision {
  readonly stage: StageName;
  /** One per reported detail, in order; of those after the twentieth each other rule once. */
  readonly rules: readonly RuleId[];
  /** The first twenty. */
  readonly details: readonly Detail[];
  /** How many faults are reported. */
  readonly reported: number;
  readonly faults: readonly string[];
  readonly isInjected: boolean;
  readonly isLost: boolean;
  readonly next: string | null | undefined;
  readonly terms: Terms | undefined;
}

const maxDetails = 20;
const none: readonly never[] = [];

export function decisionOf(decided: Decided, redactor: Redactor): Decision {
  const { stage, refusal, faults = none, isInjected = false, isLost = false, next } = decided;
  const terms = decided.terms?.kept;
  const isPlain = !refusal && !isLost && faults.length === 0 && next === undefined;
  if (isPlain && terms && stage === 'operation') return acceptedBy(terms);
  const { rules, details, reported } = refusal ? refusedBy(refusal, decided, redactor) : notRefused;
  return { stage, faults, isInjected, isLost, next, terms, rules, details, reported };
}

/** How calls are decided that were accepted and met by nothing: the same for all that have asked for the same. */
const accepted = new WeakMap<Terms, Decision>();

function acceptedBy(terms: Terms): Decision {
  const found = accepted.get(terms);
  if (found) return found;
  const parts = { faults: none, isInjected: false, isLost: false, next: undefined } as const;
  const made: Decision = { stage: 'operation', ...parts, terms, ...notRefused };
  accepted.set(terms, made);
  return made;
}

type Refused = Pick<Decision, 'rules' | 'details' | 'reported'>;
const notRefused: Refused = { rules: none, details: none, reported: 0 };

function refusedBy(refusal: Refusal, decided: Decided, redactor: Redactor): Refused {
  const all = reportedFaults(refusal, decided.terms);
  const part = partOf(decided);
  const details = all.slice(0, maxDetails).map((fault) => explain(fault, part, redactor));
  return { rules: rulesOf(all), details, reported: all.length };
}

/** The faults that an answer tells, by the reading of `validation_report`. */
export const reportedFaults = ({ faults }: Refusal, terms: Terms | undefined): readonly Fault[] =>
  terms?.readings.validation_report === 'first' ? [faults[0]] : faults;

/** The part of the request that the stage judged. */
function partOf({ stage, parts = {} }: Decided): unknown {
  if (stage === 'path') return parts.params;
  return stage === 'query' ? parts.query : parts.body;
}

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
