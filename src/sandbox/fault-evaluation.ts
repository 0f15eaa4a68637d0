// The effect of switches and faults on a call before it is judged: maintenance, the rate limit, then the faults by age.
// One transaction, which stays even if the call is then rejected: a 429 uses up its burst. Two kinds act later: the
// switch `missing_permission` when permissions are checked (HTTP-4), and those with `after: "success"`, which have a
// transaction of their own after the service has answered with success.
import { bounds } from '../contract/control/bounds.ts';
import type { Override, RateWindow, SettingsOf } from '../contract/control/overrides.ts';
import type { OverridePhase } from '../contract/control/switch-names.ts';
import type { Drop, Fault } from '../contract/control/switches.ts';
import { limits, rateLimits } from '../contract/limits.ts';
import { canBreak } from '../contract/operation.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { RuleId } from '../contract/rules.ts';
import type { Hashes } from '../domain/hashes.ts';
import { matches, type RequestFacts } from '../journal/match.ts';
import type { State } from '../state/state.ts';
import type { ClockState } from '../state/values.ts';
import { drawFraction } from './seeded-random.ts';

export interface CallToEvaluate extends RequestFacts {
  readonly permission: string | null;
  /** Whether the sandbox offers the operation: faults do not affect unknown routes. */
  readonly isRouted: boolean;
  /** The id of the user whose token it carries, valid or expired. */
  readonly user?: string | undefined;
  /** Whether its token is not signed with the sandbox's key: such a call does not count for bursts. */
  readonly isForged: boolean;
}

export interface FaultOutcome {
  /** The names of the switches and faults that affected it, oldest first. */
  readonly affectedBy: readonly string[];
  /** The response that replaces the service's, given before the route is known or after. */
  readonly refusal?:
    | {
        readonly rule: RuleId;
        readonly retryAfterSeconds?: number;
        readonly beforeRoute: boolean;
        /** Whether the answer is that to a request that breaks the rule. */
        readonly isSample?: true;
      }
    | undefined;
  readonly delayMilliseconds: number;
  readonly drop?: Drop | undefined;
}

/** The settings of all switches and faults that affect calls. A name has the same meaning in all of them. */
export type FaultSettings = Partial<
  SettingsOf<'fault'> & SettingsOf<'rate_limit'> & SettingsOf<'missing_permission'> & SettingsOf<'latency'>
>;

type Status = NonNullable<Fault['status']>;

const statusOfKind: Partial<Record<Override['kind'], Status>> = {
  maintenance: 500,
  rate_limit: 429,
  server_error: 500,
};

const ruleOfStatus: Record<Status, RuleId> = {
  400: 'fault_400',
  401: 'AUTH-3',
  403: 'AUTH-5',
  404: 'fault_404',
  422: 'fault_422',
  429: 'LIM-1',
  500: 'HTTP-3',
  502: 'fault_502',
  503: 'fault_503',
  504: 'fault_504',
};

/** Whether anything could affect a call: without faults the transaction is skipped. */
export const hasFaults = (state: State): boolean =>
  state.table('levers').size > 0 || state.value('readings').rate_limit !== 'off';

/** A call, and the sandbox that it came to. */
export interface FaultContext {
  readonly state: State;
  readonly assumptions: Assumptions;
  readonly hashes: Hashes;
  readonly call: CallToEvaluate;
  /** The sandbox's time, in milliseconds. */
  readonly now: number;
}

interface Evaluation extends FaultContext {
  readonly tolerance: number;
  /** Whether the service has answered the call with success. */
  readonly hasSucceeded: boolean;
  readonly outcome: Writable<FaultOutcome> & { readonly affectedBy: string[] };
}

/** Evaluates the switches and faults for a call, and counts their use. */
export function evaluateFaults(context: FaultContext): FaultOutcome {
  const run = evaluationOf(context, false);
  const isAnswered = applyAll(run, 'maintenance') || applyAll(run, 'rate_limit') || applyChosenRateLimit(run);
  if (!isAnswered && run.call.isRouted) applyAll(run, 'fault');
  return run.outcome;
}

/** The switch `missing_permission`, if it takes the permission for this call away. */
export function missingPermission(state: State, call: CallToEvaluate): Override | undefined {
  for (const [, override] of state.table('levers').walk('phase', 'fault'))
    if (override.kind === 'missing_permission' && isTargeted(override.settings, call)) return override;
  return undefined;
}

/** Whether a fault waits for the success of a call. */
export const hasFaultsAfterSuccess = (state: State): boolean =>
  Array.from(state.table('levers').walk('phase', 'fault')).some(([, { settings }]) => isAfterSuccess(settings));

/** Evaluates the faults that wait for the success of a call, and counts their use. */
export function evaluateFaultsAfterSuccess(context: FaultContext): FaultOutcome {
  const run = evaluationOf(context, true);
  applyAll(run, 'fault');
  return run.outcome;
}

function evaluationOf(context: FaultContext, hasSucceeded: boolean): Evaluation {
  const tolerance = reorderTolerance(context.state.value('clock'));
  return { ...context, tolerance, hasSucceeded, outcome: { affectedBy: [], delayMilliseconds: 0 } };
}

const isAfterSuccess = ({ after }: FaultSettings): boolean => after === 'success';

/** Applies the overrides of a phase, oldest first, until one answers the call or breaks its connection. */
function applyAll(run: Evaluation, phase: OverridePhase): boolean {
  const overrides = run.state.table('levers');
  for (const [, override] of [...overrides.walk('phase', phase)]) {
    if (override.kind === 'missing_permission' || !isTargeted(override.settings, run.call)) continue;
    if (isAfterSuccess(override.settings) !== run.hasSucceeded) continue;
    const counted = { ...override };
    if (affects(run, override.settings, counted)) apply(run, override.settings, counted);
    if (hasCounted(override, counted)) overrides.replace(counted);
    if (run.outcome.refusal || run.outcome.drop) return true;
  }
  return false;
}

/** Whether the override affects a call that it targets. The order of the conditions matters: each may count. */
function affects(run: Evaluation, settings: FaultSettings, counted: Counted): boolean {
  const { burst, times = burst, for_seconds, after = 0, probability = 1, limit, window_seconds = 1 } = settings;
  if (times !== undefined && (counted.hits >= times || run.call.isForged)) return false;
  if (for_seconds !== undefined && run.now >= counted.made_at + for_seconds * 1000) return false;
  if (after !== 'success' && counted.seen < after) {
    counted.seen += 1;
    return false;
  }
  if (probability < 1 && roll(run, counted) >= probability) return false;
  if (limit !== undefined) {
    const windows = countedWindows(run, counted, window_seconds, limit);
    if (windows) {
      Object.assign(counted, windows);
      return false;
    }
  }
  counted.hits += 1;
  return true;
}

function apply(run: Evaluation, settings: FaultSettings, counted: Counted): void {
  const { outcome } = run;
  outcome.affectedBy.push(counted.name);
  outcome.delayMilliseconds += Math.min(delayOf(run, settings, counted), bounds.delayMilliseconds);
  outcome.drop = settings.drop;
  if (settings.rule) outcome.refusal = { rule: settings.rule, beforeRoute: false, isSample: true };
  const status = settings.status ?? statusOfKind[counted.kind];
  if (status === undefined) return;
  const retry = status === 429 ? { retryAfterSeconds: retryAfterOf(run, settings, counted) } : {};
  // AUTH-3 has a challenge, which a login and a refresh do not get.
  const rule = status === 401 && run.call.permission === null ? 'fault_401' : ruleOfStatus[status];
  outcome.refusal = { rule, beforeRoute: counted.turn !== 'fault', ...retry };
}

/** In seconds: as set, else until the end of the time or of the window, else LIM-1's 60. */
function retryAfterOf(run: Evaluation, settings: FaultSettings, counted: Counted): number {
  const { retry_after, for_seconds, window_seconds } = settings;
  if (retry_after !== undefined) return retry_after;
  if (for_seconds !== undefined) return secondsLeft(counted.made_at, for_seconds, run.now);
  return window_seconds === undefined ? limits.retryAfterSeconds : secondsLeftIn(run, counted, window_seconds);
}

/** Whole seconds of the sandbox's clock until the end, at least 1. Rounded up, so that the time is over by then. */
const secondsLeft = (began: number, seconds: number, now: number): number =>
  Math.max(1, Math.ceil((began + seconds * 1000 - now) / 1000));

/** In milliseconds. The switch `latency` has its numbers in its settings, a fault in `delay`. */
function delayOf(run: Evaluation, settings: FaultSettings, counted: Counted): number {
  type DelayField = 'milliseconds' | 'min' | 'max' | 'median' | 'sigma';
  const delay: { readonly [Field in DelayField]?: number | undefined } = settings.delay ?? settings;
  const { milliseconds, min, max = 0, median, sigma = 0 } = delay;
  if (milliseconds !== undefined) return milliseconds;
  if (min !== undefined) return min + roll(run, counted) * (max - min);
  if (median === undefined) return 0;
  const normal = Math.sqrt(-2 * Math.log(1 - roll(run, counted))) * Math.cos(2 * Math.PI * roll(run, counted));
  return median * Math.exp(sigma * normal);
}

/** The override's next random number: at least 0, under 1. */
function roll({ state, hashes }: Evaluation, counted: Counted): number {
  const n = counted.rolls;
  counted.rolls += 1;
  return drawFraction(hashes, state.initial.identity.seed, `dice of ${counted.name}`, n);
}

/** The assumption `rate_limit`. */
function applyChosenRateLimit(run: Evaluation): boolean {
  const { state, outcome } = run;
  const limit = rateLimits[state.value('readings').rate_limit];
  if (!limit) return false;
  const before = { window: state.value('rate_window'), windows: state.value('rate_windows') };
  const counted = countedWindows(run, before, limit.seconds, limit.calls);
  if (counted) {
    if (counted.window !== before.window) state.setValue('rate_window', counted.window);
    if (counted.windows !== before.windows) state.setValue('rate_windows', counted.windows);
    return false;
  }
  outcome.refusal = { rule: 'LIM-1', retryAfterSeconds: secondsLeftIn(run, before, limit.seconds), beforeRoute: true };
  return true;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
/** A copy of an override, for counting its use by one call. */
type Counted = Writable<Override>;

const hasCounted = (override: Override, { seen, hits, rolls, window, windows }: Override): boolean =>
  override.seen !== seen ||
  override.hits !== hits ||
  override.rolls !== rolls ||
  override.window !== window ||
  override.windows !== windows;

const isTargeted = ({ permissions, rule, match }: FaultSettings, call: CallToEvaluate): boolean =>
  (!permissions || (permissions as readonly unknown[]).includes(call.permission)) &&
  (!rule || (call.operation !== null && canBreak(operations[call.operation as OperationId], rule))) &&
  (!match || matches(match, call));

const reorderMilliseconds = 10_000;

/** Tolerated reordering of calls between servers, in milliseconds of sandbox time; 0 if the clock is frozen. */
export const reorderTolerance = ({ frozen, rate }: ClockState): number => (frozen ? 0 : reorderMilliseconds * rate);

/** The windows of a threshold: one per user, and one for the calls that do not count by user. */
type Windows = Pick<Override, 'window' | 'windows'>;

/** Of the windows, the one that counts this call, with the call in it; and the user if that window is a user's. */
function ownWindow({ now, tolerance, assumptions, call }: Evaluation, { window, windows }: Windows, seconds: number) {
  const user = assumptions.get('rate_limit_scope') === 'user' ? call.user : undefined;
  const own = user === undefined ? window : (windows?.[user] ?? null);
  return { user, counted: countedWindow(own, seconds, now, tolerance) };
}

/** Until the window that counts this call ends. */
const secondsLeftIn = (run: Evaluation, windows: Windows, seconds: number): number =>
  secondsLeft(ownWindow(run, windows, seconds).counted.began_at, seconds, run.now);

/** The windows with this call in the one that counts it; undefined if that has `limit` calls already. */
function countedWindows(run: Evaluation, { window, windows }: Windows, seconds: number, limit: number) {
  const { now, tolerance } = run;
  const { user, counted } = ownWindow(run, { window, windows }, seconds);
  if (counted.calls > limit) return undefined;
  if (user === undefined) return { window: counted, windows };
  // Without those that have ended, so that the row does not grow.
  const isOpen = ({ began_at }: RateWindow) => Math.abs(now - began_at) < seconds * 1000 + tolerance;
  const open = Object.entries(windows ?? {}).filter(([, each]) => isOpen(each));
  return { window, windows: { ...Object.fromEntries(open), [user]: counted } };
}

/** The open window with the most calls. */
export const busiestWindow = ({ window, windows }: Windows, seconds: number, now: number): RateWindow | undefined =>
  [window, ...Object.values(windows ?? {})]
    .flatMap((each) => openWindow(each, seconds, now) ?? [])
    .sort((one, other) => other.calls - one.calls)[0];

/**
 * The window with one more call in it: the open window, or a new one if it has ended or the clock was set back.
 * @param tolerance how much earlier than the window a call may be and still count in it
 */
export function countedWindow(window: RateWindow | null, seconds: number, now: number, tolerance: number): RateWindow {
  const isReordered = window !== null && now < window.began_at && now >= window.began_at - tolerance;
  const open = openWindow(window, seconds, isReordered ? window.began_at : now);
  return open ? { ...open, calls: open.calls + 1 } : { began_at: now, calls: 1 };
}

/** The window, if it is open now. */
const openWindow = (window: RateWindow | null, seconds: number, now: number): RateWindow | undefined =>
  window && now >= window.began_at && now < window.began_at + seconds * 1000 ? window : undefined;
