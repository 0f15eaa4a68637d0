// The logins of a client, each with its tokens. A token whose login is unknown, because the journal was
// cleared since, has a session of its own; the first accepted call with it shows its user.
import { expiryOf } from '../domain/tokens.ts';
import { textOf } from '../journal/entry.ts';
import type { CallTiming, CompletedCall } from './completed-call.ts';

const maxRecent = 256;

/** A map of the last 256 entries that were set, in that order: it bounds what conduct remembers of a client. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  override set(key: Key, value: Value): this {
    this.delete(key);
    const oldest = this.size >= maxRecent ? this.keys().next() : undefined;
    if (oldest && !oldest.done) this.delete(oldest.value);
    return super.set(key, value);
  }
}

/** A login and its present access token. */
export class Session {
  /** Of an unknown login: undefined until a call with its token is accepted. */
  username: string | undefined;
  /** True if the journal has seen the login. */
  readonly isLoginKnown: boolean;
  /** The answer that gave the access token. */
  answer: CallTiming | undefined;
  access: string | undefined;
  /** When the access token expires, in milliseconds of the sandbox's time. */
  expiresAt = Number.POSITIVE_INFINITY;
  /** A call came with one of its access tokens. */
  isUsed = false;
  /** The access token was refused. */
  isRefused = false;
  /** The access token came by a refresh, and no call with it was accepted yet. */
  isUntried = false;
  /** A refresh was refused: there will be no other access token. */
  isRefreshRefused = false;
  /** The user has logged in again since. */
  isReplaced = false;

  constructor(username?: string) {
    this.username = username;
    this.isLoginKnown = username !== undefined;
  }

  isValid(at: number): boolean {
    return !this.isRefused && at < this.expiresAt;
  }
}

/** How long an accepted token of an unknown login counts as valid: its expiry is unknown. */
const assumedLifetimeMilliseconds = 60_000;
const maxUsernameCharacters = 200;

export class Sessions {
  readonly #byUser = new RecentMap<string, Session>();
  readonly #byAccess = new RecentMap<string, Session>();
  readonly #byRefresh = new RecentMap<string, Session>();
  /** Sessions with an unknown login and an unknown refresh token. */
  readonly #unknown = new RecentMap<Session, true>();

  /** The last session of the user that this call logs in. */
  ofLogin({ requestFields }: CompletedCall): Session | undefined {
    return this.#byUser.get(textOf(requestFields.username));
  }

  /** The session that this refresh belongs to. */
  ofRefresh({ requestFields }: CompletedCall): Session {
    const token = textOf(requestFields.refresh_token);
    if (token === '') return new Session();
    const session = this.#byRefresh.get(token) ?? this.#takeLikelyUnknown();
    this.#byRefresh.set(token, session);
    return session;
  }

  /** The session that an access token belongs to. */
  ofToken(access: string): Session {
    const known = this.#byAccess.get(access);
    if (known) return known;
    const session = new Session();
    session.access = access;
    this.#byAccess.set(access, session);
    this.#unknown.set(session, true);
    return session;
  }

  /** Identifies the user of a call: the username, or the token of an unknown login; empty if there is neither. */
  userOf(call: CompletedCall): string {
    const token = call.bearer ?? textOf(call.requestFields.refresh_token);
    if (token === '') return textOf(call.requestFields.username).slice(0, maxUsernameCharacters);
    const { isLoginKnown, username } = call.bearer === undefined ? this.ofRefresh(call) : this.ofToken(token);
    return isLoginKnown && username !== undefined ? username : token;
  }

  /** Equal for two calls in which one user sends the same request. */
  requestKey(call: CompletedCall): string {
    return `${this.userOf(call)}\n${call.key}`;
  }

  /** Takes a call into account, after the rules have seen it. */
  observe(call: CompletedCall): void {
    const { operation, bearer } = call;
    if (bearer !== undefined) this.#used(this.ofToken(bearer), bearer, call);
    if (operation === 'authentication.token' && call.status === 200) this.#loggedIn(call);
    if (operation === 'authentication.refresh') this.#refreshed(call);
  }

  #used(session: Session, bearer: string, call: CompletedCall): void {
    session.isUsed = true;
    const { caller } = call.answer;
    if (caller !== null && !session.isLoginKnown) this.#identify(session, call, caller);
    if (session.access !== bearer) return;
    if (call.status === 401) session.isRefused = true;
    else if (call.isFinal || (call.status !== null && call.status < 400)) session.isUntried = false;
  }

  #identify(session: Session, call: CompletedCall, username: string): void {
    session.username = username;
    session.answer ??= call.timing;
    session.expiresAt = call.at + assumedLifetimeMilliseconds;
    if (!this.#byUser.has(username)) this.#byUser.set(username, session);
  }

  #loggedIn(call: CompletedCall): void {
    const username = textOf(call.requestFields.username);
    const session = new Session(username);
    const last = this.#byUser.get(username);
    if (last) last.isReplaced = true;
    for (const other of this.#unknown.keys())
      if (other.username === undefined || other.username === username) other.isReplaced = true;
    this.#byUser.set(username, session);
    this.#byRefresh.set(textOf(call.responseFields.refresh_token), session);
    this.#renew(session, call);
  }

  #refreshed(call: CompletedCall): void {
    const session = this.ofRefresh(call);
    if (call.isFinal || call.status === 401) session.isRefreshRefused = true;
    if (call.status !== 200) return;
    this.#renew(session, call);
    session.isUntried = true;
  }

  #renew(session: Session, { responseFields, timing }: CompletedCall): void {
    session.access = textOf(responseFields.access_token);
    session.answer = timing;
    session.isRefused = false;
    session.isRefreshRefused = false;
    session.expiresAt = expiryOf(timing.answeredAt, Number(responseFields.expires_in));
    this.#byAccess.set(session.access, session);
  }

  /** An unknown refresh token belongs to a session whose access token was refused, else to the last unknown one. */
  #takeLikelyUnknown(): Session {
    const unknown = [...this.#unknown.keys()];
    const session = unknown.find(({ isRefused }) => isRefused) ?? unknown.at(-1) ?? new Session();
    this.#unknown.delete(session);
    return session;
  }
}
