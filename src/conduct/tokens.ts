// `no_dead_token`: a token that was refused does not come again; refresh tokens likewise.
import type { RuleId } from '../contract/rules.ts';
import type { CompletedCall } from './completed-call.ts';
import { cameAfter, knew, type Told } from './completed-call.ts';
import { Recent } from './recent.ts';
import type { Breach, Rule, Ruling } from './ruling.ts';
import type { Session, Sessions } from './sessions.ts';

const finding = 'a token that was refused came again';

interface Doubt extends Breach {
  readonly session: Session;
  /** Whether the user had logged in anew before: that speaks for nothing. */
  readonly wasOver: boolean;
}

export const noDeadToken: Rule = {
  begins: (call) => isTokenRefused(call),
  follow: (ruling, sessions) => {
    const refused = new Recent<string, Told>();
    /** Calls that may have been under way when their token was refused: that a new one is used speaks for them. */
    const doubtful = new Recent<string, Doubt>();
    const isUnrenewed = ([token, { session, wasOver }]: [string, Doubt]): boolean =>
      (session.access === token || session.isUntried) && (wasOver || !session.isOver) && !session.isSpent;
    function came(call: CompletedCall, token: string, told: Told): void {
      const evidence = [told.id, call.id];
      const known = knownTo(call, told);
      if (known === 'yes') ruling.fail(finding, ...evidence);
      if (known !== 'perhaps') return;
      const session = sessions.of(token);
      doubtful.set(token, { finding, evidence, session, wasOver: doubtful.get(token)?.wasOver ?? session.isOver });
    }
    /** A fault that refuses the token of a refresh at once says nothing about it: the client can get no better one. */
    function isBeyondHelp({ isInjected, bearer }: CompletedCall): boolean {
      if (!isInjected || bearer === undefined) return false;
      const session = sessions.of(bearer);
      return session.isUntried && session.access === bearer;
    }
    /** A sandbox that was restored gives the same tokens anew. */
    function given({ got }: CompletedCall): void {
      for (const token of [got.access_token, got.refresh_token])
        if (typeof token === 'string') {
          refused.delete(token);
          doubtful.delete(token);
        }
    }
    return {
      see(call) {
        if (refused.size > 0 && isGiving(call)) given(call);
        const token = tokenOf(call);
        if (token === undefined) return;
        const told = refused.get(token);
        if (told) came(call, token, told);
        if (told || !isTokenRefused(call)) return;
        ruling.test(call.id);
        if (!isBeyondHelp(call)) refused.set(token, call.told);
      },
      owed: () => [...doubtful].find(isUnrenewed)?.[1],
    };
  },
};

/** Calls side by side share one refresh, so of a refresh token the order at the server decides. */
function knownTo(call: CompletedCall, told: Told): 'yes' | 'no' | 'perhaps' {
  if (call.bearer !== undefined) return knew(told, call);
  return cameAfter(told, call) ? 'yes' : 'no';
}

const isGiving = ({ operation, status }: CompletedCall): boolean =>
  status === 200 && (operation === 'authentication.token' || operation === 'authentication.refresh');

function tokenOf(call: CompletedCall): string | undefined {
  if (call.operation !== 'authentication.refresh') return call.bearer;
  const { refresh_token: token } = call.sent;
  return typeof token === 'string' ? token : undefined;
}

const ofRefreshTokens: readonly RuleId[] = ['bad_refresh_token', 'expired_refresh_token'];

const isTokenRefused = ({ status, rules }: CompletedCall): boolean =>
  status === 401 || (status === 400 && rules.some((rule) => ofRefreshTokens.includes(rule)));

// `refresh_on_401`: a 401 leads to one refresh, whatever the number of calls that met it, and each of these calls comes again.

/** Two refreshes within this time, by the sandbox's clock, are for the same refused token. */
const togetherMilliseconds = 60_000;

/** A refresh that gave an access token. */
interface Renewal {
  readonly id: string;
  readonly at: number;
  /** Until when another refresh is for the same token; a token that lives shortly is renewed soon. */
  readonly until: number;
  readonly access: unknown;
  /** What became of that token: a fault that refuses it at once, too, is no reason to refresh again. */
  refused: 'not' | 'dead' | 'by_fault';
}

/** A call that was refused with 401 and has not come again. */
interface RefusedCall {
  readonly id: string;
  readonly access: string;
  readonly session: Session;
}

class RefreshOn401 {
  readonly #ruling: Ruling;
  readonly #sessions: Sessions;
  /** The first 401 of each session that has not asked for a new token since. */
  readonly #unrefreshed = new Recent<Session, Told>();
  readonly #renewals = new Recent<Session, Renewal>();
  readonly #calls = new Recent<string, RefusedCall>();

  constructor(ruling: Ruling, sessions: Sessions) {
    this.#ruling = ruling;
    this.#sessions = sessions;
  }

  readonly see = (call: CompletedCall): void => {
    if (call.operation === 'authentication.token') this.#loggedIn(call);
    else if (call.operation === 'authentication.refresh') this.#refreshed(call);
    else if (call.bearer !== undefined && call.status === 401) this.#refused(call, call.bearer);
    else this.#cameAgain(call);
  };

  readonly owed = (): Breach | undefined => {
    const told = [...this.#unrefreshed.values()].map(({ id }) => id);
    if (told.length > 0) return { finding: 'no refresh came after a 401', evidence: told };
    const calls = [...this.#calls.values()].filter(({ session, access }) => session.access !== access);
    return calls.length > 0
      ? { finding: 'a call that was refused with 401 was not made again', evidence: calls.map(({ id }) => id) }
      : undefined;
  };

  #loggedIn(call: CompletedCall): void {
    // Whoever cannot log in has no token to make a call again with.
    if (isRefused(call)) this.#calls.clear();
    if (call.status !== 200) return;
    const session = this.#sessions.ofLogin(call);
    const told = session && this.#unrefreshed.get(session);
    if (told && cameAfter(told, call))
      this.#ruling.fail('a login came after a 401 without a refresh', told.id, call.id);
    for (const other of this.#unrefreshed.keys())
      if (other === session || !other.isKnown) this.#unrefreshed.delete(other);
  }

  #refreshed(call: CompletedCall): void {
    const session = this.#sessions.ofRefresh(call);
    if (call.status === 200 || isRefused(call)) this.#unrefreshed.delete(session);
    if (call.status !== 200) return;
    const last = this.#renewals.get(session);
    const isSoon = last !== undefined && call.at >= last.at && call.at < last.until;
    if (isSoon && last.refused === 'not')
      this.#ruling.fail('two refreshes came for one refused token', last.id, call.id);
    if (isSoon && last.refused === 'by_fault')
      this.#ruling.fail('a 401 that stayed after a refresh led to another', last.id, call.id);
    this.#renewals.set(session, renewalBy(call));
  }

  #refused(call: CompletedCall, access: string): void {
    const session = this.#sessions.of(access);
    const renewal = this.#renewals.get(session);
    this.#ruling.test(call.id);
    if (renewal?.access === access) {
      const isByFault = call.isInjected && session.isUntried;
      renewal.refused = isByFault ? 'by_fault' : 'dead';
      if (isByFault) return void this.#calls.delete(call.key);
    }
    // A straggler, sent before the new token was there, needs no further refresh; nor does one behind a refresh that was refused.
    const isDue = session.access === access && !session.isSpent && !session.isOver;
    if (isDue && !this.#unrefreshed.has(session)) this.#unrefreshed.set(session, call.told);
    this.#calls.set(call.key, { id: call.id, access, session });
  }

  /** With another token; the answer may be lost. */
  #cameAgain(call: CompletedCall): void {
    const refused = this.#calls.size > 0 ? this.#calls.get(call.key) : undefined;
    if (!refused || call.bearer === undefined || refused.access === call.bearer) return;
    this.#calls.delete(call.key);
    // Of a login that is not known the refresh may have been forgotten, too.
    if (!refused.session.isKnown) this.#unrefreshed.delete(refused.session);
  }
}

function renewalBy({ id, at, told, got }: CompletedCall): Renewal {
  const { access_token: access, expires_in: seconds } = got;
  const together = Math.min(togetherMilliseconds, (Number(seconds) * 1000) / 2);
  return { id, at, until: told.answeredAt + together, access, refused: 'not' };
}

const isRefused = ({ status, isFinal }: CompletedCall): boolean => status === 401 || isFinal;

export const refreshOn401: Rule = {
  begins: ({ operation, bearer, status }) =>
    operation === 'authentication.refresh' || (bearer !== undefined && status === 401),
  follow: (ruling, sessions) => new RefreshOn401(ruling, sessions),
};

// `token_reuse`: no login while the access token of the last one is good.

export const tokenReuse: Rule = {
  begins: (call) => isLogin(call) || call.bearer !== undefined,
  follow: (ruling, sessions) => ({
    see(call) {
      const former = isLogin(call) ? sessions.ofLogin(call) : undefined;
      if (former?.told && former.isGood(call.at))
        ruling.fail('a login came while an access token was good', former.told.id, call.id);
      if (call.bearer !== undefined && sessions.of(call.bearer).isUsed) ruling.test(call.id);
    },
  }),
};

const isLogin = ({ operation, status }: CompletedCall): boolean =>
  operation === 'authentication.token' && status === 200;
