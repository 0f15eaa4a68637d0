// `backoff_on_500`: a call that failed with 500 comes again after a pause, and after a longer one each time it fails again.
import { longestPauseSeconds } from '../contract/control/report.ts';
import type { OperationId } from '../contract/operations.ts';
import { isRecord } from '../contract/schema.ts';
import type { CompletedCall } from './completed-call.ts';
import { cameAfter, isSameWant, knew, type Told } from './completed-call.ts';
import { Recent } from './recent.ts';
import type { Rule } from './ruling.ts';
import { Doubts, isLook } from './ruling.ts';

/** A shorter pause is none. */
const leastMilliseconds = 100;
/** A pause of so long need not grow any more; nor does the one after it, since the clock may have been advanced in between. */
const enoughMilliseconds = longestPauseSeconds * 1000;
/** What a pause is longer than the one before at least, so that neither jitter nor a slow machine decides. */
const growth = 1.2;

interface Failure {
  readonly told: Told;
  readonly operation: string;
  /** When the client had something else to wait for: it looked what became of an order, or the operation met the rate limit. */
  heldAt?: number;
  /** The pause before the call that failed; 0 for the first one. */
  readonly paused: number;
}

export const backoffOn500: Rule = {
  begins: ({ status }) => status === 500,
  follow: (ruling, sessions) => {
    const failures = new Recent<string, Failure>();
    const doubts = new Doubts(ruling);
    function judge(call: CompletedCall, key: string, last: Failure): void {
      const breach = breachOf(last, call);
      if (breach) {
        const found = { finding: `the call ${call.name} came again ${breach}`, evidence: [last.told.id, call.id] };
        doubts.came(key, found, { isSure: isSurelyAgain(call, last), isAlike: true });
        return;
      }
      doubts.clear(key);
      ruling.test(call.id);
    }
    function failed(call: CompletedCall, key: string, paused: number): void {
      failures.set(key, { told: call.told, operation: call.name, paused });
    }
    function hold(call: CompletedCall): void {
      const operation = isLook(call) ? 'orders.create' : call.name;
      if (call.status !== 429 && !isLook(call)) return;
      for (const failure of failures.values()) if (failure.operation === operation) failure.heldAt ??= call.at;
    }
    return {
      see(call) {
        if (failures.size === 0 && call.status !== 500) return;
        hold(call);
        const key = `${sessions.userOf(call)}\n${call.key}`;
        const found = failures.get(key);
        const last = found && cameAfter(found.told, call) ? found : undefined;
        if (last) judge(call, key, last);
        if (call.status === 500) failed(call, key, pausedBefore(call, found, last));
        else if (last && !doubts.has(key)) failures.delete(key);
      },
      owed: () => doubts.first,
    };
  },
};

const pauseOf = ({ told }: Failure, { at }: Pick<CompletedCall, 'at'>): number => at - told.answeredAt;

/** Nobody orders the same twice side by side. */
const isSurelyAgain = (call: CompletedCall, { told }: Failure): boolean => !call.isSafe || knew(told, call) === 'yes';

/** A call beside the one that failed has not paused, but for the pause of that one. */
const pausedBefore = (call: CompletedCall, found: Failure | undefined, last: Failure | undefined): number =>
  last && !breachOf(last, call) ? pauseOf(last, { at: last.heldAt ?? call.at }) : (found?.paused ?? 0);

/** What is wrong with a pause. A clock that was turned back tells nothing. */
function breachOf(last: Failure, call: CompletedCall): string | undefined {
  const pause = pauseOf(last, call);
  if (pause < 0 || pause >= enoughMilliseconds) return undefined;
  if (pause < leastMilliseconds) return `${pause} ms after a 500`;
  if (pause >= last.paused * growth || last.paused >= enoughMilliseconds) return undefined;
  return `${pause} ms after a 500, when the pause before had been ${last.paused} ms`;
}

// `retry_after`: after a 429 no such call comes before its Retry-After is over, by the sandbox's clock.

/** A 429 that its call has not come back from. Calls that met the limit side by side come back each in its own time. */
interface Limit {
  readonly told: Told;
  readonly seconds: number;
  readonly key: string;
}

/** Of one user and operation; what meets the limit beside so many is not followed. */
const mostLimits = 100;

const waited = ({ told }: Limit, { at }: CompletedCall): number => (at - told.answeredAt) / 1000;
/** A clock that was turned back tells nothing. */
const isOver = (limit: Limit, call: CompletedCall): boolean =>
  waited(limit, call) < 0 || waited(limit, call) >= limit.seconds;
/** Whoever gave up comes back no more, and speaks for nobody. */
const isForgotten = (limit: Limit, call: CompletedCall): boolean => waited(limit, call) >= 2 * limit.seconds;

/** Nobody orders the same twice side by side. */
const isSurelyRepeated = (call: CompletedCall, { told, key }: Limit): boolean =>
  (!call.isSafe && call.key === key) || knew(told, call) === 'yes';

export const retryAfter: Rule = {
  begins: ({ status }) => status === 429,
  follow: (ruling, sessions) => {
    const limits = new Recent<string, readonly Limit[]>();
    const doubts = new Doubts(ruling);
    /** Gives the limits that are left. */
    function judged(call: CompletedCall, caller: string, met: readonly Limit[]): readonly Limit[] {
      const known = met.filter(({ told }) => cameAfter(told, call));
      const over = known.find((limit) => isOver(limit, call));
      const [first] = known;
      if (over) {
        doubts.clear(caller);
        ruling.test(call.id);
      } else if (first) came(call, caller, first);
      return met.filter((limit) => limit !== over && !isForgotten(limit, call));
    }
    function came(call: CompletedCall, caller: string, limit: Limit): void {
      const finding = `the call ${call.name} came ${waited(limit, call)} s after a 429 whose Retry-After was ${limit.seconds}`;
      const isAlike = call.key === limit.key;
      doubts.came(
        caller,
        { finding, evidence: [limit.told.id, call.id] },
        { isSure: isSurelyRepeated(call, limit), isAlike },
      );
    }
    return {
      see(call) {
        const seconds = call.status === 429 ? Number(call.header('Retry-After')) : Number.NaN;
        if (limits.size === 0 && Number.isNaN(seconds)) return;
        const caller = `${sessions.userOf(call)}\n${call.name}`;
        const left = judged(call, caller, limits.get(caller) ?? []);
        const met = Number.isNaN(seconds) ? [] : [{ told: call.told, seconds, key: call.key }];
        const limited = [...left, ...met].slice(0, mostLimits);
        if (limited.length > 0) limits.set(caller, limited);
        else limits.delete(caller);
      },
      owed: () => doubts.first,
    };
  },
};

// `no_double_submit`: an order whose answer was lost, or a 500, is looked for before it is sent again, and not sent again if it is stored.

/** An order of which the client cannot know whether it is stored. */
interface Doubt {
  readonly told: Told;
  readonly sequence: number;
  /** Where it is stored. */
  readonly orderId: string | undefined;
  /** Whether the client has looked at its orders since. */
  hasLooked: boolean;
  /** Whether it has seen the page that the order would stand on. */
  hasLookedThrough: boolean;
  /** Whether it has seen the order. */
  hasSeen: boolean;
  /** Whether it looked while the order was under way still, which it had given up: so it did what it could. */
  hasLookedBeside: boolean;
}

export const noDoubleSubmit: Rule = {
  begins: (call) => (call.operation === 'orders.create' ? isDoubtful(call) : isLook(call) && call.status === 200),
  follow: (ruling, sessions) => {
    const doubts = new Recent<string, Doubt>();
    /** The last look of each user. */
    const looked = new Recent<string, number>();
    function ordered(call: CompletedCall): void {
      const user = sessions.userOf(call);
      const key = `${user}\n${call.key}`;
      const doubt = doubts.get(key);
      if (doubt && cameAfter(doubt.told, call)) {
        doubts.delete(key);
        const breach = isSameWant(doubt.told, call) ? repeatBreach(doubt) : undefined;
        if (breach) ruling.fail(breach, doubt.told.id, call.id);
      }
      if (!isDoubtful(call)) return;
      ruling.test(call.id);
      doubts.set(key, doubtOf(call, (looked.get(user) ?? -1) > call.sequence));
    }
    return {
      see(call) {
        if (call.operation === 'orders.create') {
          if (doubts.size > 0 || isDoubtful(call)) ordered(call);
        } else if (isLook(call) && call.status === 200) {
          looked.set(sessions.userOf(call), call.sequence);
          for (const doubt of doubts.values()) look(doubt, call);
        }
      },
    };
  },
};

const doubtOf = (call: CompletedCall, hasLookedBeside: boolean): Doubt => ({
  told: call.told,
  sequence: call.sequence,
  orderId: storedBy(call),
  hasLooked: false,
  hasLookedThrough: false,
  hasSeen: false,
  hasLookedBeside,
});

function look(doubt: Doubt, call: CompletedCall): void {
  if (cameAfter(doubt.told, call)) {
    doubt.hasLooked = true;
    doubt.hasLookedThrough ||= call.next === null || isFirstOfNewest(call);
    doubt.hasSeen ||= doubt.orderId !== undefined && call.tells(doubt.orderId);
  } else doubt.hasLookedBeside ||= call.sequence > doubt.sequence;
}

function repeatBreach(doubt: Doubt): string | undefined {
  if (doubt.hasLookedBeside && !doubt.hasSeen) return undefined;
  // What is stored and not among the orders any more was taken away: the client could but send it again.
  const isGone = doubt.hasLookedThrough && !doubt.hasSeen;
  if (doubt.orderId !== undefined && !isGone)
    return 'an order was sent again that is stored, though its answer was lost';
  return doubt.hasLooked ? undefined : 'an order was sent again before anybody looked whether it is stored';
}

const isDoubtful = ({ isLost, status }: CompletedCall): boolean => isLost || status === 500;

const isFirstOfNewest = (call: CompletedCall): boolean =>
  call.cursor === null && call.assumptions?.choices.list_order === 'newest_first';

/** The id of the order that the service has stored by this call. */
function storedBy({ reached, got }: CompletedCall): string | undefined {
  const isStored = reached === 201 || reached === 200;
  return isStored && isRecord(got.order) ? String(got.order.id) : undefined;
}

// `no_refused_repeat`: an order that was refused is mended before it comes again. One that is accepted then was mended elsewhere.

const orders: readonly OperationId[] = ['orders.create', 'orders.update'];

export const noRefusedRepeat: Rule = {
  begins: (call) => isRefusedOrder(call),
  follow: (ruling, sessions) => {
    const refused = new Recent<string, Told>();
    return {
      see(call) {
        if (!isRefusedOrder(call)) return;
        const key = `${sessions.userOf(call)}\n${call.key}`;
        const told = refused.get(key);
        if (told && cameAfter(told, call))
          ruling.fail(`an order that was refused with ${call.status} came again as it was`, told.id, call.id);
        ruling.test(call.id);
        if (!told) refused.set(key, call.told);
      },
    };
  },
};

const isRefusedOrder = ({ operation, isFinal }: CompletedCall): boolean =>
  operation !== null && orders.includes(operation) && isFinal;
