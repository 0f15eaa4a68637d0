// The JSON of records, made once and joined into answers. A record is never changed, only replaced; what its JSON hangs on beside it is
// kept with it, and compared at each use.
import { Fragment, Pieces } from '../../control/journal/pieces.ts';

/** What the fragments of one kind take at most, in characters: a client may read through all that is stored. */
const mostCharacters = 8_388_608;
/** What one takes beside its text, roughly. */
const overhead = 200;

interface Kept {
  readonly hangsOn: unknown;
  readonly fragment: Fragment;
}

/** The fragments that were made last, by their records. */
export class Fragments<Row extends object> {
  readonly #kept = new Map<Row, Kept>();
  #characters = 0;

  /** @param hangsOn what `make` uses beside the record: the same object, or the same primitive, as long as it is the same */
  of(row: Row, hangsOn: unknown, make: () => object): Fragment {
    const kept = this.#kept.get(row);
    if (kept && kept.hangsOn === hangsOn) return kept.fragment;
    const fragment = new Fragment(JSON.stringify(make()));
    if (kept) this.#forget(row, kept);
    this.#keep(row, { hangsOn, fragment });
    return fragment;
  }

  #keep(row: Row, kept: Kept): void {
    this.#kept.set(row, kept);
    this.#characters += sizeOf(kept);
    for (const [oldest, least] of this.#kept) {
      if (this.#characters <= mostCharacters) return;
      this.#forget(oldest, least);
    }
  }

  #forget(row: Row, kept: Kept): void {
    this.#kept.delete(row);
    this.#characters -= sizeOf(kept);
  }
}

const sizeOf = ({ fragment }: Kept): number => fragment.json.length + overhead;

const [comma, end] = [new Fragment(','), new Fragment(']}')];

/**
 * A list under a key, with what stands beside it: `{"orders":[…],"next_cursor":null}`.
 * @param key one of the service's own
 * @param beside an object that has not the key
 */
export function listOf<T>(key: string, items: readonly Fragment[], beside: object = {}): Pieces<T> {
  const fragments = [new Fragment(`{"${key}":[`)];
  for (const [index, item] of items.entries()) {
    if (index > 0) fragments.push(comma);
    fragments.push(item);
  }
  const rest = JSON.stringify(beside);
  fragments.push(rest === '{}' ? end : new Fragment(`],${rest.slice(1)}`));
  return new Pieces(fragments);
}

/** A single record under a key: `{"fulfillment":{…}}`. */
export const wrapped = <T>(key: string, item: Fragment): Pieces<T> =>
  new Pieces([new Fragment(`{"${key}":`), item, brace]);

const brace = new Fragment('}');
