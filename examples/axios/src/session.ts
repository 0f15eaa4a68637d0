// The tokens of one login: got by the first call, renewed by the refresh token, shared by all calls under way.
import { type AxiosInstance, isAxiosError } from 'axios';
import type { Tokens } from './wire.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export class Session {
  readonly #http: AxiosInstance;
  readonly #credentials: Credentials;
  #tokens: Tokens | undefined;
  #coming: Promise<Tokens> | undefined;

  constructor(http: AxiosInstance, credentials: Credentials) {
    this.#http = http;
    this.#credentials = credentials;
  }

  /** The header that a call is authorized by. */
  async authorization(): Promise<string> {
    return headerOf(await (this.#coming ?? this.#tokens ?? this.#shared(() => this.#loggedIn())));
  }

  /** Gets another token in place of a refused one, unless that has been done since. */
  async renew(refused: unknown): Promise<void> {
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

  async #loggedIn(): Promise<Tokens> {
    const { data } = await this.#http.post<Tokens>('/v2/authentication/token', this.#credentials);
    return data;
  }

  async #refreshed({ refresh_token }: Tokens): Promise<Tokens> {
    try {
      const { data } = await this.#http.post<AccessToken>('/v2/authentication/refresh-token', { refresh_token });
      return { access_token: data.access_token, refresh_token };
    } catch (error) {
      if (isRefusal(error)) return this.#loggedIn();
      throw error;
    }
  }
}

type AccessToken = Pick<Tokens, 'access_token'>;

const headerOf = ({ access_token }: Tokens): string => `Bearer ${access_token}`;

/** The refresh token is not good any more. */
const isRefusal = (error: unknown): boolean => isAxiosError(error) && [400, 401].includes(error.response?.status ?? 0);
