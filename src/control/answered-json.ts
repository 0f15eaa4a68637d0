// The JSON of a call as the journal keeps it, where the caller got a 200.
import { isRecord } from '../contract/schema.ts';
import type { Answer, Entry } from './journal/entry.ts';
import { readJson } from './journal/json-text.ts';

type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = {};

/** The answer of a call that was accepted and whose answer arrived; undefined for any other. */
export function arrived({ answer }: Entry): Answer | undefined {
  return answer?.status === 200 && !answer.decision.isLost ? answer : undefined;
}

/** The fields of a body; none where it is not kept, or is no object. */
export function fieldsOf(body: string | null): Fields {
  const json = body === null ? undefined : readJson(body);
  return isRecord(json?.value) ? json.value : nothing;
}
