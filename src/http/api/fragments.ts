// The JSON of records, made once and joined into answers. A record is never changed, only replaced; what its JSON hangs on beside it is
// kept with it, and compared at each use.
import { Fragment, Pieces } from '../../control/journal/pieces.ts';
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

/** The fragment of what is made anew for each answer. */
export const freshFragment = (value: object): Fragment => new Fragment(JSON.stringify(value));

const [comma, end] = [new Fragment(','), new Fragment(']}')];

/** What comes before the items of lists, by its text. */
const heads = new Map<string, Fragment>();

function head(json: string): Fragment {
  const found = heads.get(json) ?? new Fragment(json);
  heads.set(json, found);
  return found;
}

/**
 * A list under a key, with what stands beside it: `{"orders":[…],"next_cursor":null}`.
 * @param key one of the service's own
 * @param beside an object that has not the key
 */
export function listOf<T>(key: string, items: readonly Fragment[], beside: object = {}): Pieces<T> {
  const rest = JSON.stringify(beside);
  const tail = rest === '{}' ? end : new Fragment(`],${rest.slice(1)}`);
  return new Pieces<T>([head(`{"${key}":[`), ...withCommas(items), tail]);
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
 * As `listOf`, of fragments that are kept: asked for again, it is the same list, joined already. Fresh ones would only fill what is kept.
 * @param first the first of the records that are listed, if any
 */
export function keptListOf<T>(
  key: string,
  items: readonly Fragment[],
  beside: object = {},
  first: object | undefined = undefined,
): Pieces<T> {
  const rest = JSON.stringify(beside);
  const last = first && lastLists.get(first);
  if (last?.key === key && last.rest === rest && isSame(last.items, items)) return last.pieces as Pieces<T>;
  const pieces = listOf<T>(key, items, beside);
  if (first) lastLists.set(first, { key, rest, items, pieces, length: 2 * pieces.length });
  return pieces;
}

const isSame = (one: readonly Fragment[], other: readonly Fragment[]): boolean =>
  one.length === other.length && one.every((fragment, at) => fragment === other[at]);

const withCommas = (items: readonly Fragment[]): Fragment[] =>
  items.flatMap((item, at) => (at === 0 ? item : [comma, item]));
