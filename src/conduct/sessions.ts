// The logins of a client: which token belongs to which, as the journal's tags tell. A token of a login that is not known, because the
// journal was cleared since, has a session of its own; whose it is shows when it is used.
import type { CompletedCall, Told } from './completed-call.ts';
import { Recent } from './recent.ts';

/** A login and the access token that it has by now. */
export class Session {
  /** Whose it is; of a login that is not known as soon as a call was let in. */
  username: string | undefined;
  /** Whether its login is known. */
  readonly isKnown: boolean;
  /** The answer that gave the access token. */
  told: Told | undefined;
  access: string | undefined;
  /** The sandbox's time in milliseconds. */
  goodUntil = Number.POSITIVE_INFINITY;
  /** Whether a call came with its access token, or with one that it had before. */
  isUsed = false;
  /** Whether the access token was refused. */
  isRefused = false;
  /** Whether the access token came by a refresh, and no call with it was let in yet. */
  isUntried = false;
  /** Whether a refresh was refused: there will be no other access token. */
  isSpent = false;
  /** Whether the user has logged in anew since. */
  isOver = false;

  constructor(username?: string) {
    this.username = username;
    this.isKnown = username !== undefined;
  }

  isGood(at: number): boolean {
    return !this.isRefused && at < this.goodUntil;
  }
}

/** How long a token that was just used is good yet, by all that can be expected. */
const usedMilliseconds = 60_000;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const longestUserCharacters = 200;

export class Sessions {
  readonly #byUser = new Recent<string, Session>();
  readonly #byAccess = new Recent<string, Session>();
  readonly #byRefresh = new Recent<string, Session>();
  /** The sessions without a known login whose refresh token is not known either. */
  readonly #strangers = new Recent<Session, true>();

  /** The last session of the user who logs in by this call. */
  ofLogin({ sent }: CompletedCall): Session | undefined {
    return this.#byUser.get(text(sent.username));
  }

  /** The session that this refresh belongs to. */
  ofRefresh({ sent }: CompletedCall): Session {
    const token = text(sent.refresh_token);
    if (token === '') return new Session();
    const session = this.#byRefresh.get(token) ?? this.#likelyStranger();
    this.#byRefresh.set(token, session);
    return session;
  }

  /** The session that an access token belongs to. */
  of(access: string): Session {
    const found = this.#byAccess.get(access);
    if (found) return found;
    const stranger = new Session();
    stranger.access = access;
    this.#byAccess.set(access, stranger);
    this.#strangers.set(stranger, true);
    return stranger;
  }

  /** What stands for the user who makes a call: where the login is not known, the token; nothing where there is none. */
  userOf(call: CompletedCall): string {
    const token = call.bearer ?? text(call.sent.refresh_token);
    if (token === '') return text(call.sent.username).slice(0, longestUserCharacters);
    const { isKnown, username } = call.bearer === undefined ? this.ofRefresh(call) : this.of(token);
    return isKnown && username !== undefined ? username : token;
  }

  /** Follows a call; to be called once the rules have judged it. */
  see(call: CompletedCall): void {
    const { operation, bearer } = call;
    if (bearer !== undefined) this.#used(this.of(bearer), bearer, call);
    if (operation === 'authentication.token' && call.status === 200) this.#loggedIn(call);
    if (operation === 'authentication.refresh') this.#refreshed(call);
  }

  #used(session: Session, bearer: string, call: CompletedCall): void {
    session.isUsed = true;
    if (call.caller !== null && !session.isKnown) this.#recognized(session, call, call.caller);
    if (session.access !== bearer) return;
    if (call.status === 401) session.isRefused = true;
    else if (call.isFinal || (call.status !== null && call.status < 400)) session.isUntried = false;
  }

  /** When its token expires is not known: it is good for a little while yet. */
  #recognized(session: Session, call: CompletedCall, username: string): void {
    session.username = username;
    session.told ??= call.told;
    session.goodUntil = call.at + usedMilliseconds;
    if (!this.#byUser.has(username)) this.#byUser.set(username, session);
  }

  #loggedIn(call: CompletedCall): void {
    const username = text(call.sent.username);
    const session = new Session(username);
    for (const former of this.#formerOf(call)) former.isOver = true;
    this.#byUser.set(username, session);
    this.#byRefresh.set(text(call.got.refresh_token), session);
    this.#renewed(session, call);
  }

  /** The user's last session, and all that may be. */
  #formerOf(call: CompletedCall): Session[] {
    const name = text(call.sent.username);
    const strangers = [...this.#strangers.keys()].filter(({ username = name }) => username === name);
    const last = this.ofLogin(call);
    return last ? [last, ...strangers] : strangers;
  }

  #refreshed(call: CompletedCall): void {
    const session = this.ofRefresh(call);
    if (call.isFinal || call.status === 401) session.isSpent = true;
    if (call.status !== 200) return;
    this.#renewed(session, call);
    session.isUntried = true;
  }

  #renewed(session: Session, { got, told }: CompletedCall): void {
    session.access = text(got.access_token);
    session.told = told;
    session.isRefused = false;
    session.isSpent = false;
    session.goodUntil = told.answeredAt + Number(got.expires_in) * 1000;
    this.#byAccess.set(session.access, session);
  }

  /** Whoever refreshes with an unknown token is one whose access token was refused, or the last who came. */
  #likelyStranger(): Session {
    const strangers = [...this.#strangers.keys()];
    const found = strangers.find(({ isRefused }) => isRefused) ?? strangers.at(-1) ?? new Session();
    this.#strangers.delete(found);
    return found;
  }
}
