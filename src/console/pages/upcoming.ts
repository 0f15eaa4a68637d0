// What ends or happens next by the sandbox's clock: timeline steps, switches, faults, tokens and label URLs given out.

import type { Choices } from '../../contract/assumptions.ts';
import type { SwitchName } from '../../contract/control/switches.ts';
import { limits } from '../../contract/limits.ts';
import type { TimelineStep } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { endOf, judgeLabelRequest } from '../../domain/labels.ts';
import { refreshLifetimeSeconds } from '../../domain/tokens.ts';
import type { World } from '../../domain/world.ts';
import { type Answer, acceptedAnswer, type Entry, fieldsOf } from '../../journal/entry.ts';
import { activeOverride, type Counts, isSpent, listFaults, presentSwitches } from '../../sandbox/overrides.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import { isAutomatic } from '../../sandbox/timeline.ts';
import type { State } from '../../state/state.ts';

interface UpcomingStep {
  readonly kind: 'step';
  readonly at: number;
  readonly of: 'order' | 'fulfillment';
  readonly id: string;
  readonly step: TimelineStep;
}

interface UpcomingEnd {
  readonly kind: 'switch' | 'window' | 'fault';
  readonly at: number;
  /** Of a window it is that of its switch. */
  readonly name: string;
}

/** One thing that is to come; `at` is the sandbox's time in milliseconds. */
export type Upcoming = UpcomingStep | UpcomingEnd | GivenToken | GivenLabel;

/** How many steps, and how many label URLs, are told. */
const most = 10;
/** How many calls are looked at for what they gave out. */
const mostCalls = 200;

/**
 * What comes next, the soonest first; what has come is not told.
 * @param newestFirst the calls of the sandbox's journal
 */
export function upcoming(state: State, writing: WriteContext, newestFirst: Iterable<Entry>): Upcoming[] {
  const { now } = writing;
  const calls = firstOf(newestFirst, mostCalls);
  const labels = givenLabels(operatorWorld(state, writing), calls, most);
  const all = [...nextSteps(state), ...nextEnds(state, now), ...givenTokens(state, calls), ...labels];
  return all.filter(({ at }) => at > now).sort((one, other) => one.at - other.at);
}

function firstOf<T>(all: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const one of all) if (first.push(one) === count) break;
  return first;
}

/** By hand nothing is due. */
function nextSteps(state: State): UpcomingStep[] {
  if (!isAutomatic(state)) return [];
  const steps = Array.from(state.table('due_steps').entries(), ([, step]) => step);
  steps.sort((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at));
  return steps.slice(0, most).map(({ id, step, due_at }) => {
    const of = state.table('orders').get(id) ? 'order' : 'fulfillment';
    return { kind: 'step', at: Date.parse(due_at), of, id, step };
  });
}

/** What a lever shows of its end. */
type Ending = Counts & { readonly window_seconds?: number | undefined };

/** What has met all its calls is over, whenever it ends. A window ends, and the next call begins another. */
function nextEnds(state: State, now: number): UpcomingEnd[] {
  const switches = Object.entries(presentSwitches(state, now)) as [SwitchName, Ending | null][];
  const faults = listFaults(state, now).filter((fault) => !isSpent(fault, now));
  const ends = [
    ...switches.map(([name, shown]) =>
      endingOf(shown?.window_seconds === undefined ? 'switch' : 'window', name, shown),
    ),
    ...faults.map((fault) => endingOf('fault', fault.id, fault)),
  ];
  return ends.flat();
}

const endingOf = (kind: UpcomingEnd['kind'], name: string, shown: Ending | null): UpcomingEnd[] =>
  shown?.ends_at === undefined ? [] : [{ kind, name, at: Date.parse(shown.ends_at) }];

// The tokens that logins and refreshes have given out and that are good yet: of each caller the newest.

interface GivenToken {
  readonly kind: 'access_token' | 'refresh_token';
  /** The username; null where the login is not known any more. */
  readonly caller: string | null;
  /** When it expires, by the sandbox's clock in milliseconds. */
  readonly at: number;
}

/** @param calls newest first */
function givenTokens(state: State, calls: readonly Entry[]): GivenToken[] {
  const given = new TokensGiven(state);
  for (const call of calls.toReversed()) given.see(call);
  return given.good;
}

/** A token's stamp has whole seconds, rounded up. */
const expiryOf = ({ answeredAt }: Answer, seconds: number): number => (Math.ceil(answeredAt / 1000) + seconds) * 1000;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Follows calls, oldest first. Tokens are told apart by the tags that the journal keeps of them. */
class TokensGiven {
  readonly #lifetime: Choices['refresh_token_lifetime'];
  /** Until when every access token is expired, whatever its lifetime. */
  readonly #expiredUntil: number;
  /** Whether a caller met that already: what is given out from there on is good, also where the clock stands. */
  #isPastExpiry = false;
  readonly #access = new Map<string, GivenToken & { readonly tag: string }>();
  readonly #refresh = new Map<string, GivenToken>();
  /** Who logged in, by the tag of the refresh token. */
  readonly #callers = new Map<string, string>();

  constructor(state: State) {
    this.#lifetime = state.value('choices').refresh_token_lifetime;
    this.#expiredUntil = expiredUntil(state);
  }

  get good(): GivenToken[] {
    return [...this.#access.values(), ...this.#refresh.values()].map(({ kind, caller, at }) => ({ kind, caller, at }));
  }

  see(call: Entry): void {
    const answer = acceptedAnswer(call);
    if (answer && call.operation === 'authentication.token') this.#loggedIn(call, answer);
    else if (answer && call.operation === 'authentication.refresh') this.#refreshed(call, answer);
    else this.#refused(call);
  }

  #loggedIn({ body }: Entry, answer: Answer): void {
    const caller = text(fieldsOf(body).username);
    const { refresh_token } = fieldsOf(answer.body);
    this.#callers.set(text(refresh_token), caller);
    const seconds = refreshLifetimeSeconds[this.#lifetime];
    if (seconds !== undefined)
      this.#refresh.set(caller, { kind: 'refresh_token', caller, at: expiryOf(answer, seconds) });
    this.#gave(caller, caller, answer);
  }

  #refreshed({ body }: Entry, answer: Answer): void {
    const tag = text(fieldsOf(body).refresh_token);
    const caller = this.#callers.get(tag);
    if (this.#lifetime === 'single_use' && caller !== undefined) this.#refresh.delete(caller);
    this.#gave(caller ?? tag, caller ?? null, answer);
  }

  #gave(key: string, caller: string | null, answer: Answer): void {
    const { access_token, expires_in } = fieldsOf(answer.body);
    const seconds = typeof expires_in === 'number' ? expires_in : limits.accessTokenSeconds;
    this.#access.delete(key);
    if (answer.answeredAt <= this.#expiredUntil && !this.#isPastExpiry) return;
    this.#access.set(key, { kind: 'access_token', caller, at: expiryOf(answer, seconds), tag: text(access_token) });
  }

  /** A token that was refused as expired is, whenever that was brought about. */
  #refused({ headers, answer }: Entry): void {
    if (!answer || answer.decision.isInjected || !answer.decision.rules.includes('AUTH-3')) return;
    if (answer.answeredAt >= this.#expiredUntil) this.#isPastExpiry = true;
    const bearer = headers.find(([name]) => name === 'authorization')?.[1] ?? '';
    for (const [key, { tag }] of this.#access) if (tag !== '' && bearer.endsWith(tag)) this.#access.delete(key);
  }
}

/** The journal does not tell a token's generation: what came before the switch was turned counts as expired by it. */
function expiredUntil(state: State): number {
  const override = activeOverride(state, 'token_expiry');
  if (override?.kind !== 'token_expiry' || !override.settings.expire_issued || override.settings.match) return -1;
  return override.made_at;
}

// The label URLs that answers have given out and that the storage would take yet: of each fulfillment the newest.

interface GivenLabel {
  readonly kind: 'label';
  readonly fulfillment: string;
  /** When it expires, by the sandbox's clock in milliseconds. */
  readonly at: number;
}

/**
 * @param calls newest first
 * @param most so many, the last that were given out
 */
function givenLabels(world: World, calls: readonly Entry[], most: number): GivenLabel[] {
  const seen = new Set<string>();
  const labels: GivenLabel[] = [];
  for (const call of calls) {
    for (const [fulfillment, url] of labelsIn(call)) {
      if (seen.size === most) return labels;
      if (seen.has(fulfillment)) continue;
      seen.add(fulfillment);
      const at = goodUntil(world, url);
      if (at !== undefined) labels.push({ kind: 'label', fulfillment, at });
    }
  }
  return labels;
}

/** The fulfillments of an answer, one or many, each with its label's URL. */
function* labelsIn(call: Entry): Generator<readonly [fulfillment: string, url: URL]> {
  const body = acceptedAnswer(call)?.body;
  if (!body?.includes('"label_url"')) return;
  for (const record of Object.values(fieldsOf(body)).flat()) {
    if (!isRecord(record) || typeof record.id !== 'string') continue;
    if (typeof record.label_url === 'string' && URL.canParse(record.label_url))
      yield [record.id, new URL(record.label_url)];
  }
}

/** Judged as the storage does: of a URL whose signature the journal does not keep, all but the signature is good. */
function goodUntil(world: World, { host, pathname: path, searchParams: query }: URL): number | undefined {
  const verdict = judgeLabelRequest(world, { method: 'GET', host, path, query });
  return verdict?.code === 'SignatureDoesNotMatch' ? endOf(query) : undefined;
}
