// The calls that a sandbox received since a scenario was applied: how many, which, and the next ones as they come.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { boundsOf, type Expectation } from '../../contract/control/match.ts';
import type { DeepReadonly } from '../../contract/records.ts';

type Expected = DeepReadonly<Expectation>;

/** How an expectation stands. */
interface Standing {
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

export type Calls = Awaited<ReturnType<typeof callsFromNow>>;

/**
 * Those to come from now on.
 * @param mark makes a call: where there was none before, nothing else would show that the journal is cleared later
 */
export async function callsFromNow({ requests }: SandboxControl, mark: () => Promise<void>) {
  const last = async () => (await requests.list()).requests.at(-1)?.id;
  let since = await last();
  if (since === undefined) {
    await mark();
    since = await last();
  }
  const all: Window = since === undefined ? {} : { since };
  /** The journal tells whole calls, so what was counted once is not asked for again: those before this are so many, all answered. */
  let counted = { calls: 0, window: all };

  /** Looks at those that are not counted yet, and counts them as far as all are answered. */
  const looked = () => {
    const { calls, window } = counted;
    return unlessLost({ answered: Number.POSITIVE_INFINITY, inFlight: 0 }, async () => {
      const { requests: found } = await requests.list(window);
      const answered = calls + found.filter(({ completed }) => completed).length;
      const open = found.findIndex(({ completed }) => !completed);
      const done = open < 0 ? found : found.slice(0, open);
      const lastDone = done.at(-1)?.id;
      if (lastDone !== undefined) counted = { calls: calls + done.length, window: { since: lastDone } };
      return { answered, inFlight: found.length - (answered - calls) };
    });
  };
  const answered = async (): Promise<number> => (await looked()).answered;

  const standing = ({ match, count }: Expected): Promise<Standing> =>
    unlessLost(unknown, async () => {
      const found = await requests.verify({ match, count, ...all });
      return {
        satisfied: found.satisfied,
        isHopeless: found.count > boundsOf(count).most,
        came: found.count,
        requestIds: found.requests.map(({ id }) => id),
      };
    });

  /** Waits until more than so many were answered, at most so long; gives how many then were. */
  const more = (than: number, milliseconds: number): Promise<number> => {
    const timeout_ms = Math.ceil(Math.max(0, Math.min(milliseconds, longestWaitMilliseconds)));
    const { calls, window } = counted;
    const count = { at_least: Math.max(0, than + 1 - calls) };
    return unlessLost(Number.POSITIVE_INFINITY, async () => {
      await requests.wait({ match: {}, count, ...window, timeout_ms });
      return answered();
    });
  };

  return {
    standing,
    more,
    /** How many were answered. */
    answered,
    /** How several stand together. */
    async standingOf(expected: readonly Expected[]) {
      const standings = await Promise.all(expected.map(standing));
      return {
        areSatisfied: standings.every(({ satisfied }) => satisfied),
        areHopeless: standings.some(({ isHopeless }) => isHopeless),
      };
    },
    /** How many have no answer yet. */
    inFlight: async () => (await looked()).inFlight,
    /** Waits until those under way are answered, too, at most so long. */
    async settled(milliseconds: number): Promise<void> {
      const now = await looked();
      if (now.inFlight > 0) await more(now.answered + now.inFlight - 1, milliseconds);
    },
  };
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
