// The logins of a client: which token belongs to which, as the journal's tags tell. A token of a login that is not known, because the
// journal was cleared since, has a session of its own; whose it is shows when it is used.
import type { CompletedCall } from './completed-call.ts';
import { Recent } from './recent.ts';
import type { Told } from './told.ts';

/** A login and the access token that it has by now. */
export class Session {
  /** Whether its login is known. */
  readonly isKnown: boolean;
  /** The answer that gave the access token. */
  told: Told | undefined;
  access: string | undefined;
  /** The sandbox's time in milliseconds. */
  goodUntil = Number.POSITIVE_INFINITY;
  /** Whether the access token was refused. */
  isRefused = false;
  /** Whether the user has logged in anew since. */
  isOver = false;

  constructor(isKnown: boolean) {
    this.isKnown = isKnown;
  }

  isGood(at: number): boolean {
    return !this.isRefused && at < this.goodUntil;
  }
}

/** How long a token that was just used is good yet, by all that can be expected. */
const usedMilliseconds = 60_000;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export class Sessions {
  readonly #byUser = new Recent<string, Session>();
  readonly #byAccess = new Recent<string, Session>();
  readonly #byRefresh = new Recent<string, Session>();
  /** The last session without a known login. */
  #stranger: Session | undefined;

  /** The last session of the user who logs in by this call. */
  ofLogin({ sent }: CompletedCall): Session | undefined {
    return this.#byUser.get(text(sent.username));
  }

  /** The session that this refresh belongs to. */
  ofRefresh({ sent }: CompletedCall): Session {
    const token = text(sent.refresh_token);
    const session = this.#byRefresh.get(token) ?? this.#stranger ?? new Session(false);
    this.#byRefresh.set(token, session);
    return session;
  }

  /** The session that an access token belongs to. */
  of(access: string): Session {
    const found = this.#byAccess.get(access);
    if (found) return found;
    this.#stranger = new Session(false);
    this.#stranger.access = access;
    this.#byAccess.set(access, this.#stranger);
    return this.#stranger;
  }

  /** Follows a call; to be called once the rules have judged it. */
  see(call: CompletedCall): void {
    const { operation, status, bearer } = call;
    if (bearer !== undefined && call.caller !== null) this.#used(this.of(bearer), call, call.caller);
    if (status === 401 && bearer !== undefined) this.#refused(bearer);
    if (status !== 200) return;
    if (operation === 'authentication.token') this.#loggedIn(call);
    if (operation === 'authentication.refresh') this.#renewed(this.ofRefresh(call), call);
  }

  /** When its token expires is not known: it is good for a little while yet. */
  #used(session: Session, { at, told }: CompletedCall, username: string): void {
    if (session.isKnown) return;
    session.told ??= told;
    session.goodUntil = at + usedMilliseconds;
    if (!this.#byUser.has(username)) this.#byUser.set(username, session);
  }

  #refused(bearer: string): void {
    const session = this.of(bearer);
    if (session.access === bearer) session.isRefused = true;
  }

  #loggedIn(call: CompletedCall): void {
    const session = new Session(true);
    for (const former of [this.ofLogin(call), this.#stranger]) if (former) former.isOver = true;
    this.#byUser.set(text(call.sent.username), session);
    this.#byRefresh.set(text(call.got.refresh_token), session);
    this.#renewed(session, call);
  }

  #renewed(session: Session, { got, told }: CompletedCall): void {
    session.access = text(got.access_token);
    session.told = told;
    session.isRefused = false;
    session.goodUntil = told.answeredAt + Number(got.expires_in) * 1000;
    this.#byAccess.set(session.access, session);
  }
}
