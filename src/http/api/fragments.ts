// The JSON of records, made once and joined into answers. A record is never changed, only replaced; what its JSON hangs on beside it is
// kept with it, and compared at each use.
import { Fragment, JoinedPieces, Pieces } from '../../control/journal/pieces.ts';
import { LastMade } from './last-made.ts';

interface Kept {
  readonly hangsOn: unknown;
  readonly fragment: Fragment;
  readonly length: number;
}

/** The fragments that were made last, by their records. */
export class Fragments<Row extends object> {
  readonly #kept = new LastMade<Row, Kept>();

  /** @param hangsOn what `make` uses beside the record: the same object, or the same primitive, as long as it is the same */
  of(row: Row, hangsOn: unknown, make: () => object): Fragment {
    const kept = this.#kept.get(row);
    if (kept && kept.hangsOn === hangsOn) return kept.fragment;
    const fragment = new Fragment(JSON.stringify(make()));
    this.#kept.set(row, { hangsOn, fragment, length: fragment.json.length });
    return fragment;
  }
}

/** What is made anew for each answer, in one piece. */
export const whole = <T>(value: object): Pieces<T> => new Pieces<T>([new Fragment(JSON.stringify(value))]);

const [comma, end] = [new Fragment(','), new Fragment(']}')];

/** What comes before the items of lists, by its text. */
const heads = new Map<string, Fragment>();

function head(json: string): Fragment {
  const found = heads.get(json) ?? new Fragment(json);
  heads.set(json, found);
  return found;
}

function madeList<T>(key: string, items: readonly Fragment[], rest: string): JoinedPieces<T> {
  const tail = rest === '{}' ? end : new Fragment(`],${rest.slice(1)}`);
  return new JoinedPieces<T>([head(`{"${key}":[`), ...withCommas(items), tail]);
}

/** It may be the last that holds its fragments, so they count as it does. */
interface List {
  readonly key: string;
  readonly rest: string;
  readonly items: readonly Fragment[];
  readonly pieces: Pieces;
  readonly length: number;
}

/** The list that was made last with each first record. */
const lastLists = new LastMade<object, List>();

/**
 * A list under a key, with what stands beside it: `{"fulfillments":[…],"next_cursor":null}`. Asked for again, it is the same list, joined already.
 * @param key one of the service's own
 * @param items fragments that are kept
 * @param first the first of the records that are listed, if any
 * @param beside an object that has not the key
 */
export function listOf<T>(
  key: string,
  items: readonly Fragment[],
  first: object | undefined,
  beside: object = {},
): Pieces<T> {
  const rest = JSON.stringify(beside);
  const last = first && lastLists.get(first);
  if (last?.key === key && last.rest === rest && isSame(last.items, items)) return last.pieces as Pieces<T>;
  const pieces = madeList<T>(key, items, rest);
  if (first) lastLists.set(first, { key, rest, items, pieces, length: 2 * pieces.length });
  return pieces;
}

const isSame = (one: readonly Fragment[], other: readonly Fragment[]): boolean =>
  one.length === other.length && one.every((fragment, at) => fragment === other[at]);

const withCommas = (items: readonly Fragment[]): Fragment[] =>
  items.flatMap((item, at) => (at === 0 ? item : [comma, item]));
