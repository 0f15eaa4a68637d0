// A small client of the service that is right: logs in once, refreshes on a 401 and repeats the call. For what a test needs done beside
// the client that it tests; it neither waits nor tries again.
import { operations } from '../contract/operations.ts';

/**
 * A username and its password.
 * @example const login: Login = { username: 'demo', password: 'sachet-demo' };
 */
export interface Login {
  readonly username: string;
  readonly password: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/**
 * A client that is logged in from its first call on, and refreshes by itself. Answers come as they are.
 * @example
 * const client = sandbox.client();
 * const response = await client.post('/v2/orders', sampleOrder());
 * const { order } = await response.json();
 */
export class ServiceClient {
  readonly #fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly #login: Login;
  #tokens: Promise<Tokens> | undefined;

  constructor(fetch: (path: string, init: RequestInit) => Promise<Response>, login: Login) {
    this.#fetch = fetch;
    this.#login = login;
  }

  get(path: string): Promise<Response> {
    return this.call('GET', path);
  }

  post(path: string, body?: unknown): Promise<Response> {
    return this.call('POST', path, body);
  }

  patch(path: string, body?: unknown): Promise<Response> {
    return this.call('PATCH', path, body);
  }

  /** A call with the token; a body is sent as JSON. @throws Error when the login is refused. */
  async call(method: string, path: string, body?: unknown): Promise<Response> {
    this.#tokens ??= this.#logIn();
    const used = this.#tokens;
    const tokens = await used;
    const response = await this.#send(method, path, body, tokens);
    if (response.status !== 401) return response;
    // Calls running side by side share one refresh.
    if (this.#tokens === used) this.#tokens = this.#refreshed(tokens);
    this.#tokens ??= this.#logIn();
    return this.#send(method, path, body, await this.#tokens);
  }

  #send(method: string, path: string, body: unknown, tokens?: Tokens): Promise<Response> {
    const authorization = tokens ? { authorization: `Bearer ${tokens.access_token}` } : {};
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#fetch(path, { method, headers: { ...authorization, ...json }, ...sent });
  }

  async #logIn(): Promise<Tokens> {
    const { method, path } = operations['authentication.token'];
    try {
      const response = await this.#send(method, path, this.#login);
      if (response.ok) return (await response.json()) as Tokens;
      throw new Error(
        `the login of "${this.#login.username}" was answered with ${response.status}: ${await response.text()}`,
      );
    } catch (error) {
      this.#tokens = undefined;
      throw error;
    }
  }

  /** A refresh token that is not good any more makes it log in anew. */
  async #refreshed({ refresh_token }: Tokens): Promise<Tokens> {
    const { method, path } = operations['authentication.refresh'];
    try {
      const response = await this.#send(method, path, { refresh_token });
      if (!response.ok) return await this.#logIn();
      const { access_token } = (await response.json()) as Pick<Tokens, 'access_token'>;
      return { access_token, refresh_token };
    } catch (error) {
      this.#tokens = undefined;
      throw error;
    }
  }
}
