// Bounded waits in real time: calls that a fault delays, tests that wait for requests, and polling a shared store.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { every } from '../system/time.ts';

/** The calls that a fault delays. A reset or a deletion of the sandbox ends all delays. */
export class Delays {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  /** The size of the bodies of the delayed calls. */
  bytes = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves after this time, when all delays are ended, or when the signal is aborted.
   * @param bytes the size of the body @throws Refusal max_delayed
   */
  wait(milliseconds: number, signal: AbortSignal, bytes: number): Promise<void> {
    if (this.#isClosed || signal.aborted) return Promise.resolve();
    if (this.#waiting.size >= bounds.delayedCalls || this.bytes + bytes > bounds.delayedBytes)
      throw new Refusal('max_delayed');
    this.bytes += bytes;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        if (this.#waiting.delete(end)) this.bytes -= bytes;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }

  /** Ends all delays, and delays nothing from now on. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  endAll(): void {
    for (const end of [...this.#waiting]) end();
  }
}

/** The calls of the control API that wait for requests. */
export class Waits {
  readonly #endings = new Set<AbortController>();
  #isDeleted = false;

  /**
   * @param wait resolves early when its signal is aborted
   * @throws ControlRefusal 422 if too many calls wait already, 409 if `end` ends it
   */
  async run<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isDeleted) throw endedBy('deleted');
    if (this.#endings.size >= bounds.waits)
      throw new ControlRefusal(
        422,
        `${bounds.waits} calls already wait for requests of this sandbox, the maximum; end some`,
      );
    const ending = new AbortController();
    this.#endings.add(ending);
    try {
      const result = await wait(ending.signal);
      ending.signal.throwIfAborted();
      return result;
    } finally {
      this.#endings.delete(ending);
    }
  }

  /** Ends all waits, also those that begin later if the sandbox is deleted. */
  end(what: Ending): void {
    this.#isDeleted = what === 'deleted';
    for (const ending of this.#endings) ending.abort(endedBy(what));
  }
}

type Ending = 'reset' | 'restored from a snapshot' | 'replaced by an import' | 'deleted';

const endedBy = (what: Ending): ControlRefusal =>
  new ControlRefusal(
    409,
    `The sandbox was ${what} during the wait; ${what === 'deleted' ? 'make it again' : 'wait again'}`,
  );

const pollMilliseconds = 100;

/** Polls a shared store for the writes of other servers, as long as the sandbox has followers. */
export class Polling {
  readonly #poll: () => Promise<unknown>;
  readonly #followers = new Set<object>();
  #isPolling = false;
  #stop: (() => void) | undefined;

  constructor(poll: () => Promise<unknown>) {
    this.#poll = poll;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** @returns a function that ends it */
  follow(): () => void {
    const follower = {};
    this.#followers.add(follower);
    this.#stop ??= every(pollMilliseconds, () => void this.#pollOnce());
    return () => {
      if (this.#followers.delete(follower) && this.#followers.size === 0) this.end();
    };
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** A poll that fails is tried again at the next interval. */
  async #pollOnce(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.#poll().catch(() => undefined);
    this.#isPolling = false;
  }
}
