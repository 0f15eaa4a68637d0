// The calls that a sandbox has received since a scenario was applied: how many, which, and the next ones as they come.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { boundsOf, type Expectation } from '../../contract/control/match.ts';
import type { DeepReadonly } from '../../contract/records.ts';

export type Expectations = readonly DeepReadonly<Expectation>[];

interface ExpectationCheck {
  readonly satisfied: boolean;
  /** More came than allowed: no later call can satisfy it. */
  readonly isHopeless: boolean;
  /** How many came; null if the journal has evicted calls that count. */
  readonly came: number | null;
  readonly requestIds: readonly string[];
}

const evicted: ExpectationCheck = { satisfied: false, isHopeless: true, came: null, requestIds: [] };

/** fetch gives up after five minutes without a response. */
const maxWaitMilliseconds = 60_000;

export type Calls = Awaited<ReturnType<typeof callsFromNow>>;

/** Follows the calls that come from now on. */
export async function callsFromNow({ requests }: SandboxControl) {
  const last = (await requests.list()).requests.at(-1);
  const fromNow = last ? { since: last.id } : {};

  const count = () =>
    unlessEvicted({ answered: Number.POSITIVE_INFINITY, inFlight: 0 }, async () => {
      const { requests: found } = await requests.list(fromNow);
      const answered = found.filter(({ completed }) => completed).length;
      return { answered, inFlight: found.length - answered };
    });

  const check = ({ match, count }: Expectations[number]): Promise<ExpectationCheck> =>
    unlessEvicted(evicted, async () => {
      const found = await requests.verify({ match, count, ...fromNow });
      return {
        satisfied: found.satisfied,
        isHopeless: found.count > boundsOf(count).most,
        came: found.count,
        requestIds: found.requests.map(({ id }) => id),
      };
    });

  /** Waits until more than this number of calls is answered, or for the time; gives how many are answered then. */
  const waitForMore = (than: number, milliseconds: number): Promise<number> => {
    const timeout_ms = Math.ceil(Math.max(0, Math.min(milliseconds, maxWaitMilliseconds)));
    return unlessEvicted(Number.POSITIVE_INFINITY, async () => {
      await requests.wait({ match: {}, count: { at_least: than + 1 }, ...fromNow, timeout_ms });
      return (await count()).answered;
    });
  };

  return {
    count,
    check,
    waitForMore,
    async checkAll(expectations: Expectations) {
      const checks = await Promise.all(expectations.map(check));
      return {
        areSatisfied: checks.every(({ satisfied }) => satisfied),
        areHopeless: checks.some(({ isHopeless }) => isHopeless),
      };
    },
    /** Waits until the calls in flight are answered, or for the time. */
    async waitForAnswers(milliseconds: number): Promise<void> {
      const { answered, inFlight } = await count();
      if (inFlight > 0) await waitForMore(answered + inFlight - 1, milliseconds);
    },
  };
}

/** The result of a query of the journal, or the fallback if the journal has evicted calls of the window. */
async function unlessEvicted<T>(fallback: T, query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof ControlError && error.status === 409) return fallback;
    throw error;
  }
}
