// Waits in real time: calls that a fault delays, tests that wait for requests, and looking at what other servers do.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { every } from '../system/time.ts';

// Calls that a fault delays. Ended early when the sandbox is reset or deleted.

interface Waiter {
  /** Who waits has gone once it is aborted. */
  readonly signal?: AbortSignal;
  /** What is held while it waits. */
  readonly bytes?: number;
}

export class Delays {
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #isClosed = false;

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** What those who wait hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Resolves after so many milliseconds, when all are ended, or when whoever waits has gone.
   * @throws Refusal max_delayed where as many wait, or hold as much, as may.
   */
  wait(milliseconds: number, { signal, bytes = 0 }: Waiter = {}): Promise<void> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve();
    if (this.#waiting.size >= bounds.delayedCalls || this.#bytes + bytes > bounds.delayedBytes)
      throw new Refusal('max_delayed');
    this.#bytes += bytes;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        if (this.#waiting.delete(end)) this.#bytes -= bytes;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }

  /** Ends all, and lets nothing wait from here on. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  endAll(): void {
    for (const end of [...this.#waiting]) end();
  }
}

// How many wait for something in a sandbox: not too many at a time.

export class Waits {
  #inFlight = 0;

  /** @throws ControlRefusal 422 where as many wait already as may. */
  async take<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= bounds.waits)
      throw new ControlRefusal(422, `There are ${bounds.waits} waits in the sandbox, the most at a time; end some`);
    this.#inFlight += 1;
    try {
      return await wait();
    } finally {
      this.#inFlight -= 1;
    }
  }
}

// Looks again and again at what others do, as long as somebody follows it.

/** How late somebody who follows learns of what others have done, at most, beside what the look takes. */
const lookMilliseconds = 100;

export class Following {
  readonly #look: () => Promise<unknown>;
  #followers = 0;
  #isLooking = false;
  #stop: (() => void) | undefined;

  constructor(look: () => Promise<unknown>) {
    this.#look = look;
  }

  get isFollowed(): boolean {
    return this.#followers > 0;
  }

  /** Gives what ends it. */
  begin(): () => void {
    this.#followers += 1;
    this.#stop ??= every(lookMilliseconds, () => void this.#lookOnce());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#followers -= 1;
      if (this.#followers === 0) this.end();
    };
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** What cannot be looked at now is looked at the next time. */
  async #lookOnce(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.#look().catch(() => undefined);
    this.#isLooking = false;
  }
}
