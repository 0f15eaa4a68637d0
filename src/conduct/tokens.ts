// The conduct rules about tokens: `token_reuse`, `refresh_on_401`, `no_dead_token`.
import type { RuleId } from '../contract/rules.ts';
import { type CallTiming, type CompletedCall, hadAnswer, startedAfter } from './completed-call.ts';
import type { Rule, Violation } from './rule.ts';
import { RecentMap, type Session } from './sessions.ts';

const isLogin = ({ operation, status }: CompletedCall): boolean =>
  operation === 'authentication.token' && status === 200;

/** The client does not log in while it has a valid access token. */
export const tokenReuse: Rule = (verdict, sessions) => ({
  observe(call) {
    const last = isLogin(call) ? sessions.ofLogin(call) : undefined;
    if (last?.answer && last.isValid(call.at))
      verdict.fail('The client logged in while its access token was valid', last.answer.id, call.id);
    if (call.bearer !== undefined && sessions.ofToken(call.bearer).isUsed) verdict.pass(call.id);
  },
});

/** Two refreshes within this time, on the sandbox's clock, are for the same refused token. */
const sameRefreshMilliseconds = 60_000;

/** A refresh that gave an access token. */
interface Renewal {
  readonly id: string;
  readonly at: number;
  /** Until when another refresh is for the same token: sooner for a token with a short lifetime. */
  readonly until: number;
  readonly access: unknown;
  /** How the token was refused. A fault that refuses it at once does not justify another refresh. */
  refused: 'no' | 'expired' | 'by_fault';
}

/** A call that got a 401 and was not sent again yet. */
interface RefusedCall {
  readonly id: string;
  /** The refused token; empty when a refresh has given it again. */
  access: string;
  readonly session: Session;
}

/** After a 401 the client refreshes once, however many calls got it, then repeats each of these calls. */
export const refreshOn401: Rule = (verdict, sessions) => {
  /** The first 401 of each session that has not asked for a new token since. */
  const unrefreshed = new RecentMap<Session, CallTiming>();
  const renewals = new RecentMap<Session, Renewal>();
  const refusedCalls = new RecentMap<string, RefusedCall>();
  function loggedIn(call: CompletedCall): void {
    // Without a login the client has no token to repeat the calls with.
    if (isRefused(call)) refusedCalls.clear();
    if (call.status !== 200) return;
    const session = sessions.ofLogin(call);
    const refusal = session && unrefreshed.get(session);
    if (refusal && startedAfter(call, refusal))
      verdict.fail('The client logged in after a 401 instead of using its refresh token', refusal.id, call.id);
    for (const other of unrefreshed.keys()) if (other === session || !other.isLoginKnown) unrefreshed.delete(other);
  }
  /** A sandbox that was restored gives the same token again: a repeat with it settles the refusal, too. */
  function forgetRefused(access: unknown): void {
    for (const one of refusedCalls.values()) if (one.access === access) one.access = '';
  }
  function refreshed(call: CompletedCall): void {
    const session = sessions.ofRefresh(call);
    if (call.status === 200 || isRefused(call)) unrefreshed.delete(session);
    if (call.status !== 200) return;
    forgetRefused(call.responseFields.access_token);
    const last = renewals.get(session);
    if (last && call.at >= last.at && call.at < last.until) {
      if (last.refused === 'no') verdict.fail('The client refreshed one rejected token twice', last.id, call.id);
      if (last.refused === 'by_fault')
        verdict.fail('The client refreshed again although the first refresh did not end the 401', last.id, call.id);
    }
    renewals.set(session, renewalBy(call));
  }
  function refused(call: CompletedCall, access: string): void {
    const session = sessions.ofToken(access);
    const renewal = renewals.get(session);
    verdict.pass(call.id);
    if (renewal?.access === access) {
      const isByFault = call.decision.isInjected && session.isUntried;
      renewal.refused = isByFault ? 'by_fault' : 'expired';
      if (isByFault) return void refusedCalls.delete(call.key);
    }
    // No refresh is due for a call with a replaced token, nor after a refresh that was refused.
    const isDue = session.access === access && !session.isRefreshRefused && !session.isReplaced;
    if (isDue && !unrefreshed.has(session)) unrefreshed.set(session, call.timing);
    refusedCalls.set(call.key, { id: call.id, access, session });
  }
  /** The same call with another token settles the refusal, even if its answer is lost. */
  function repeated(call: CompletedCall): void {
    const earlier = refusedCalls.size > 0 ? refusedCalls.get(call.key) : undefined;
    if (!earlier || call.bearer === undefined || earlier.access === call.bearer) return;
    refusedCalls.delete(call.key);
    // The journal may have forgotten the refresh of an unknown login, too.
    if (!earlier.session.isLoginKnown) unrefreshed.delete(earlier.session);
  }
  return {
    observe(call) {
      if (call.operation === 'authentication.token') loggedIn(call);
      else if (call.operation === 'authentication.refresh') refreshed(call);
      else if (call.bearer !== undefined && call.status === 401) refused(call, call.bearer);
      else repeated(call);
    },
    outstanding() {
      const refusals = [...unrefreshed.values()].map(({ id }) => id);
      if (refusals.length > 0)
        return { finding: 'The client did not refresh its token after a 401', evidence: refusals };
      const missing = [...refusedCalls.values()].filter(({ session, access }) => session.access !== access);
      return {
        finding: 'The client did not repeat a call after its 401',
        evidence: missing.map(({ id }) => id),
      };
    },
  };
};

function renewalBy({ id, at, timing, responseFields }: CompletedCall): Renewal {
  const { access_token: access, expires_in: seconds } = responseFields;
  const sameRefresh = Math.min(sameRefreshMilliseconds, (Number(seconds) * 1000) / 2);
  return { id, at, until: timing.answeredAt + sameRefresh, access, refused: 'no' };
}

const isRefused = ({ status, isFinal }: CompletedCall): boolean => status === 401 || isFinal;

/** A call with a refused token that may have been sent before the refusal. The use of a new token clears it. */
interface Suspect extends Violation {
  readonly session: Session;
  /** The user had already logged in again by then, so that login clears nothing. */
  readonly wasReplaced: boolean;
}

/** The client does not send a refused access or refresh token again. */
export const noDeadToken: Rule = (verdict, sessions) => {
  const finding = 'The client sent a token again after it was rejected';
  const refused = new RecentMap<string, CallTiming>();
  const suspects = new RecentMap<string, Suspect>();
  function cameAgain(call: CompletedCall, token: string, refusal: CallTiming): void {
    const evidence = [refusal.id, call.id];
    const known = isKnown(call, refusal);
    if (known === 'yes') verdict.fail(finding, ...evidence);
    if (known !== 'perhaps') return;
    const session = sessions.ofToken(token);
    const wasReplaced = suspects.get(token)?.wasReplaced ?? session.isReplaced;
    suspects.set(token, { finding, evidence, session, wasReplaced });
  }
  /** A fault that refuses a new token at once says nothing about it: its client can get no better one. */
  function isFaultOfNewToken({ decision, bearer }: CompletedCall): boolean {
    if (!decision.isInjected || bearer === undefined) return false;
    const session = sessions.ofToken(bearer);
    return session.isUntried && session.access === bearer;
  }
  /** A sandbox that was restored gives the same tokens again. */
  function forgetTokens({ responseFields }: CompletedCall): void {
    for (const token of [responseFields.access_token, responseFields.refresh_token]) {
      if (typeof token !== 'string') continue;
      refused.delete(token);
      suspects.delete(token);
    }
  }
  return {
    observe(call) {
      if (refused.size > 0 && givesTokens(call)) forgetTokens(call);
      const token = tokenOf(call);
      if (token === undefined) return;
      const refusal = refused.get(token);
      if (refusal) cameAgain(call, token, refusal);
      if (refusal || !isTokenRefused(call)) return;
      verdict.pass(call.id);
      if (!isFaultOfNewToken(call)) refused.set(token, call.timing);
    },
    outstanding: () => [...suspects].find(([token, suspect]) => isStillSuspect(token, suspect))?.[1],
  };
};

const isStillSuspect = (token: string, { session, wasReplaced }: Suspect): boolean =>
  (session.access === token || session.isUntried) && (wasReplaced || !session.isReplaced) && !session.isRefreshRefused;

/** Parallel calls share one refresh, so for a refresh token the order at the server decides. */
function isKnown(call: CompletedCall, refusal: CallTiming): 'yes' | 'no' | 'perhaps' {
  if (call.bearer !== undefined) return hadAnswer(call, refusal);
  return startedAfter(call, refusal) ? 'yes' : 'no';
}

const givesTokens = ({ operation, status }: CompletedCall): boolean =>
  status === 200 && (operation === 'authentication.token' || operation === 'authentication.refresh');

function tokenOf(call: CompletedCall): string | undefined {
  if (call.operation !== 'authentication.refresh') return call.bearer;
  const { refresh_token: token } = call.requestFields;
  return typeof token === 'string' ? token : undefined;
}

const refreshTokenRules: readonly RuleId[] = ['bad_refresh_token', 'expired_refresh_token'];

const isTokenRefused = ({ status, decision }: CompletedCall): boolean =>
  status === 401 || (status === 400 && decision.rules.some((rule) => refreshTokenRules.includes(rule)));
