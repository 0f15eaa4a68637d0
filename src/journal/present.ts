// Entries as the control API shows them.
import { cursorAfter } from '../contract/control/paging.ts';
import type { RequestJson, RequestsJson, RequestsQuery, VerifiedJson } from '../contract/control/requests.ts';
import { limits } from '../contract/limits.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { askedChoices, reasonOf, sentenceOf } from './decision.ts';
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
    request: { headers: Object.fromEntries(entry.headers), body: presentBody(entry.body) },
    response: answer && { headers: { ...answer.headers }, body: presentBody(answer.body) },
    decision: answer && presentDecision(answer, operation),
  };
}

/** The value of a JSON body, else the text. */
function presentBody(text: string | null): unknown {
  const json = text === null ? undefined : readJson(text);
  return json ? json.value : text;
}

function presentDecision({ status, decision }: Answer, operation: string | null): NonNullable<RequestJson['decision']> {
  const { stage, rules, details, faults } = decision;
  const assumptions = askedChoices(decision);
  const assumed = Object.entries(assumptions).map(([id, choice]) => `${id}=${choice}`);
  const sentence = sentenceOf(decision, status, operation);
  const reason = reasonOf(decision, status, operation);
  return {
    stage,
    rules: [...rules],
    assumptions,
    faults: [...faults],
    details: details.map(({ rule, field, came, allowed }) => ({ rule, field, came, allowed })),
    reason,
    sentence: details.length === 0 && assumed.length > 0 ? `${sentence} Assumed: ${assumed.join(', ')}.` : sentence,
  };
}

/** The answer of `requests.list`: all entries unless the query has a limit or cursor. */
export function presentList(journal: Journal, query: DeepReadonly<RequestsQuery>): RequestsJson {
  const limit = query.limit ?? (query.cursor === undefined ? Number.POSITIVE_INFINITY : limits.defaultPageItems);
  const found = journal.list({ ...query, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const { dropped, oldest } = journal;
  return { requests: page.map(presentEntry), dropped, oldest, ...(last && { next_cursor: cursorAfter(last.id) }) };
}

/** The answer of `requests.verify` and `requests.wait`. */
export const presentVerified = (
  { satisfied, count, requests }: Verified,
  { dropped, oldest }: Journal,
): VerifiedJson => ({ satisfied, count, requests: requests.map(presentEntry), dropped, oldest });
