// The tokens of one login: got by the first call, renewed by the refresh token, shared by all calls under way.
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
  #coming: Promise<Tokens> | undefined;

  constructor(http: KyInstance, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** The header that a call is authorized by. */
  async authorization(): Promise<string> {
    return headerOf(await (this.#coming ?? this.#tokens ?? this.#shared(() => this.#loggedIn())));
  }

  /** Gets another token in place of a refused one, unless that has been done since. */
  async renew(refused: string | null): Promise<void> {
    const tokens = this.#tokens;
    if (tokens && headerOf(tokens) === refused) await this.#shared(() => this.#refreshed(tokens));
  }

  /** One at a time: who comes meanwhile waits for the same. */
  #shared(get: () => Promise<Tokens>): Promise<Tokens> {
    this.#coming ??= this.#kept(get());
    return this.#coming;
  }

  async #kept(coming: Promise<Tokens>): Promise<Tokens> {
    try {
      this.#tokens = await coming;
      return this.#tokens;
    } finally {
      this.#coming = undefined;
    }
  }

  #loggedIn(): Promise<Tokens> {
    return this.#http.post('v2/authentication/token', { json: this.#credentials }).json<Tokens>();
  }

  async #refreshed({ refresh_token }: Tokens): Promise<Tokens> {
    try {
      const renewal = this.#http.post('v2/authentication/refresh-token', { json: { refresh_token } });
      const { access_token } = await renewal.json<AccessToken>();
      return { access_token, refresh_token };
    } catch (error) {
      if (isRefusal(error)) return this.#loggedIn();
      throw error;
    }
  }
}

type AccessToken = Pick<Tokens, 'access_token'>;

const headerOf = ({ access_token }: Tokens): string => `Bearer ${access_token}`;

/** The refresh token is not good any more. */
const isRefusal = (error: unknown): boolean => isHTTPError(error) && [400, 401].includes(error.response.status);
