// Entry → wire: what the control API shows of the journal.

import type { AssumptionId } from '../contract/assumptions.ts';
import { cursorAfter } from '../contract/control/data.ts';
import type { RequestJson, RequestsJson, RequestsQuery, VerifiedJson } from '../contract/control/requests.ts';
import { limits } from '../contract/limits.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import { type Decision, sentenceOf } from './decision.ts';
import type { Answer, Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { readJson } from './redaction.ts';
import type { Verified } from './verify.ts';

export function presentEntry(entry: Entry): RequestJson {
  const { id, receivedAt, operation, method, path, query, answer } = entry;
  return {
    id,
    received_at: new Date(receivedAt).toISOString(),
    completed: answer !== null,
    operation,
    method,
    path,
    query,
    status: answer?.status ?? null,
    rules: [...(answer?.decision.rules ?? [])],
    duration_ms: answer?.durationMilliseconds ?? null,
    caller: answer?.caller ?? null,
    request: { headers: Object.fromEntries(entry.headers), body: bodyOf(entry.body) },
    response: answer && { headers: { ...answer.headers }, body: bodyOf(answer.body) },
    decision: answer && presentDecision(answer, operation),
  };
}

/** Parsed where it is JSON, else the text. */
function bodyOf(text: string | null): unknown {
  if (text === null) return null;
  const json = readJson(text);
  return json ? json.value : text;
}

function presentDecision({ status, decision }: Answer, operation: string | null): NonNullable<RequestJson['decision']> {
  const { stage, rules, details, faults } = decision;
  const assumptions = assumptionsOf(decision);
  const assumed = Object.entries(assumptions).map(([id, choice]) => `${id}=${choice}`);
  const isAccepted = details.length === 0 && assumed.length > 0;
  const sentence = sentenceOf(decision, status, operation);
  return {
    stage,
    rules: [...rules],
    assumptions,
    faults: [...faults],
    details: details.map(({ rule, field, came, allowed }) => ({ rule, field, came, allowed })),
    sentence: isAccepted ? `${sentence}; assumed: ${assumed.join(', ')}` : sentence,
  };
}

const assumptionsOf = ({ assumptions }: Decision): Record<string, string> =>
  assumptions ? Object.fromEntries(Array.from(assumptions.used, (id) => [id, assumptions.choices[id]])) : {};

/** The answer of `requests.list`: whole unless limit or cursor is given. */
export function presentList(journal: Journal, query: DeepReadonly<RequestsQuery>): RequestsJson {
  const { limit: asked, cursor: after, ...filter } = query;
  const limit = asked ?? (after === undefined ? Number.POSITIVE_INFINITY : limits.defaultPageItems);
  const found = journal.list({ ...filter, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const { dropped, oldest } = journal;
  return {
    requests: page.map(presentEntry),
    dropped,
    oldest,
    ...(last && { next_cursor: cursorAfter(last.id) }),
  };
}

/** The answer of `requests.verify` and `requests.wait`. */
export const presentVerified = (
  { satisfied, count, requests }: Verified,
  { dropped, oldest }: Journal,
): VerifiedJson => ({ satisfied, count, requests: requests.map(presentEntry), dropped, oldest });

// Which assumptions the calls of a journal have hung on.

/** What calls have to do with one assumption. */
export interface Touch {
  /** How many have asked for it. */
  readonly calls: number;
  /** The newest of them. */
  readonly newest: Entry;
}

interface Way {
  calls: number;
  readonly newest: Entry;
  readonly assumptions: Assumptions;
}

/** By assumption; those that no call has asked for are not there. Calls are many, but the ways through the code that they took are few. */
export function touchedIn(newestFirst: Iterable<Entry>): ReadonlyMap<AssumptionId, Touch> {
  const touched = new Map<AssumptionId, Touch>();
  for (const { calls, newest, assumptions } of waysOf(newestFirst)) {
    for (const id of assumptions.used) {
      const before = touched.get(id);
      touched.set(id, { calls: calls + (before?.calls ?? 0), newest: before?.newest ?? newest });
    }
  }
  return touched;
}

/** Calls that asked for the same, as one; in the order of the first that came. */
function waysOf(newestFirst: Iterable<Entry>): Iterable<Way> {
  const ways = new Map<Assumptions, Way>();
  for (const entry of newestFirst) {
    const assumptions = entry.answer?.decision.assumptions;
    if (!assumptions || entry.isByConsole) continue;
    const way = ways.get(assumptions);
    if (way) way.calls += 1;
    else ways.set(assumptions, { calls: 1, newest: entry, assumptions });
  }
  return ways.values();
}
