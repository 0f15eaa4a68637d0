// Those who listen to what happens in a sandbox: so many at most, and each is told now and then that it is heard.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal } from '../contract/admin/refusals.ts';
import type { Entry } from './journal/entry.ts';
import { every } from './timeout.ts';

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

export class Listeners {
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
