// Whether a request is meant by a `match`: the same for faults, switches, the journal's filters and verify.

import { LRUCache } from 'lru-cache';
import { patternOf } from '../contract/addresses.ts';
import type { Match } from '../contract/control/match.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';

/** What came. */
export interface RequestFacts {
  /** The operation's id; null for what is no operation. */
  readonly operation: string | null;
  readonly method: string;
  /** Without the base URL, still encoded. */
  readonly path: string;
  /** The body's JSON value. Asked for only by a match that names a body, so it may be a getter. */
  readonly body: unknown;
}

/** What came, and what was answered: null or not there before an answer. */
export interface Facts extends RequestFacts {
  readonly status?: number | null;
  readonly rules?: readonly string[];
}

/** Whether all that the match names holds of the request. A match that names nothing means every request. */
export function matches(match: DeepReadonly<Match>, facts: Facts): boolean {
  const { operation, method, path, status, rule, body } = match;
  return (
    (operation === undefined || operation === facts.operation) &&
    (method === undefined || method === facts.method) &&
    (status === undefined || status === facts.status) &&
    (path === undefined || isAt(path, facts.path)) &&
    (rule === undefined || facts.rules?.includes(rule) === true) &&
    (body === undefined || holds(body, facts.body))
  );
}

const templates = new LRUCache<string, RegExp>({ max: 1000, memoMethod: patternOf });

/** A literal path is the same; a template's `{name}` is any one segment. A slash at the end makes another path. */
const isAt = (wanted: string, path: string): boolean =>
  wanted === path || (wanted.includes('{') && templates.memo(wanted).test(path));

/** Whether a body is as wanted. Objects: the named fields, and theirs; lists: item by item; else equal. */
export function holds(wanted: unknown, came: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(came) || came.length !== wanted.length) return false;
    return wanted.every((item, index) => holds(item, came[index]));
  }
  if (!isRecord(wanted)) return wanted === came;
  return (
    isRecord(came) && Object.keys(wanted).every((key) => Object.hasOwn(came, key) && holds(wanted[key], came[key]))
  );
}
