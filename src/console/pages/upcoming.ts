// The next events on the sandbox's clock: steps of the timeline, ends of switches and faults, expiries of tokens and
// label URLs. The sandbox does not store the tokens and URLs that it issues, so they are read from the journal.
import { limits } from '../../contract/limits.ts';
import type { TimelineStep } from '../../contract/records.ts';
import { isRecord } from '../../contract/schema.ts';
import { endOf, judgeLabelRequest } from '../../domain/labels.ts';
import { expiryOf, refreshLifetimeSeconds } from '../../domain/tokens.ts';
import type { World } from '../../domain/world.ts';
import { type Answer, acceptedAnswer, type Entry, fieldsOf, textOf } from '../../journal/entry.ts';
import { activeOverride, type Counts, isSpent, listFaults, presentSwitches } from '../../sandbox/overrides.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import { isAutomatic } from '../../sandbox/timeline.ts';
import type { State } from '../../state/state.ts';
import { firstOf } from '../parts/layout.tsx';

export interface Upcoming {
  readonly kind: 'order' | 'fulfillment' | 'switch' | 'window' | 'fault' | 'access_token' | 'refresh_token' | 'label';
  /** The sandbox's time in milliseconds. */
  readonly at: number;
  /** A username for a token, undefined if the journal no longer has the login; else an id. */
  readonly name: string | undefined;
  /** Of an order or a package. */
  readonly step?: TimelineStep;
}

/** The most steps, and the most label URLs. */
const maxItems = 10;
/** The number of calls to search for tokens and URLs. */
const maxCalls = 200;

/**
 * Soonest first.
 * @param newestFirst the calls in the sandbox's journal
 */
export function upcoming(state: State, writing: WriteContext, newestFirst: Iterable<Entry>): Upcoming[] {
  const { now } = writing;
  const calls = firstOf(newestFirst, maxCalls);
  const all = [
    ...nextSteps(state),
    ...overrideEnds(state, now),
    ...tokenExpiries(state, calls.toReversed()),
    ...labelExpiries(operatorWorld(state, writing), calls),
  ];
  return all.filter(({ at }) => at > now).sort((one, other) => one.at - other.at);
}

function nextSteps(state: State): Upcoming[] {
  if (!isAutomatic(state)) return [];
  const steps = Array.from(state.table('due_steps').entries(), ([, { id, step, due_at }]): Upcoming => {
    const kind = state.table('orders').get(id) ? 'order' : 'fulfillment';
    return { kind, at: Date.parse(due_at), name: id, step };
  });
  return steps.sort((one, other) => one.at - other.at).slice(0, maxItems);
}

function overrideEnds(state: State, now: number): Upcoming[] {
  const ends: Upcoming[] = [];
  const add = (kind: Upcoming['kind'], name: string, ends_at: string | undefined): void => {
    if (ends_at !== undefined) ends.push({ kind, at: Date.parse(ends_at), name });
  };
  for (const [name, current] of Object.entries(presentSwitches(state, now))) {
    const counts: (Counts & { readonly window_seconds?: number | undefined }) | null = current;
    add(counts?.window_seconds === undefined ? 'switch' : 'window', name, counts?.ends_at);
  }
  // A fault that has affected all its calls is over before it ends.
  for (const fault of listFaults(state, now)) if (!isSpent(fault, now)) add('fault', fault.id, fault.ends_at);
  return ends;
}

/** Text of a token as the journal redacts it: unique, so that it identifies the token. */
type AccessToken = Upcoming & { readonly token: string; readonly issuedAt: number };

/** The newest valid tokens of each caller. @param calls oldest first */
function tokenExpiries(state: State, calls: Iterable<Entry>): Upcoming[] {
  const lifetime = state.value('readings').refresh_token_lifetime;
  const seconds = refreshLifetimeSeconds[lifetime];
  const access = new Map<string, AccessToken>();
  const refresh = new Map<string, Upcoming>();
  /** Usernames by refresh token. */
  const callers = new Map<string, string>();
  for (const call of calls) {
    const answer = acceptedAnswer(call);
    if (!answer) deleteRefused(access, call);
    else if (call.operation === 'authentication.token') {
      const name = textOf(fieldsOf(call.body).username);
      callers.set(textOf(fieldsOf(answer.body).refresh_token), name);
      access.set(name, accessToken(answer, name));
      refresh.set(name, { kind: 'refresh_token', at: expiryOf(answer.answeredAt, seconds ?? 0), name });
    } else if (call.operation === 'authentication.refresh') {
      const token = textOf(fieldsOf(call.body).refresh_token);
      const name = callers.get(token);
      access.set(name ?? token, accessToken(answer, name));
      if (lifetime === 'single_use') refresh.delete(name ?? '');
    }
  }
  const validFrom = expiredUntil(state);
  const valid = [...access.values()].filter(({ issuedAt }) => issuedAt >= validFrom);
  const all = seconds === undefined ? valid : [...valid, ...refresh.values()];
  return all.map(({ kind, at, name }) => ({ kind, at, name }));
}

function accessToken(answer: Answer, name: string | undefined): AccessToken {
  const { access_token, expires_in } = fieldsOf(answer.body);
  const seconds = typeof expires_in === 'number' ? expires_in : limits.accessTokenSeconds;
  const at = expiryOf(answer.answeredAt, seconds);
  return { kind: 'access_token', at, name, token: textOf(access_token), issuedAt: answer.answeredAt };
}

/** Deletes the token if the call was refused because it is expired (AUTH-3). */
function deleteRefused(access: Map<string, AccessToken>, { headers, answer }: Entry): void {
  if (!answer || answer.decision.isInjected || !answer.decision.rules.includes('AUTH-3')) return;
  const bearer = headers.find(([name]) => name === 'authorization')?.[1] ?? '';
  for (const [key, { token }] of access) if (token !== '' && bearer.endsWith(token)) access.delete(key);
}

/** The switch token_expiry has expired every access token issued before this time. */
function expiredUntil(state: State): number {
  const override = activeOverride(state, 'token_expiry');
  if (override?.kind !== 'token_expiry' || !override.settings.expire_issued || override.settings.match) return 0;
  return override.made_at;
}

/** The newest valid label URL of each fulfillment. @param calls newest first */
function labelExpiries(world: World, calls: Iterable<Entry>): Upcoming[] {
  const urls = new Map<string, URL>();
  for (const call of calls)
    for (const [fulfillment, url] of labelUrlsIn(call))
      if (urls.size < maxItems && !urls.has(fulfillment)) urls.set(fulfillment, url);
  return [...urls].flatMap(([name, url]) => {
    const at = validUntil(world, url);
    return at === undefined ? [] : [{ kind: 'label', at, name }];
  });
}

/** The label URLs in a response with one fulfillment or a list. */
function* labelUrlsIn(call: Entry): Generator<readonly [fulfillment: string, url: URL]> {
  const body = acceptedAnswer(call)?.body;
  if (!body?.includes('"label_url"')) return;
  for (const record of Object.values(fieldsOf(body)).flat()) {
    if (!isRecord(record) || typeof record.id !== 'string' || typeof record.label_url !== 'string') continue;
    if (URL.canParse(record.label_url)) yield [record.id, new URL(record.label_url)];
  }
}

/** The journal redacts signatures, so a URL is valid if the storage refuses nothing but its signature. */
function validUntil(world: World, { host, pathname: path, searchParams: query }: URL): number | undefined {
  const refusal = judgeLabelRequest(world, { method: 'GET', host, path, query, authorization: null });
  return refusal?.code === 'SignatureDoesNotMatch' ? endOf(query) : undefined;
}
