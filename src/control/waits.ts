// How many wait for something in a sandbox: not too many at a time.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal } from '../contract/admin/control-operation.ts';
import { every } from './timeout.ts';

export class Waits {
  #underWay = 0;

  /** @throws ControlRefusal 422 where as many wait already as may. */
  async take<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#underWay >= bounds.waits)
      throw new ControlRefusal(422, `There are ${bounds.waits} waits in the sandbox, the most at a time; end some`);
    this.#underWay += 1;
    try {
      return await wait();
    } finally {
      this.#underWay -= 1;
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
