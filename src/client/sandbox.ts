// The handle of one sandbox for tests: its control, its base URL, a fetch, and a client that logs in.
import { requireSandboxName, sandboxBase, storagePath } from '../contract/addresses.ts';
import type { Choices, ProfileName } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { operations } from '../contract/operations.ts';
import { type ControlClient, ControlError, type Fetch } from './control-client.ts';
import type { Input, Result, SandboxControl } from './sandbox-control.ts';

/**
 * Selects calls by all the given fields. `path` is a literal path or the contract's template, without the base URL;
 * `body` matches a JSON body with these fields, and maybe more.
 * @example const refused: RequestMatch = { operation: 'orders.create', status: 422, rule: 'ORD-15' };
 */
export type RequestMatch = Input<'requests.verify'>['match'];

/**
 * A call in the journal: the request, the response, and the decision (stage, rules, faults, a sentence that explains
 * it). Secrets are redacted. `status`, `response` and `decision` are null until the call is completed.
 * @example const entries: readonly JournalEntry[] = (await sandbox.requests.list()).requests;
 */
export type JournalEntry = Awaited<Result<'requests.get'>>;

/**
 * A sandbox: one method for each operation of the control API on it, with the API's own request and response bodies.
 * Each method throws a ControlError if the server refuses the call.
 * @example
 * const sandbox = sachet.sandbox('stage');
 * await sandbox.switches.set({ rate_limit: { burst: 3 } });
 * await sandbox.clock.advance({ by: 'PT15M' });
 * const calls = await sandbox.received({ operation: 'orders.create', status: 429 });
 */
export interface Sandbox extends SandboxControl {
  readonly name: string;
  /** The contract's `{base_url}` of this sandbox, without a trailing slash. */
  readonly baseUrl: string;
  /** Like the global fetch. A path such as `/v2/products` is relative to `baseUrl`. */
  readonly fetch: Fetch;
  /**
   * Counts the completed calls that match.
   * @throws Error if the journal has dropped calls; call `requests.clear()` before the part of the test that counts
   */
  received(match: RequestMatch): Promise<number>;
  /** A correct client of the service, for steps of a test that are not about the client under test. */
  client(login: Login): ServiceClient;
}

/**
 * A sandbox that `createSandbox` created. Disposal deletes it.
 * @example
 * await using sandbox = await sachet.createSandbox();
 * const client = new OrderClient({ baseUrl: sandbox.baseUrl, ...sandbox.login });
 */
export interface MadeSandbox extends Sandbox, AsyncDisposable {
  /** The first of `logins`: that of `demo` with the shipped fixtures. Both fields are empty if there are no users. */
  readonly login: Login;
  /**
   * The logins of all users; active ones come first. The usernames have the sandbox's name as their tag, such as
   * `demo+w7`, so that they also lead to it from the server's plain base URL; those of `production` have no tag.
   */
  readonly logins: readonly Login[];
  /** The key that controls only this sandbox; null unless `own_key` asked for one. */
  readonly key: string | null;
  /** The link for a guest, if the options have `invite`. Then `logins` is empty and `key` is null. */
  readonly invite?: { readonly url: string; readonly expires_at: string } | undefined;
  /** A correct client of the service. Default: it uses `login`. */
  client(login?: Login): ServiceClient;
}

interface Server {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly control: ControlClient;
}

/** A fetch with paths relative to a base URL. */
export const rebased =
  (baseUrl: string, fetch: Fetch): Fetch =>
  (input, init) =>
    fetch(typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input, init);

const noLogin: Login = { username: '', password: '' };

/** @throws TypeError for an invalid name: its base URL could address something else */
export function sandboxAt(server: Server, name: string): Sandbox {
  const baseUrl = server.baseUrl + sandboxBase(requireSandboxName(name));
  const fetch = rebased(baseUrl, server.fetch);
  const client = (login: Login) => new ServiceClient(fetch, login);
  const control = server.control.sandbox(name);
  const received = async (match: RequestMatch) => {
    const { count, dropped } = await control.requests.verify({ match });
    if (dropped === 0) return count;
    const lost = `the journal of "${name}" is incomplete: it has dropped its oldest calls (${dropped})`;
    throw new Error(`${lost}; call requests.clear() before the part of the test that counts`);
  };
  return { ...control, name, baseUrl, fetch, client, received };
}

export function madeSandbox(server: Server, created: Awaited<Result<'sandboxes.create'>>): MadeSandbox {
  const { name, logins, key, invite } = created;
  const sandbox = sandboxAt(server, name);
  const [login = noLogin] = logins;
  return {
    ...sandbox,
    login,
    logins,
    key,
    invite,
    client: (other = login) => sandbox.client(other),
    [Symbol.asyncDispose]: () => sandbox.delete().catch(ignoreMissing),
  };
}

/** The test may have deleted the sandbox. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ControlError && error.status === 404)) throw error;
}

/**
 * The options of a new sandbox, with the control API's field names; all are optional.
 * @example const options: NewSandboxOptions = { name: 'w7', clock: '2026-01-01T00:00:00Z', scenario: 'token-expiry' };
 */
export interface NewSandboxOptions {
  /** Lower-case letters, digits, `.`, `_`, `-`; at most 63; the first a letter or digit. Default: a random name. */
  readonly name?: string | undefined;
  /** `stage` or `production`: a token of one environment is not valid in another. Default: `stage`. */
  readonly environment?: string | undefined;
  /**
   * The same seed, frozen clock and calls give the same ids under any name. A number counts as its text. Default: the
   * server's seed and the name, else a random one.
   */
  readonly random_seed?: string | number | undefined;
  /**
   * An ISO 8601 instant at which the clock is frozen, or runs from there if a `+` follows it; null: real time. Default:
   * the server's clock.
   */
  readonly clock?: string | null | undefined;
  /** Seconds of real time without use after which the sandbox is deleted. Default: never. */
  readonly ttl_seconds?: number | undefined;
  /**
   * Choices of assumptions that differ from the server's; null: the default choice. `profile` is a named set of
   * choices; single choices override it.
   */
  readonly assumptions?:
    | ({ readonly [Id in keyof Choices]?: Choices[Id] | null | undefined } & {
        readonly profile?: ProfileName | undefined;
      })
    | undefined;
  /** The name of a scenario to start with, also after a reset. Default: the server's. */
  readonly scenario?: string | undefined;
  /** Collections that replace the server's, such as `{ pags: [] }`. */
  readonly fixtures?: Partial<Fixtures> | undefined;
  /** true: creates a key that controls only this sandbox (`key`). Or that key, 16 to 200 visible ASCII characters. */
  readonly own_key?: true | string | undefined;
  /** Creates a link that hands out the logins and the own key once, to a guest. It expires after a week by default. */
  readonly invite?: { readonly expires_in_seconds?: number | undefined } | undefined;
}

/**
 * A username of the service and its password.
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
 * A correct client of the service: logs in before its first call, and after a 401 refreshes its token and repeats the
 * call once. Every method takes a path relative to the base URL, such as `/v2/orders`, and returns the response,
 * whatever its status.
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

  /** Sends a GET request. @throws Error if the login is refused */
  get(path: string): Promise<Response> {
    return this.call('GET', path);
  }

  /** Sends a POST request, with the body as JSON. @throws Error if the login is refused */
  post(path: string, body?: unknown): Promise<Response> {
    return this.call('POST', path, body);
  }

  /** Sends a PATCH request, with the body as JSON. @throws Error if the login is refused */
  patch(path: string, body?: unknown): Promise<Response> {
    return this.call('PATCH', path, body);
  }

  /**
   * Sends a call with the token, and the body as JSON. A label_url is fetched without the token: the storage
   * rejects it (storage_auth).
   * @throws Error if the login is refused
   */
  async call(method: string, path: string, body?: unknown): Promise<Response> {
    if (path.includes(`${storagePath}/`)) return this.#send(method, path, body);
    const used = this.#tokens ?? this.#keep(this.#logIn());
    const tokens = await used;
    const response = await this.#send(method, path, body, tokens);
    if (response.status !== 401) return response;
    // Parallel calls share one refresh.
    if (this.#tokens === used) this.#keep(this.#refresh(tokens));
    return this.#send(method, path, body, await (this.#tokens ?? this.#keep(this.#logIn())));
  }

  /** Keeps the tokens for later calls, unless they are refused. */
  #keep(tokens: Promise<Tokens>): Promise<Tokens> {
    this.#tokens = tokens;
    tokens.catch(() => {
      if (this.#tokens === tokens) this.#tokens = undefined;
    });
    return tokens;
  }

  #send(method: string, path: string, body: unknown, tokens?: Tokens): Promise<Response> {
    const authorization = tokens ? { authorization: `Bearer ${tokens.access_token}` } : {};
    if (body === undefined) return this.#fetch(path, { method, headers: authorization });
    const headers = { ...authorization, 'content-type': 'application/json' };
    return this.#fetch(path, { method, headers, body: JSON.stringify(body) });
  }

  async #logIn(): Promise<Tokens> {
    const { method, path } = operations['authentication.token'];
    const response = await this.#send(method, path, this.#login);
    if (response.ok) return (await response.json()) as Tokens;
    throw new Error(`the login of "${this.#login.username}" failed with ${response.status}: ${await response.text()}`);
  }

  /** Logs in again if the refresh token is refused. */
  async #refresh({ refresh_token }: Tokens): Promise<Tokens> {
    const { method, path } = operations['authentication.refresh'];
    const response = await this.#send(method, path, { refresh_token });
    if (!response.ok) return this.#logIn();
    const { access_token } = (await response.json()) as Pick<Tokens, 'access_token'>;
    return { access_token, refresh_token };
  }
}
