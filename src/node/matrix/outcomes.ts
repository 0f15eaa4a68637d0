// What became of a call, as far as two runs of the same client can be compared; and how often that came.
import { trackingPath } from '../../contract/addresses.ts';
import type { Entry } from '../../control/journal/entry.ts';

/** Kinds that are told apart: a client may call as many paths as it likes. */
const maxKinds = 10_000;
/** The longest path that is told from others: whoever asks for a longer one asks for many such. */
const maxPathCharacters = 500;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const numbered = new RegExp(`^${trackingPath}/.*`);

/** The operation, else the method and the path without its ids; then the status and the rules. */
export function outcomeOf({
  operation,
  method,
  path,
  answer,
}: Pick<Entry, 'operation' | 'method' | 'path' | 'answer'>): string {
  const asked = operation ?? `${method} ${withoutIds(path.slice(0, maxPathCharacters))}`;
  return [asked, answer?.status ?? 'broken', ...(answer?.decision.rules ?? [])].join(' ');
}

const withoutIds = (path: string): string =>
  path.replaceAll(uuid, '{id}').replace(numbered, `${trackingPath}/{number}`);

export class OutcomeCounts {
  readonly #counts = new Map<string, number>();

  of(outcome: string): number {
    return this.#counts.get(this.#kindOf(outcome)) ?? 0;
  }

  /** Counts one more; gives how many there are now. */
  add(outcome: string): number {
    const count = this.of(outcome) + 1;
    this.#counts.set(this.#kindOf(outcome), count);
    return count;
  }

  #kindOf(outcome: string): string {
    return this.#counts.has(outcome) || this.#counts.size < maxKinds ? outcome : '';
  }
}
