// Live events of a sandbox: answered requests, changed state, the clock. From its first listener on, a feed keeps the
// last events, so that a listener that reconnects continues after the last one that it received.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import { presentClock } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import type { CommitObserver } from '../state/transaction-runner.ts';
import { answeredNames } from '../state/values.ts';
import { requestId } from '../system/random.ts';
import { every } from '../system/time.ts';
import type { Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { presentEntry } from './present.ts';

export interface FeedEvent {
  /** The feed's own id and a number that counts up from 1. */
  readonly id: string;
  /** The request, for an event of that type. */
  readonly entry?: Entry;
  /** The server-sent event in UTF-8. */
  readonly frame: Uint8Array;
}

export interface Listener {
  readonly onEvent: (event: FeedEvent) => void;
  /** Some events after the given one are not kept any more, or the given one is not of this feed. */
  readonly onMissed: () => void;
  /** Called now and then, whatever happens, to keep the connection open. */
  readonly onHeartbeat: () => void;
  readonly onEnd: () => void;
}

/** Proxies keep a stream open that sends something about every 15 seconds (HTML, "Server-sent events"). */
const beatMilliseconds = 15_000;
const maxEvents = 1000;

/** A kept event, or the id of its request, which the journal has. */
type KeptEvent = FeedEvent | { readonly id: string; readonly requestId: string };

/** The part of a sandbox that a feed follows. */
interface Source {
  readonly journal: Pick<Journal, 'listen' | 'get'>;
  readonly state: State;
  observe(observer: CommitObserver): () => void;
  follow(): () => void;
  now(): number;
}

export class Feed {
  /** The start of its events' ids, which differs between servers and restarts. */
  readonly id = requestId().slice(0, 8);
  readonly #source: Source;
  readonly #listeners = new Set<Listener>();
  readonly #events: KeptEvent[] = [];
  #lastNumber = 0;
  #isRecording = false;
  #isOver = false;
  #stopBeat: (() => void) | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** @throws ControlRefusal 422 if the sandbox has its maximum of listeners */
  requireRoom(): void {
    if (this.#listeners.size < bounds.listeners) return;
    const most = `The sandbox already has ${bounds.listeners} listeners, the maximum. Close one and try again`;
    throw new ControlRefusal(422, most);
  }

  /**
   * Listens from now on, or after the event with this id. @returns a function that ends it
   * @throws ControlRefusal 422 if the sandbox has its maximum of listeners
   */
  listen(listener: Listener, after?: string): () => void {
    if (this.#isOver) {
      listener.onEnd();
      return () => undefined;
    }
    this.requireRoom();
    this.#listeners.add(listener);
    this.#stopBeat ??= every(beatMilliseconds, () => {
      for (const { onHeartbeat } of [...this.#listeners]) onHeartbeat();
    });
    const stopFollowing = this.#source.follow();
    this.#record();
    if (after !== undefined) this.#replay(listener, after);
    return () => {
      this.#remove(listener);
      stopFollowing();
    };
  }

  /** Ends every listener, now and later. */
  end(): void {
    this.#isOver = true;
    for (const listener of [...this.#listeners]) {
      listener.onEnd();
      this.#remove(listener);
    }
  }

  #remove(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#stopBeat?.();
    this.#stopBeat = undefined;
  }

  /** Repeats the events after the one with this id; all that are kept if it is not among them. */
  #replay(listener: Listener, after: string): void {
    const oldest = this.#lastNumber - this.#events.length + 1;
    const [feed, number = ''] = after.split('.');
    const from = feed === this.id && /^\d{1,15}$/.test(number) ? Number(number) : -1;
    const isKnown = from >= oldest - 1 && from <= this.#lastNumber;
    const kept = this.#events.slice(isKnown ? from - oldest + 1 : 0);
    const events = kept.flatMap((event) => this.#restored(event) ?? []);
    if (!isKnown || events.length < kept.length) listener.onMissed();
    for (const event of events) listener.onEvent(event);
  }

  /** Undefined if the journal has evicted the request. */
  #restored(event: KeptEvent): FeedEvent | undefined {
    if (!('requestId' in event)) return event;
    const entry = this.#source.journal.get(event.requestId);
    return entry && requestEvent(event.id, entry);
  }

  #record(): void {
    if (this.#isRecording) return;
    this.#isRecording = true;
    const { journal, state } = this.#source;
    journal.listen({
      completed: (entry) => {
        const id = this.#nextId();
        this.#publish({ id, requestId: entry.id }, requestEvent(id, entry));
      },
    });
    this.#source.observe((version, changes) => {
      const changed = changedNames(changes);
      if (changed.length === 0) return;
      this.#publishData('state', { version, changed });
      if (changed.includes('clock') || changed.includes('everything'))
        this.#publishData('clock', presentClock(state.value('clock'), this.#source.now()));
    });
  }

  #publishData(type: 'state' | 'clock', data: object): void {
    const id = this.#nextId();
    const event = { id, frame: frameOf(id, type, data) };
    this.#publish(event, event);
  }

  #nextId(): string {
    this.#lastNumber += 1;
    return `${this.id}.${this.#lastNumber}`;
  }

  #publish(kept: KeptEvent, event: FeedEvent): void {
    this.#events.push(kept);
    if (this.#events.length > maxEvents) this.#events.shift();
    for (const { onEvent } of [...this.#listeners]) onEvent(event);
  }
}

const encoder = new TextEncoder();
const frameOf = (id: string, type: string, data: object): Uint8Array =>
  encoder.encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);

function requestEvent(id: string, entry: Entry): FeedEvent {
  let frame: Uint8Array | undefined;
  return {
    id,
    entry,
    /** Made once for all listeners, and only if one reads it. */
    get frame() {
      frame ??= frameOf(id, 'request', presentEntry(entry));
      return frame;
    },
  };
}

type Changes = Parameters<CommitObserver>[1];

/** The changed tables and values; a restore changes `everything`. Stored answers are not part of the state. */
function changedNames(changes: Changes): string[] {
  const [tables, values, others] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const change of changes) {
    if (!('table' in change)) others.add('keep' in change || 'drop' in change ? 'snapshots' : 'everything');
    else if (change.table === 'values' || change.table === 'lasting') values.add(rowId(change));
    else tables.add(change.table);
  }
  for (const name of answeredNames) values.delete(name);
  const counters = tables.delete('counters') ? ['counters'] : [];
  return [...tables, ...values, ...counters, ...others];
}

const rowId = (change: Extract<Changes[number], { readonly table: string }>): string =>
  'id' in change ? change.id : change.row.id;
