// The journal of a sandbox of a running server, as it is now.
import { requestOperations } from '../contract/admin/requests.ts';
import { ask, type Remote, StrangeAnswerError } from './ask.ts';
import { type JournalEntry, journalList } from './journal-entry.ts';

export interface JournalSoFar {
  readonly requests: readonly JournalEntry[];
  /** How many earlier ones it no longer has. */
  readonly dropped: number;
}

/** @throws as `ask`, and StrangeAnswerError. */
export async function journalSoFar(remote: Remote): Promise<JournalSoFar> {
  const response = await ask(remote, requestOperations['requests.list']);
  const body: unknown = await response.json().catch(() => undefined);
  const { data } = journalList.safeParse(body);
  if (data) return data;
  throw new StrangeAnswerError(remote.url);
}
