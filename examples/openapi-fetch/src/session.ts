// The tokens of one login. The first request logs in; all requests share the tokens and each refresh.
import type { Client } from 'openapi-fetch';
import type { paths } from '../generated/service.ts';
import { unwrap } from './result.ts';
import type { Login, Token } from './wire.ts';

type Tokens = Pick<Token, 'access_token' | 'refresh_token'>;

export class Session {
  readonly #http: Client<paths>;
  readonly #login: Login;
  #tokens: Tokens | undefined;
  #pending: Promise<Tokens> | undefined;

  constructor(http: Client<paths>, login: Login) {
    this.#http = http;
    this.#login = login;
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

  async #logIn(): Promise<Tokens> {
    return unwrap(await this.#http.POST('/v2/authentication/token', { body: this.#login }));
  }

  async #refresh({ refresh_token }: Tokens): Promise<Tokens> {
    const result = await this.#http.POST('/v2/authentication/refresh-token', { body: { refresh_token } });
    // The service rejected the refresh token.
    if ([400, 401].includes(result.response.status)) return this.#logIn();
    return { access_token: unwrap(result).access_token, refresh_token };
  }
}

const bearer = ({ access_token }: Tokens): string => `Bearer ${access_token}`;
