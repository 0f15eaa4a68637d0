// The sequence numbers of a group of an index.
import type { WalkFrom } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';

/** Many of them, and who may write them; others clone them. They may stand far apart, which in a trie would take a node for each. */
interface Many {
  readonly owner: object;
  readonly numbers: Tree<number, undefined>;
}

/** Most groups have one. A few stand in a list, upwards, of which each writer makes a new one; a group that had more keeps its tree until it is empty. */
export type Members = number | readonly number[] | Many;

/** A longer list would cost more to make anew than it saves. */
const few = 8;

export const byNumber = (a: number, b: number): number => a - b;

export const isBehind = (sequence: number, after: number | undefined, newestFirst: boolean): boolean =>
  after === undefined || (newestFirst ? sequence < after : sequence > after);

/** The members with one more; the very same, where the owner may write them. */
export function joined(members: Members | undefined, sequence: number, owner: object): Members {
  if (members === undefined) return sequence;
  if (isMany(members)) return changed(members, owner, (numbers) => numbers.set(sequence, undefined));
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
  return isMany(members) ? members.numbers.minKey() : listed(members)[0];
}

export function sequencesOf(members: Members, { after, newestFirst = false }: WalkFrom): Iterable<number> {
  if (isMany(members))
    return newestFirst ? backwards(members, after) : members.numbers.keys(after === undefined ? undefined : after + 1);
  const found = listed(members).filter((member) => isBehind(member, after, newestFirst));
  return newestFirst ? found.reverse() : found;
}

function* backwards({ numbers }: Many, after: number | undefined): Generator<number> {
  for (const [sequence] of numbers.entriesReversed(after, [] as never, true)) yield sequence;
}

const isMany = (members: Members): members is Many => typeof members === 'object' && 'numbers' in members;
const listed = (members: number | readonly number[]): readonly number[] =>
  typeof members === 'number' ? [members] : members;

function many(all: readonly number[], owner: object): Many {
  const entries = all.map((member): [number, undefined] => [member, undefined]);
  return { owner, numbers: new BTree<number, undefined>(entries, byNumber) };
}

function changed(members: Many, owner: object, change: (numbers: Tree<number, undefined>) => void): Many {
  const own = members.owner === owner ? members : { owner, numbers: members.numbers.clone() };
  change(own.numbers);
  return own;
}
