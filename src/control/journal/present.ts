// Entry → wire: what the control API shows of the journal.

import { cursorAfter } from '../../contract/admin/cursor.ts';
import type { RequestShown, RequestsQuery, RequestsShown, VerifiedShown } from '../../contract/admin/requests.ts';
import { limits } from '../../contract/limits.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { type Decision, sentenceOf } from './decision.ts';
import type { Answer, Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { readJson } from './json-text.ts';
import type { Verified } from './verify.ts';

export function presentEntry(entry: Entry): RequestShown {
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

function presentDecision(
  { status, decision }: Answer,
  operation: string | null,
): NonNullable<RequestShown['decision']> {
  const { stage, rules, details, faults } = decision;
  const assumptions = assumptionsOf(decision);
  const assumed = Object.entries(assumptions).map(([id, reading]) => `${id}=${reading}`);
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

const assumptionsOf = ({ terms }: Decision): Record<string, string> =>
  terms ? Object.fromEntries(Array.from(terms.asked, (id) => [id, terms.readings[id]])) : {};

/** The answer of `requests.list`: whole unless limit or cursor is given. */
export function presentList(journal: Journal, query: DeepReadonly<RequestsQuery>): RequestsShown {
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
): VerifiedShown => ({ satisfied, count, requests: requests.map(presentEntry), dropped, oldest });
