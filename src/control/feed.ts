// What happens in a sandbox, told as it happens: requests answered, state changed, time turned. Nothing is kept until somebody listens;
// from then on the last events are, so that a listener who was cut off goes on where it was.
import type { Change, Root } from '../state/root.ts';
import type { Entry } from './journal/entry.ts';

/** One event; the ids of a feed count up from 1. */
export interface FeedEvent {
  readonly id: number;
  readonly type: 'request' | 'state' | 'clock';
  /** An answered call, the state with the names of what changed, or the state whose clock was turned. */
  readonly what: Entry | { readonly root: Root; readonly changed: readonly string[] };
}

/** What a feed follows. */
interface Followed {
  readonly journal: { onCompleted(listener: (entry: Entry) => void): () => void };
  observe(observer: (root: Root, changes: Iterable<Change>) => void): () => void;
}

const maxEvents = 1000;

interface Listener {
  readonly tell: (event: FeedEvent) => void;
  readonly end: () => void;
}

export class Feed {
  readonly #followed: Followed;
  readonly #listeners = new Set<Listener>();
  readonly #events: FeedEvent[] = [];
  #last = 0;
  #isFollowing = false;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /**
   * Listens from here on, or from behind the event of this id; gives what ends it.
   * @returns `missed` where events behind that id are not kept any more, or the id is not of this feed.
   */
  listen(listener: Listener, after?: number): { readonly missed: boolean; readonly stop: () => void } {
    this.#follow();
    const oldest = this.#events[0]?.id ?? this.#last + 1;
    const missed = after !== undefined && (after < oldest - 1 || after > this.#last);
    if (after !== undefined) for (const event of this.#events) if (missed || event.id > after) listener.tell(event);
    this.#listeners.add(listener);
    return { missed, stop: () => void this.#listeners.delete(listener) };
  }

  /** Ends every listener. */
  end(): void {
    for (const listener of [...this.#listeners]) listener.end();
    this.#listeners.clear();
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#followed.journal.onCompleted((entry) => this.#tell('request', entry));
    this.#followed.observe((root, changes) => this.#committed(root, changes));
  }

  #committed(root: Root, changes: Iterable<Change>): void {
    const changed = namesOf(changes);
    this.#tell('state', { root, changed });
    if (changed.includes('clock') || changed.includes('everything')) this.#tell('clock', { root, changed });
  }

  #tell(type: FeedEvent['type'], what: FeedEvent['what']): void {
    this.#last += 1;
    const event = { id: this.#last, type, what };
    this.#events.push(event);
    if (this.#events.length > maxEvents) this.#events.shift();
    for (const { tell } of [...this.#listeners]) tell(event);
  }
}

/** The tables and values that changes touch; a restore touches everything. */
function namesOf(changes: Iterable<Change>): string[] {
  const names = new Set<string>();
  for (const change of changes) {
    if ('table' in change) names.add(change.table);
    else if ('value' in change) names.add(change.value);
    else names.add('keep' in change || 'drop' in change ? 'snapshots' : 'everything');
  }
  return [...names];
}
