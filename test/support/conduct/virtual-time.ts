// Time as clients that sleep see it: once all of them sleep, the sandbox's clock goes on to the first who wakes. Nobody waits really.

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export class VirtualTime {
  readonly #advance: (milliseconds: number) => Promise<unknown>;
  readonly #sleepers: Sleeper[] = [];
  #now = 0;
  #inFlight = 0;

  /** @param advance moves the sandbox's clock on */
  constructor(advance: (milliseconds: number) => Promise<unknown>) {
    this.#advance = advance;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ until: this.#now + milliseconds, wake });
    });
  }

  /** Nobody counts as asleep while this is under way. */
  async awake<T>(work: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Lets time go on until all of this is done. */
  async until(work: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false;
    const done = Promise.all(work);
    const end = () => {
      isDone = true;
    };
    done.then(end, end);
    while (!isDone) {
      for (let turn = 0; turn < 2; turn += 1) await nextTurn();
      if (!isDone && this.#inFlight === 0 && this.#sleepers.length > 0) await this.#wakeNext();
    }
    await done;
  }

  async #wakeNext(): Promise<void> {
    this.#sleepers.sort((one, other) => one.until - other.until);
    const [first] = this.#sleepers.splice(0, 1);
    if (!first) return;
    if (first.until > this.#now) await this.#advance(first.until - this.#now);
    this.#now = first.until;
    first.wake();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
