// What happens in a sandbox, told as it happens: requests answered, state changed, time turned. Nothing is kept until somebody listens;
// from then on the last events are, so that a listener who was cut off goes on where it was.
import type { Change, Root } from '../state/root.ts';
import { requestId } from './ids.ts';
import type { Entry } from './journal/entry.ts';

/** One event. Its id is the feed's own and a number that counts up from 1. */
export interface FeedEvent {
  readonly id: string;
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
  /** Events behind the one it names are not kept any more, or it names none of this feed. */
  readonly missed: () => void;
  readonly end: () => void;
}

export class Feed {
  readonly #followed: Followed;
  readonly #listeners = new Set<Listener>();
  /** What its events' ids begin with: those of another life or server are not taken for its own. */
  readonly id = requestId().slice(0, 8);
  readonly #events: FeedEvent[] = [];
  #last = 0;
  #isFollowing = false;
  #isOver = false;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /** Listens from here on, or from behind the event of this id; gives what ends it. A feed that is over ends it at once. */
  listen(listener: Listener, after?: string): () => void {
    if (this.#isOver) {
      listener.end();
      return () => undefined;
    }
    this.#follow();
    this.#listeners.add(listener);
    if (after !== undefined) this.#replay(listener, after);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends every listener, and whoever listens later. */
  end(): void {
    this.#isOver = true;
    for (const listener of [...this.#listeners]) listener.end();
    this.#listeners.clear();
  }

  /** All that is kept behind an event; all that is kept at all where that cannot be told. */
  #replay(listener: Listener, after: string): void {
    const oldest = this.#last - this.#events.length + 1;
    const [feed, number = ''] = after.split('.');
    const from = feed === this.id && /^\d{1,15}$/.test(number) ? Number(number) : -1;
    const isKnown = from >= oldest - 1 && from <= this.#last;
    if (!isKnown) listener.missed();
    for (const event of this.#events.slice(isKnown ? from - oldest + 1 : 0)) listener.tell(event);
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
    const event = { id: `${this.id}.${this.#last}`, type, what };
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
