// The calls that a sandbox has received since a scenario was applied: how many, which, and the next ones as they come.
import { ControlError } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { boundsOf, type Expectation } from '../../contract/control/match.ts';
import type { OutcomeId } from '../../contract/control/outcomes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { type ExistingFulfillment, isReached } from './outcomes.ts';

export type Expectations = readonly DeepReadonly<Expectation>[];

/** What a client has to do in a scenario. */
export interface Goals {
  readonly expect: Expectations;
  readonly outcomes: readonly { readonly id: OutcomeId }[];
}

/** fetch gives up after five minutes without a response. */
const maxWaitMilliseconds = 60_000;

export type Calls = Awaited<ReturnType<typeof callsFromNow>>;

/** Follows the calls that come from now on. */
export async function callsFromNow({ requests, records }: SandboxControl) {
  const last = (await requests.list()).requests.at(-1);
  const fromNow = last ? { since: last.id } : {};
  const { users } = await records.users.list();
  const brandOfUser = new Map(users.map(({ username, brand_id }) => [username, brand_id]));
  let existing: readonly ExistingFulfillment[] = [];

  /** The number of answered calls: infinite if the journal has evicted some. */
  const count = async () => {
    const found = (await unlessEvicted(requests.list(fromNow)))?.requests;
    if (!found) return { answered: Number.POSITIVE_INFINITY, inFlight: 0 };
    const answered = found.filter(({ completed }) => completed).length;
    return { answered, inFlight: found.length - answered };
  };

  const check = async ({ expect, outcomes }: Goals) => {
    const checks = expect.map(async ({ match, count }) => {
      const found = await unlessEvicted(requests.verify({ match, count, ...fromNow }));
      return { match, count, came: found?.count ?? null, satisfied: found?.satisfied ?? false, found };
    });
    const all = await Promise.all(checks);
    const listed = await unlessEvicted(requests.list(fromNow));
    const isEvicted = listed === undefined || all.some(({ found }) => found === undefined);
    const calls = listed?.requests.filter(({ completed }) => completed) ?? [];
    const results = outcomes.map(({ id }) => ({ id, reached: isReached[id]({ calls, existing, brandOfUser }) }));
    return {
      /** Whether the journal has evicted calls that count. */
      isEvicted,
      /** The number of calls for each: null if the journal has evicted calls that count. */
      expect: all.map(({ match, count, came, satisfied }) => ({ match, count, came, satisfied })),
      outcomes: results,
      areSatisfied: all.every(({ satisfied }) => satisfied) && results.every(({ reached }) => reached),
      /** More came than allowed: no later call can satisfy them. */
      areHopeless: isEvicted || all.some(({ came, count }) => (came ?? 0) > boundsOf(count).most),
      callIds: calls.map(({ id }) => id),
      /** Of the calls that the expectations count. */
      requestIds: all.flatMap(({ found }) => found?.requests.map(({ id }) => id) ?? []),
    };
  };

  /** Waits until more than this number of calls is answered, or for the time; returns the number answered then. */
  const waitForMore = async (than: number, milliseconds: number): Promise<number> => {
    const timeout_ms = Math.ceil(Math.max(0, Math.min(milliseconds, maxWaitMilliseconds)));
    await unlessEvicted(requests.wait({ match: {}, count: { at_least: than + 1 }, ...fromNow, timeout_ms }));
    return (await count()).answered;
  };

  return {
    count,
    check,
    waitForMore,
    /** Remembers the fulfillments that a client must read. Call it when the scenario is applied. */
    async rememberFulfillments(): Promise<void> {
      existing = (await records.fulfillments.list()).fulfillments;
    },
    /** Waits until the calls in flight are answered, or for the time. */
    async waitForAnswers(milliseconds: number): Promise<void> {
      const { answered, inFlight } = await count();
      if (inFlight > 0) await waitForMore(answered + inFlight - 1, milliseconds);
    },
  };
}

/** The result of a query of the journal; undefined if the journal has evicted calls of the window. */
const unlessEvicted = <T>(query: Promise<T>): Promise<T | undefined> =>
  query.catch((error: unknown) => {
    if (error instanceof ControlError && error.status === 409) return undefined;
    throw error;
  });
