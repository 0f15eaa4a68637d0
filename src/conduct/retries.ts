// The conduct rules about repeated calls: `backoff_on_500`, `retry_after`, `no_double_submit`,
// `no_refused_repeat`, `needs_changes`.
import { longestPauseSeconds } from '../contract/control/conduct.ts';
import type { OperationId } from '../contract/operations.ts';
import type { OrderStatus } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';
import { type CallTiming, type CompletedCall, startedAfter } from './completed-call.ts';
import { PossibleViolations, type Rule } from './rule.ts';
import { RecentMap } from './sessions.ts';

const orderReads: readonly OperationId[] = ['orders.list', 'orders.get'];
/** A client that looks for an order has a reason to wait before it sends the order again. */
const isOrderRead = ({ operation }: CompletedCall): boolean => operation !== null && orderReads.includes(operation);

/** A shorter pause does not count as a pause. */
const minPauseMilliseconds = 100;
/** A pause this long need not grow, nor the pause after it: the clock may have been advanced in between. */
const longestPauseMilliseconds = longestPauseSeconds * 1000;
/** Each pause must be longer than the one before by this factor, so that neither jitter nor a slow machine decides. */
const minGrowth = 1.2;

interface Failure {
  readonly user: string;
  readonly answer: CallTiming;
  readonly status: number | null;
  readonly name: string;
  /** When the client had another reason to wait: it looked for its order, or the operation met the rate limit. */
  heldAt?: number;
  /** The pause before the call that failed; 0 for the first one. */
  readonly pauseBefore: number;
}

/** After a 500, 502, 503 or 504 the client repeats the call after a pause, which grows with each failure. */
export const backoffOn500: Rule = (verdict, sessions) => {
  const failures = new RecentMap<string, Failure>();
  const possibleViolations = new PossibleViolations(verdict);
  function judge(call: CompletedCall, key: string, last: Failure): void {
    const problem = pauseProblem(last, call);
    if (problem) {
      possibleViolations.add(key, `The client repeated ${call.name} ${problem}`, call, last.answer, true);
    } else {
      possibleViolations.clear(key);
      verdict.pass(call.id);
    }
  }
  function hold(call: CompletedCall): void {
    if (call.status !== 429 && !isOrderRead(call)) return;
    const held = isOrderRead(call) ? 'orders.create' : call.name;
    const user = sessions.userOf(call);
    for (const failure of failures.values())
      if (failure.name === held && failure.user === user) failure.heldAt ??= call.at;
  }
  return {
    observe(call) {
      if (failures.size === 0 && !call.isServerError) return;
      hold(call);
      const key = sessions.requestKey(call);
      const known = failures.get(key);
      const last = known && startedAfter(call, known.answer) ? known : undefined;
      if (last) judge(call, key, last);
      if (call.isServerError) {
        const { timing: answer, status, name } = call;
        const user = sessions.userOf(call);
        failures.set(key, { user, answer, status, name, pauseBefore: pauseBefore(call, known, last) });
      } else if (last && !possibleViolations.has(key)) failures.delete(key);
    },
    outstanding: () => possibleViolations.first,
  };
};

/** A call in parallel with the failed one did not pause: the pause before the failed one counts. */
function pauseBefore(call: CompletedCall, known: Failure | undefined, last: Failure | undefined): number {
  if (!last || pauseProblem(last, call)) return known?.pauseBefore ?? 0;
  return (last.heldAt ?? call.at) - last.answer.answeredAt;
}

/** The problem with a pause, if any. Undefined if the clock was set back. */
function pauseProblem({ answer, status, pauseBefore: before }: Failure, call: CompletedCall): string | undefined {
  const pause = call.at - answer.answeredAt;
  if (pause < 0 || pause >= longestPauseMilliseconds) return undefined;
  if (pause < minPauseMilliseconds) return `${pause} ms after a ${status}`;
  if (pause >= before * minGrowth || before >= longestPauseMilliseconds) return undefined;
  return `${pause} ms after a ${status}, and the pause before was ${before} ms`;
}

/** A 429 whose call was not repeated yet. Parallel calls that met the limit are repeated one by one. */
interface Limit {
  readonly answer: CallTiming;
  readonly seconds: number;
  readonly key: string;
}

/** Per user and operation. */
const maxLimits = 100;

const waitedSeconds = ({ answer }: Limit, { at }: CompletedCall): number => (at - answer.answeredAt) / 1000;
/** If the clock was turned back, it counts as over. */
const isOver = (limit: Limit, call: CompletedCall): boolean =>
  waitedSeconds(limit, call) < 0 || waitedSeconds(limit, call) >= limit.seconds;
/** The client has given up on the call. */
const isAbandoned = (limit: Limit, call: CompletedCall): boolean => waitedSeconds(limit, call) >= 2 * limit.seconds;

/** After a 429 the client waits for its Retry-After, on the sandbox's clock, before it repeats such a call. */
export const retryAfter: Rule = (verdict, sessions) => {
  const limits = new RecentMap<string, readonly Limit[]>();
  const possibleViolations = new PossibleViolations(verdict);
  /** Returns the limits that stay. */
  function judge(call: CompletedCall, caller: string, pending: readonly Limit[]): readonly Limit[] {
    const known = pending.filter(({ answer }) => startedAfter(call, answer));
    const over = known.find((limit) => isOver(limit, call));
    const [first] = known;
    if (over) {
      possibleViolations.clear(caller);
      verdict.pass(call.id);
    } else if (first) cameTooSoon(call, caller, first);
    return pending.filter((limit) => limit !== over && !isAbandoned(limit, call));
  }
  function cameTooSoon(call: CompletedCall, caller: string, limit: Limit): void {
    const waited = waitedSeconds(limit, call);
    const finding = `The client called ${call.name} ${waited} s after a 429 with Retry-After ${limit.seconds}`;
    possibleViolations.add(caller, finding, call, limit.answer, call.key === limit.key);
  }
  return {
    observe(call) {
      const seconds = call.status === 429 ? Number(call.answer.sentHeaders['Retry-After']) : Number.NaN;
      if (limits.size === 0 && Number.isNaN(seconds)) return;
      const caller = `${sessions.userOf(call)}\n${call.name}`;
      const left = judge(call, caller, limits.get(caller) ?? []);
      const added = Number.isNaN(seconds) ? [] : [{ answer: call.timing, seconds, key: call.key }];
      const pending = [...left, ...added].slice(0, maxLimits);
      if (pending.length > 0) limits.set(caller, pending);
      else limits.delete(caller);
    },
    outstanding: () => possibleViolations.first,
  };
};

/** An order with a lost answer, a 500 or a gateway's error: the client cannot know whether it is stored. */
interface UncertainOrder {
  readonly user: string;
  readonly submitted: CallTiming;
  /** The id of the stored order. */
  readonly orderId: string | undefined;
  /** The client has listed its orders since, with the page that the order would be on. */
  hasReadItsPage?: boolean;
  /** The client has seen the order. */
  hasSeenOrder?: boolean;
  /** The client listed its orders after it gave up this call, which was still in progress: it could do no more. */
  hasReadMeanwhile: boolean;
}

/** The client looks for an uncertain order, and sends it again only if it is not stored. */
export const noDoubleSubmit: Rule = (verdict, sessions) => {
  const uncertain = new RecentMap<string, UncertainOrder>();
  /** The sequence of the last call of each user that listed the orders. */
  const lastReads = new RecentMap<string, number>();
  function submitted(call: CompletedCall): void {
    const user = sessions.userOf(call);
    const key = sessions.requestKey(call);
    const order = uncertain.get(key);
    if (order && startedAfter(call, order.submitted)) {
      uncertain.delete(key);
      const finding = isWithinAWeek(call, order.submitted) ? repeatFinding(order) : undefined;
      if (finding) verdict.fail(finding, order.submitted.id, call.id);
    }
    if (!isUncertain(call)) return;
    verdict.pass(call.id);
    uncertain.set(key, uncertainOrder(call, user, (lastReads.get(user) ?? -1) > call.timing.sequence));
  }
  function listed(call: CompletedCall): void {
    const user = sessions.userOf(call);
    lastReads.set(user, call.timing.sequence);
    for (const order of uncertain.values()) if (order.user === user) noteList(order, call);
  }
  return {
    observe(call) {
      if (call.operation === 'orders.create') {
        if (uncertain.size > 0 || isUncertain(call)) submitted(call);
      } else if (call.operation === 'orders.list' && call.status === 200) listed(call);
    },
  };
};

const weekMilliseconds = 7 * 86_400_000;

/** A week later, the client may want the same order again. */
const isWithinAWeek = ({ at }: CompletedCall, { answeredAt }: CallTiming): boolean =>
  at - answeredAt < weekMilliseconds;

const isUncertain = ({ decision, isServerError }: CompletedCall): boolean => decision.isLost || isServerError;

function uncertainOrder(call: CompletedCall, user: string, hasReadMeanwhile: boolean): UncertainOrder {
  const { timing, answer, responseFields } = call;
  // The service may have stored it though the answer was lost.
  const isStored = answer.status === 201 || answer.status === 200;
  return {
    user,
    submitted: timing,
    orderId: isStored && isRecord(responseFields.order) ? String(responseFields.order.id) : undefined,
    hasReadMeanwhile,
  };
}

function noteList(order: UncertainOrder, call: CompletedCall): void {
  if (startedAfter(call, order.submitted)) {
    order.hasReadItsPage ||= call.decision.next === null || isFirstPageOfNewest(call);
    order.hasSeenOrder ||= order.orderId !== undefined && call.answer.sentBody?.includes(order.orderId) === true;
  } else order.hasReadMeanwhile ||= call.timing.sequence > order.submitted.sequence;
}

function repeatFinding(order: UncertainOrder): string | undefined {
  if (order.hasReadMeanwhile && !order.hasSeenOrder) return undefined;
  // An order that was stored and is not listed any more was removed: the client could only send it again.
  const isRemoved = order.hasReadItsPage && !order.hasSeenOrder;
  if (order.orderId !== undefined && !isRemoved)
    return 'The client sent an order again that is stored, although its response was lost';
  return order.hasReadItsPage ? undefined : 'The client sent an order again without checking whether it is stored';
}

const isFirstPageOfNewest = (call: CompletedCall): boolean =>
  call.cursor === null && call.decision.assumptions?.choices.list_order === 'newest_first';

const orderWrites: readonly OperationId[] = ['orders.create', 'orders.update'];

/** The client corrects a rejected order before it sends it again. An accepted repeat was corrected elsewhere. */
export const noRefusedRepeat: Rule = (verdict, sessions) => {
  const refused = new RecentMap<string, CallTiming>();
  return {
    observe(call) {
      const { operation, isFinal, status, id } = call;
      if (operation === null || !orderWrites.includes(operation) || !isFinal) return;
      const key = sessions.requestKey(call);
      const refusal = refused.get(key);
      if (refusal && startedAfter(call, refusal))
        verdict.fail(`The client sent an order again unchanged after a ${status}`, refusal.id, id);
      verdict.pass(id);
      if (!refusal) refused.set(key, call.timing);
    },
  };
};

/** The client does not submit an order again that was placed with the status Needs Changes. */
export const needsChanges: Rule = (verdict, sessions) => {
  const placed = new RecentMap<string, CallTiming>();
  return {
    observe(call) {
      if (call.operation !== 'orders.create') return;
      const isPlaced = isPlacedWithNeedsChanges(call);
      if (placed.size === 0 && !isPlaced) return;
      const key = sessions.requestKey(call);
      const first = placed.get(key);
      if (first && startedAfter(call, first) && isWithinAWeek(call, first))
        verdict.fail('The client submitted an order again that has the status Needs Changes', first.id, call.id);
      if (!isPlaced) return;
      verdict.pass(call.id);
      if (!first) placed.set(key, call.timing);
    },
  };
};

function isPlacedWithNeedsChanges(call: CompletedCall): boolean {
  const needsChangesStatus: OrderStatus = 'Needs Changes';
  // The body is parsed only if it has the words.
  if ((call.status !== 201 && call.status !== 200) || !call.answer.sentBody?.includes(needsChangesStatus)) return false;
  return isRecord(call.responseFields.order) && call.responseFields.order.status === needsChangesStatus;
}
