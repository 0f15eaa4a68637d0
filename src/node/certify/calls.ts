// The calls that a sandbox received since a scenario was applied: how many, which, and the next ones as they come.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import type { Expectation } from '../../contract/admin/expectation.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { boundsOf } from './bounds-of.ts';

type Expected = DeepReadonly<Expectation>;

/** How an expectation stands. */
export interface Standing {
  readonly satisfied: boolean;
  /** More came than may: nothing that comes can mend it. */
  readonly isHopeless: boolean;
  /** undefined where the journal no longer has all calls that would tell. */
  readonly count: number | undefined;
  readonly requestIds: readonly string[];
}

const unknown: Standing = { satisfied: false, isHopeless: true, count: undefined, requestIds: [] };

/** fetch gives up an answer that takes five minutes. */
const longestWaitMilliseconds = 60_000;

export class Calls {
  readonly #requests: SandboxControl['requests'];
  readonly #window: { readonly since?: string };

  private constructor(requests: SandboxControl['requests'], since: string | undefined) {
    this.#requests = requests;
    this.#window = since === undefined ? {} : { since };
  }

  /** Those to come from now on. */
  static async fromNow({ requests }: SandboxControl): Promise<Calls> {
    return new Calls(requests, (await requests.list()).requests.at(-1)?.id);
  }

  standing({ match, count }: Expected): Promise<Standing> {
    return unlessLost(unknown, async () => {
      const found = await this.#requests.verify({ match, count, ...this.#window });
      return {
        satisfied: found.satisfied,
        isHopeless: found.count > boundsOf(count).most,
        count: found.count,
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
    return (await this.standing({ match: {}, count: { at_least: 0 } })).count ?? Number.POSITIVE_INFINITY;
  }

  /** Waits until more than so many were answered, at most so long; gives how many then were. */
  more(than: number, milliseconds: number): Promise<number> {
    const timeout_ms = Math.ceil(Math.max(0, Math.min(milliseconds, longestWaitMilliseconds)));
    const count = { at_least: than + 1 };
    return unlessLost(Number.POSITIVE_INFINITY, async () => {
      return (await this.#requests.wait({ match: {}, count, ...this.#window, timeout_ms })).count;
    });
  }

  /** How many have no answer yet. */
  underWay(): Promise<number> {
    return unlessLost(0, async () => {
      const { requests } = await this.#requests.list(this.#window);
      return requests.filter(({ completed }) => !completed).length;
    });
  }

  /** Waits until those under way are answered, too, at most so long. */
  async settled(milliseconds: number): Promise<void> {
    const underWay = await this.underWay();
    if (underWay > 0) await this.more((await this.answered()) + underWay - 1, milliseconds);
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
