// The tokens of one login. The first request logs in; all requests share the tokens and each refresh.
import { isHTTPError, type KyInstance } from 'ky';
import type { Tokens } from './wire.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export class Session {
  readonly #http: KyInstance;
  readonly #credentials: Credentials;
  #tokens: Tokens | undefined;
  #pending: Promise<Tokens> | undefined;

  constructor(http: KyInstance, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** Returns the value of the Authorization header. Logs in first if needed. */
  async authorization(): Promise<string> {
    return bearer(await (this.#pending ?? this.#tokens ?? this.#requestOnce(() => this.#logIn())));
  }

  /** Replaces a token that the service rejected, unless another request has already replaced it. */
  async renew(rejected: string | null): Promise<void> {
    const tokens = this.#tokens;
    if (tokens && bearer(tokens) === rejected) await this.#requestOnce(() => this.#refresh(tokens));
  }

  /** Starts one login or refresh at a time. Later callers share the pending one. */
  #requestOnce(get: () => Promise<Tokens>): Promise<Tokens> {
    this.#pending ??= this.#save(get());
    return this.#pending;
  }

  async #save(pending: Promise<Tokens>): Promise<Tokens> {
    try {
      this.#tokens = await pending;
      return this.#tokens;
    } finally {
      this.#pending = undefined;
    }
  }

  #logIn(): Promise<Tokens> {
    return this.#http.post('v2/authentication/token', { json: this.#credentials }).json<Tokens>();
  }

  async #refresh({ refresh_token }: Tokens): Promise<Tokens> {
    try {
      const renewal = this.#http.post('v2/authentication/refresh-token', { json: { refresh_token } });
      const { access_token } = await renewal.json<AccessToken>();
      return { access_token, refresh_token };
    } catch (error) {
      if (isTokenRejected(error)) return this.#logIn();
      throw error;
    }
  }
}

type AccessToken = Pick<Tokens, 'access_token'>;

const bearer = ({ access_token }: Tokens): string => `Bearer ${access_token}`;

/** Whether the service rejected the refresh token. */
const isTokenRejected = (error: unknown): boolean => isHTTPError(error) && [400, 401].includes(error.response.status);
