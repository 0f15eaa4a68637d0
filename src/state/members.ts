// The sequence numbers of a group of an index.
import type { WalkFrom } from '../domain/world.ts';
import { NumberTrie } from './number-trie.ts';

/** Many of them, and who may write them; others clone them. */
interface Many {
  readonly owner: object;
  readonly numbers: NumberTrie<true>;
}

/** Most groups have one. A few stand in a list, upwards, of which each writer makes a new one. */
export type Members = number | readonly number[] | Many;

/** A longer list would cost more to make anew than it saves. */
const few = 8;

export const byNumber = (a: number, b: number): number => a - b;

export const isBehind = (sequence: number, after: number | undefined, newestFirst: boolean): boolean =>
  after === undefined || (newestFirst ? sequence < after : sequence > after);

/** The members with one more; the very same, where the owner may write them. */
export function joined(members: Members | undefined, sequence: number, owner: object): Members {
  if (members === undefined) return sequence;
  if (isMany(members)) return changed(members, owner, (numbers) => numbers.set(sequence, true));
  const all = [...listed(members), sequence].sort(byNumber);
  return all.length <= few ? all : many(all, owner);
}

/** The members without one; none where it was the last. */
export function left(members: Members, sequence: number, owner: object): Members | undefined {
  if (isMany(members)) {
    const others = changed(members, owner, (numbers) => numbers.delete(sequence));
    return others.numbers.size > 0 ? others : undefined;
  }
  const others = listed(members).filter((member) => member !== sequence);
  return others.length > 1 ? others : others[0];
}

export function firstOf(members: Members): number | undefined {
  for (const first of sequencesOf(members, {})) return first;
  return undefined;
}

export function sequencesOf(members: Members, { after, newestFirst = false }: WalkFrom): Iterable<number> {
  if (isMany(members))
    return newestFirst ? members.numbers.before(after) : members.numbers.from(after === undefined ? 0 : after + 1);
  const found = listed(members).filter((member) => isBehind(member, after, newestFirst));
  return newestFirst ? found.reverse() : found;
}

const isMany = (members: Members): members is Many => typeof members === 'object' && 'numbers' in members;
const listed = (members: number | readonly number[]): readonly number[] =>
  typeof members === 'number' ? [members] : members;

function many(all: readonly number[], owner: object): Many {
  const numbers = new NumberTrie<true>();
  for (const member of all) numbers.set(member, true);
  return { owner, numbers };
}

function changed(members: Many, owner: object, change: (numbers: NumberTrie<true>) => void): Many {
  const own = members.owner === owner ? members : { owner, numbers: members.numbers.clone() };
  change(own.numbers);
  return own;
}
