// What happens in a sandbox, told as it happens: requests answered, state changed, time turned. Nothing is noted until somebody listens;
// from then on the last events are, so that a listener who was cut off goes on where it was. What a request was, the journal keeps.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import { presentClock } from '../state/clock.ts';
import type { CommitObserver } from '../state/sandbox.ts';
import type { Change, State, StoredChange } from '../state/state.ts';
import { answeredNames } from '../state/values.ts';
import { requestId } from '../system/random.ts';
import { every } from '../system/time.ts';
import type { Entry } from './entry.ts';
import { presentEntry } from './present.ts';

// Those who listen to what happens in a sandbox: so many at most, and each is told now and then that it is heard.

export type EventType = 'request' | 'state' | 'clock';

/** One event. Its id is the feed's own and a number that counts up from 1. */
export interface FeedEvent {
  readonly id: string;
  readonly type: EventType;
  /** The request that was answered, of an event that tells one. */
  readonly entry?: Entry;
  /** What it tells, as JSON; made once, when the first listener asks. */
  readonly json: string;
}

export interface Listener {
  readonly tell: (event: FeedEvent) => void;
  /** Events behind the one it names are not kept any more, or it names none of this feed. */
  readonly missed: () => void;
  /** Word that it is still heard, now and then, whatever happens. */
  readonly beat: () => void;
  readonly end: () => void;
}

/**
 * Between two such words. By them proxies keep a stream open (HTML, "Server-sent events": about every 15 seconds), and a listener who went without a
 * word is noticed.
 */
const beatMilliseconds = 15_000;

class Listeners {
  readonly #all = new Set<Listener>();
  #stopBeating: (() => void) | undefined;

  /** @throws ControlRefusal 422 where as many listen as may */
  requireRoom(): void {
    if (this.#all.size < bounds.listeners) return;
    throw new ControlRefusal(
      422,
      `There are ${bounds.listeners} listeners to the sandbox, the most at a time; end some`,
    );
  }

  /** Gives what ends it. @throws ControlRefusal 422 where as many listen as may */
  add(listener: Listener): () => void {
    this.requireRoom();
    this.#all.add(listener);
    this.#stopBeating ??= every(beatMilliseconds, () => this.#beat());
    return () => this.#leave(listener);
  }

  tell(event: FeedEvent): void {
    for (const { tell } of [...this.#all]) tell(event);
  }

  end(): void {
    for (const listener of [...this.#all]) {
      listener.end();
      this.#leave(listener);
    }
  }

  #beat(): void {
    for (const { beat } of [...this.#all]) beat();
  }

  #leave(listener: Listener): void {
    this.#all.delete(listener);
    if (this.#all.size > 0) return;
    this.#stopBeating?.();
    this.#stopBeating = undefined;
  }
}

/** An event as it is noted: what it tells, or the request that the journal has. */
type Noted = { readonly id: string; readonly type: EventType } & (
  | { readonly json: string }
  | { readonly request: string }
);

/** What a feed follows. */
interface Followed {
  readonly journal: { onCompleted(listener: (entry: Entry) => void): () => void; get(id: string): Entry | undefined };
  readonly state: State;
  observe(observer: CommitObserver): () => void;
  follow(): () => void;
  now(): number;
}

const maxEvents = 1000;

export class Feed {
  /** What its events' ids begin with: those of another life or server are not taken for its own. */
  readonly id = requestId().slice(0, 8);
  readonly #followed: Followed;
  readonly #listeners = new Listeners();
  readonly #noted: Noted[] = [];
  #last = 0;
  #isFollowing = false;
  #isOver = false;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /** For whoever must answer before it listens. @throws ControlRefusal 422 where as many listen as may */
  requireRoom(): void {
    this.#listeners.requireRoom();
  }

  /** Listens from here on, or from behind the event of this id; gives what ends it. A feed that is over ends it at once. @throws ControlRefusal 422 where as many listen as may */
  listen(listener: Listener, after?: string): () => void {
    if (this.#isOver) {
      listener.end();
      return () => undefined;
    }
    const end = this.#listeners.add(listener);
    const stop = this.#followed.follow();
    this.#follow();
    if (after !== undefined) this.#replay(listener, after);
    return () => {
      end();
      stop();
    };
  }

  /** Ends every listener, and whoever listens later. */
  end(): void {
    this.#isOver = true;
    this.#listeners.end();
  }

  /** All that is kept behind an event; all that is kept at all where that cannot be told. */
  #replay(listener: Listener, after: string): void {
    const oldest = this.#last - this.#noted.length + 1;
    const [feed, number = ''] = after.split('.');
    const from = feed === this.id && /^\d{1,15}$/.test(number) ? Number(number) : -1;
    const isKnown = from >= oldest - 1 && from <= this.#last;
    const asked = this.#noted.slice(isKnown ? from - oldest + 1 : 0);
    const found = asked.flatMap((noted) => this.#found(noted) ?? []);
    if (!isKnown || found.length < asked.length) listener.missed();
    for (const event of found) listener.tell(event);
  }

  /** A noted event; undefined for a request that the journal has no more. */
  #found(noted: Noted): FeedEvent | undefined {
    if ('json' in noted) return noted;
    const entry = this.#followed.journal.get(noted.request);
    return entry && requestEvent(noted.id, entry);
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#followed.journal.onCompleted((entry) => {
      const id = this.#nextId();
      this.#tell({ id, type: 'request', request: entry.id }, requestEvent(id, entry));
    });
    this.#followed.observe((version, changes) => this.#committed(version, changes));
  }

  #committed(version: number, changes: Changes): void {
    const changed = namesOf(changes);
    if (changed.length === 0) return;
    this.#note('state', { version, changed });
    if (changed.includes('clock') || changed.includes('everything'))
      this.#note('clock', presentClock(this.#followed.state.value('clock'), this.#followed.now()));
  }

  #note(type: EventType, what: object): void {
    const event = { id: this.#nextId(), type, json: JSON.stringify(what) };
    this.#tell(event, event);
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.id}.${this.#last}`;
  }

  #tell(noted: Noted, event: FeedEvent): void {
    this.#noted.push(noted);
    if (this.#noted.length > maxEvents) this.#noted.shift();
    this.#listeners.tell(event);
  }
}

function requestEvent(id: string, entry: Entry): FeedEvent {
  let json: string | undefined;
  return {
    id,
    type: 'request',
    entry,
    get json() {
      json ??= JSON.stringify(presentEntry(entry));
      return json;
    },
  };
}

type Changes = Parameters<CommitObserver>[1];

/** The tables and values that changes touch; a restore touches everything. What a call was answered is nothing that a tester looks at. */
function namesOf(changes: Changes): string[] {
  const [tables, values, whole] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const change of changes) {
    if (!('table' in change)) whole.add('keep' in change || 'drop' in change ? 'snapshots' : 'everything');
    else if (isOfValues(change.table)) values.add(nameOf(change));
    else tables.add(change.table);
  }
  for (const name of answeredNames) values.delete(name);
  const isCounted = tables.delete('counters');
  return [...tables, ...values, ...(isCounted ? ['counters'] : []), ...whole];
}

const isOfValues = (table: string): boolean => table === 'values' || table === 'lasting';

const nameOf = (change: Extract<Change | StoredChange, { readonly table: string }>): string =>
  'id' in change ? change.id : change.row.id;
