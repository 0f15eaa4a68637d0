// Which calls of the journal a match means. To read a body takes long, so it is read once for each who asks, and once for all who wait.
import type { Match } from '../../contract/admin/match.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { holds, matches } from '../match.ts';
import { type Entry, factsOf } from './entry.ts';

/** Whether a call is completed and meant. */
export type IsMeant = (entry: Entry) => boolean;

/** What was answered stays as it is, so each call is judged once; what was read of it is not kept, for it takes much more than its text. */
export function judgeOf(match: DeepReadonly<Match>): IsMeant {
  const known = new WeakMap<Entry, boolean>();
  return (entry) => {
    if (entry.answer === null) return false;
    const isMeant = known.get(entry) ?? means(match, entry);
    known.set(entry, isMeant);
    return isMeant;
  };
}

const means = ({ body, ...others }: DeepReadonly<Match>, entry: Entry): boolean =>
  matches(others, factsOf(entry)) && (body === undefined || holds(body, bodyOf(entry)));

let lastRead: { readonly entry: Entry; readonly body: unknown } | undefined;

/** All who wait look at an answered call in one turn, so the last body that was read is kept for as long. */
function bodyOf(entry: Entry): unknown {
  if (lastRead?.entry === entry) return lastRead.body;
  if (!lastRead) queueMicrotask(forget);
  lastRead = { entry, body: factsOf(entry).body };
  return lastRead.body;
}

function forget(): void {
  lastRead = undefined;
}
