// What a scenario that is taken back gives back: records as they were before it, but for those that were changed since.
import type { FileFault } from '../contract/file-faults.ts';
import type { Draft } from '../state/draft.ts';
import type { ChangedRecord } from '../state/root.ts';
import type { Writing } from './backstage.ts';
import { settleDeclared } from './put-records.ts';
import { type RecordChange, RecordChanges } from './record-changes.ts';
import { writeRecord } from './record-writes.ts';

/** Whether two records hold the same, in the same order. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Gives records back that nobody changed since, where all that they name is still there. */
export function giveBack(draft: Draft, records: readonly ChangedRecord[], writing: Writing): void {
  const unchanged = records.flatMap(({ collection, before, after, timed }, index) => {
    const isUnchanged = before && isSame(draft.table(collection).get(after.id), after);
    return isUnchanged ? [{ collection, before: after, after: before, ...(timed && { timed }), at: `$${index}` }] : [];
  });
  const changes = soundOf(draft, unchanged);
  for (const change of changes) writeRecord(draft, change);
  settleDeclared(draft, changes, writing);
}

/** Chains of references are shorter; where one of usernames is longer, no user goes back. */
const maxRounds = 10;

/** One that cannot go back may be named by another: judged again, until all that are left can. */
function soundOf<Change extends RecordChange>(draft: Draft, changes: readonly Change[]): readonly Change[] {
  let left = changes;
  for (let round = 0; round < maxRounds; round += 1) {
    const faulty = new Set(faultsOf(draft, left).map(({ path }) => path.slice(0, path.indexOf('.'))));
    if (faulty.size === 0) return left;
    left = left.filter(({ at }) => !faulty.has(at));
  }
  const others = left.filter(({ collection }) => collection !== 'users');
  return others.length < left.length ? soundOf(draft, others) : [];
}

function faultsOf(draft: Draft, changes: readonly RecordChange[]): FileFault[] {
  const judged = new RecordChanges(draft, changes);
  return [...judged.takenUsernames(), ...judged.faultyReferences(), ...judged.faultyReferrers()];
}
