// The calls that a sandbox received since a scenario was applied: how many, which, and the next ones as they come.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { boundsOf, type Expectation } from '../../contract/admin/count.ts';
import type { DeepReadonly } from '../../contract/records.ts';

type Expected = DeepReadonly<Expectation>;

/** How an expectation stands. */
export interface Standing {
  readonly satisfied: boolean;
  /** More came than may: nothing that comes can mend it. */
  readonly isHopeless: boolean;
  /** How many came; null where the journal no longer has all calls that would tell. */
  readonly came: number | null;
  readonly requestIds: readonly string[];
}

const unknown: Standing = { satisfied: false, isHopeless: true, came: null, requestIds: [] };

/** Where a part of the journal begins. */
interface Window {
  readonly since?: string;
}

/** fetch gives up an answer that takes five minutes. */
const longestWaitMilliseconds = 60_000;

export class Calls {
  readonly #requests: SandboxControl['requests'];
  readonly #window: Window;
  /** The journal tells whole calls, so what was counted once is not asked for again: those before this are so many, all answered. */
  #counted: { readonly calls: number; readonly window: Window };

  private constructor(requests: SandboxControl['requests'], since: string | undefined) {
    this.#requests = requests;
    this.#window = since === undefined ? {} : { since };
    this.#counted = { calls: 0, window: this.#window };
  }

  /**
   * Those to come from now on.
   * @param mark makes a call: where there was none before, nothing else would show that the journal is cleared later
   */
  static async fromNow({ requests }: SandboxControl, mark: () => Promise<void>): Promise<Calls> {
    const last = async () => (await requests.list()).requests.at(-1)?.id;
    let since = await last();
    if (since === undefined) {
      await mark();
      since = await last();
    }
    return new Calls(requests, since);
  }

  standing({ match, count }: Expected): Promise<Standing> {
    return unlessLost(unknown, async () => {
      const found = await this.#requests.verify({ match, count, ...this.#window });
      return {
        satisfied: found.satisfied,
        isHopeless: found.count > boundsOf(count).most,
        came: found.count,
        requestIds: found.requests.map(({ id }) => id),
      };
    });
  }

  /** How several stand together. */
  async standingOf(expected: readonly Expected[]): Promise<{ areSatisfied: boolean; areHopeless: boolean }> {
    const standings = await Promise.all(expected.map((one) => this.standing(one)));
    return {
      areSatisfied: standings.every(({ satisfied }) => satisfied),
      areHopeless: standings.some(({ isHopeless }) => isHopeless),
    };
  }

  /** How many were answered. */
  async answered(): Promise<number> {
    return (await this.#looked()).answered;
  }

  /** Waits until more than so many were answered, at most so long; gives how many then were. */
  more(than: number, milliseconds: number): Promise<number> {
    const timeout_ms = Math.ceil(Math.max(0, Math.min(milliseconds, longestWaitMilliseconds)));
    const { calls, window } = this.#counted;
    const count = { at_least: Math.max(0, than + 1 - calls) };
    return unlessLost(Number.POSITIVE_INFINITY, async () => {
      await this.#requests.wait({ match: {}, count, ...window, timeout_ms });
      return this.answered();
    });
  }

  /** How many have no answer yet. */
  async underWay(): Promise<number> {
    return (await this.#looked()).underWay;
  }

  /** Waits until those under way are answered, too, at most so long. */
  async settled(milliseconds: number): Promise<void> {
    const { answered, underWay } = await this.#looked();
    if (underWay > 0) await this.more(answered + underWay - 1, milliseconds);
  }

  /** Looks at those that are not counted yet, and counts them as far as all are answered. */
  #looked(): Promise<{ answered: number; underWay: number }> {
    const { calls, window } = this.#counted;
    return unlessLost({ answered: Number.POSITIVE_INFINITY, underWay: 0 }, async () => {
      const { requests } = await this.#requests.list(window);
      const answered = calls + requests.filter(({ completed }) => completed).length;
      const open = requests.findIndex(({ completed }) => !completed);
      const done = open < 0 ? requests : requests.slice(0, open);
      const since = done.at(-1)?.id;
      if (since !== undefined) this.#counted = { calls: calls + done.length, window: { since } };
      return { answered, underWay: requests.length - (answered - calls) };
    });
  }
}

/** What is asked of the journal; this, where it no longer has all the calls that would tell. */
async function unlessLost<T>(lost: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ControlError && error.status === 409) return lost;
    throw error;
  }
}
