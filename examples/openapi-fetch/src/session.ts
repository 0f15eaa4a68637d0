// The tokens of one login: got by the first call, renewed by the refresh token, shared by all calls under way.
import type { Client } from 'openapi-fetch';
import type { paths } from '../generated/service.ts';
import { dataOf } from './answer.ts';
import type { Login, Token } from './wire.ts';

type Tokens = Pick<Token, 'access_token' | 'refresh_token'>;

export class Session {
  readonly #http: Client<paths>;
  readonly #login: Login;
  #tokens: Tokens | undefined;
  #coming: Promise<Tokens> | undefined;

  constructor(http: Client<paths>, login: Login) {
    this.#http = http;
    this.#login = login;
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

  async #loggedIn(): Promise<Tokens> {
    return dataOf(await this.#http.POST('/v2/authentication/token', { body: this.#login }));
  }

  async #refreshed({ refresh_token }: Tokens): Promise<Tokens> {
    const outcome = await this.#http.POST('/v2/authentication/refresh-token', { body: { refresh_token } });
    // The refresh token is not good any more.
    if ([400, 401].includes(outcome.response.status)) return this.#loggedIn();
    return { access_token: dataOf(outcome).access_token, refresh_token };
  }
}

const headerOf = ({ access_token }: Tokens): string => `Bearer ${access_token}`;
