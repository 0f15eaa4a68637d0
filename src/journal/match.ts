// Whether a match fits a request: for faults, switches, the journal's filters and verify.
import { LRUCache } from 'lru-cache';
import { patternOf } from '../contract/addresses.ts';
import type { Match } from '../contract/control/match.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';

export interface RequestFacts {
  /** The operation's id; null if the request is not an operation. */
  readonly operation: string | null;
  readonly method: string;
  /** Without the base URL, still encoded. */
  readonly path: string;
  /** The body's JSON value. May be a getter: only a match with a body reads it. */
  readonly body: unknown;
}

/** A request and its answer. */
export interface CallFacts extends RequestFacts {
  readonly status?: number | null;
  readonly rules?: readonly string[];
}

/** True if the request has everything that the match names. An empty match means every request. */
export function matches(match: DeepReadonly<Match>, facts: CallFacts): boolean {
  const { operation, method, path, status, rule, body } = match;
  return (
    (operation === undefined || operation === facts.operation) &&
    (method === undefined || method === facts.method) &&
    (status === undefined || status === facts.status) &&
    (path === undefined || matchesPath(path, facts.path)) &&
    (rule === undefined || facts.rules?.includes(rule) === true) &&
    (body === undefined || includes(facts.body, body))
  );
}

const templates = new LRUCache<string, RegExp>({ max: 1000, memoMethod: patternOf });

/** A literal path, or a template whose `{name}` is any one segment. A slash at the end makes another path. */
const matchesPath = (wanted: string, path: string): boolean =>
  wanted === path || (wanted.includes('{') && templates.memo(wanted).test(path));

/** Objects need the wanted fields, lists the same items; anything else must be equal. */
function includes(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value) || value.length !== wanted.length) return false;
    return wanted.every((item, index) => includes(value[index], item));
  }
  if (!isRecord(wanted)) return wanted === value;
  if (!isRecord(value)) return false;
  return Object.keys(wanted).every((key) => Object.hasOwn(value, key) && includes(value[key], wanted[key]));
}
