// What a consumer is called where people read.
import type { Draft } from '../state/draft.ts';

/** First and last name, else the e-mail address, else the id. */
export function consumerName(draft: Draft, id: string): string {
  const { first_name = null, last_name = null, email = null } = draft.table('consumers').get(id) ?? {};
  return [first_name, last_name].filter(Boolean).join(' ') || email || id;
}
