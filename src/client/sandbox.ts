// One sandbox as a test holds it: its control, its base URL, a fetch, and a client that is logged in.

import { requireSandboxName, sandboxBase } from '../contract/addresses.ts';
import type { Choices, ProfileName } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { operations } from '../contract/operations.ts';
import { type ControlClient, ControlError, type Fetch } from './control-client.ts';
import type { Result, SandboxControl, Sent } from './sandbox-control.ts';

/**
 * Which calls are meant: each that has all of this. `path` is literal or the contract's template, without the base URL.
 * @example const refused: RequestMatch = { operation: 'orders.create', status: 422, rule: 'ORD-15' };
 */
export type RequestMatch = Sent<'requests.verify'>['match'];

/**
 * A call as the journal has it: what came, what was answered, and why.
 * @example const entries: readonly JournalEntry[] = (await sandbox.requests.list()).requests;
 */
export type JournalEntry = Awaited<Result<'requests.get'>>;

/**
 * A sandbox: every operation of the control API on it, with bodies and answers as the wire has them.
 * @example
 * const sandbox = sachet.sandbox('stage');
 * await sandbox.switches.set({ rate_limit: { burst: 3 } });
 * await sandbox.clock.advance({ by: 'PT15M' });
 * const calls = await sandbox.received({ operation: 'orders.create', status: 429 });
 */
export interface Sandbox extends SandboxControl {
  readonly name: string;
  /** The `{base_url}` of the contract that leads here, without a slash at its end. */
  readonly baseUrl: string;
  /** A path such as `/v2/products` stands under `baseUrl`. */
  readonly fetch: Fetch;
  /**
   * How many completed calls match; one that is still under way does not count yet.
   * @throws Error where the journal no longer has them all: clear it by `requests.clear()` before what is counted.
   */
  received(match: RequestMatch): Promise<number>;
  /** A client of the service that is right: for what a test needs done beside the client that it tests. */
  client(login: Login): ServiceClient;
}

/**
 * A sandbox that was made here; to dispose of it is to delete it.
 * @example
 * await using sandbox = await sachet.createSandbox();
 * const client = new OrderClient({ baseUrl: sandbox.baseUrl, ...sandbox.login });
 */
export interface MadeSandbox extends Sandbox, AsyncDisposable {
  /** The first of `logins`: with the shipped fixtures `demo`. Empty where the fixtures have no users. */
  readonly login: Login;
  /** The logins of all its users, those who may log in first. */
  readonly logins: readonly Login[];
  /** The key that controls it alone, where one was asked for by `own_key`. */
  readonly key: string | null;
  /** By default for `login`. */
  client(login?: Login): ServiceClient;
}

interface Place {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly control: ControlClient;
}

/** fetch with paths that stand under a base URL. */
export const rebased =
  (baseUrl: string, fetch: Fetch): Fetch =>
  (input, init) =>
    fetch(typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input, init);

const nobody: Login = { username: '', password: '' };

/** @throws TypeError for what is no name of a sandbox: its base URL would lead elsewhere. */
export function sandboxAt(place: Place, name: string): Sandbox {
  const baseUrl = place.baseUrl + sandboxBase(requireSandboxName(name));
  const fetch = rebased(baseUrl, place.fetch);
  const client = (login: Login) => new ServiceClient(fetch, login);
  const control = place.control.sandbox(name);
  const received = async (match: RequestMatch) => counted(await control.requests.verify({ match }), name);
  return { ...control, name, baseUrl, fetch, client, received };
}

export function madeSandbox(place: Place, { name, logins, key }: Awaited<Result<'sandboxes.create'>>): MadeSandbox {
  const sandbox = sandboxAt(place, name);
  const [login = nobody] = logins;
  return {
    ...sandbox,
    login,
    logins,
    key,
    client: (other = login) => sandbox.client(other),
    [Symbol.asyncDispose]: () => sandbox.delete().catch(unlessGone),
  };
}

function counted({ count, dropped }: { readonly count: number; readonly dropped: number }, name: string): number {
  if (dropped === 0) return count;
  throw new Error(
    `the journal of "${name}" no longer has all its calls (${dropped} gone); clear it by requests.clear() before what is counted`,
  );
}

/** A test may have deleted it itself. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ControlError && error.status === 404)) throw error;
}

/**
 * The options of a new sandbox, named as in the control API; all are optional.
 * @example const options: NewSandboxOptions = { name: 'w7', clock: '2026-01-01T00:00:00Z', scenario: 'token-expiry' };
 */
export interface NewSandboxOptions {
  /** Lower-case letters, digits, `.`, `_`, `-`; at most 63, the first a letter or digit. Default: one is made. */
  readonly name?: string | undefined;
  /** A token of one environment is not valid in another. Default: `stage`. */
  readonly environment?: string | undefined;
  /** The same seed, frozen clock and calls give the same bytes. Default: the server's, else a random one. */
  readonly random_seed?: string | undefined;
  /** An ISO 8601 instant to stand at, with a `+` at its end to run on from; null for real time. Default: as the server's. */
  readonly clock?: string | null | undefined;
  /** Real seconds without use after which it is gone. Default: it stays. */
  readonly ttl_seconds?: number | undefined;
  /** Choices that differ from the server's; null for the default, `profile` for a named set beneath them. */
  readonly assumptions?:
    | ({ readonly [Id in keyof Choices]?: Choices[Id] | null | undefined } & {
        readonly profile?: ProfileName | undefined;
      })
    | undefined;
  /** The name of a scenario to begin with; a reset goes back to it. Default: the server's. */
  readonly scenario?: string | undefined;
  /** Collections that stand in place of the server's, such as `{ pags: [] }`. */
  readonly fixtures?: Partial<Fixtures> | undefined;
  /** true: a key is made that controls this sandbox alone, told as `key`. Or the key itself, 16 to 200 visible ASCII characters. */
  readonly own_key?: true | string | undefined;
}

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
    const used = this.#tokens ?? this.#keep(this.#logIn());
    const tokens = await used;
    const response = await this.#send(method, path, body, tokens);
    if (response.status !== 401) return response;
    // Calls running side by side share one refresh.
    if (this.#tokens === used) this.#keep(this.#refreshed(tokens));
    return this.#send(method, path, body, await (this.#tokens ?? this.#keep(this.#logIn())));
  }

  /** Tokens to come are kept for the calls after this one, unless there will be none. */
  #keep(coming: Promise<Tokens>): Promise<Tokens> {
    this.#tokens = coming;
    coming.catch(() => {
      if (this.#tokens === coming) this.#tokens = undefined;
    });
    return coming;
  }

  #send(method: string, path: string, body: unknown, tokens?: Tokens): Promise<Response> {
    const authorization = tokens ? { authorization: `Bearer ${tokens.access_token}` } : {};
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#fetch(path, { method, headers: { ...authorization, ...json }, ...sent });
  }

  async #logIn(): Promise<Tokens> {
    const { method, path } = operations['authentication.token'];
    const response = await this.#send(method, path, this.#login);
    if (response.ok) return (await response.json()) as Tokens;
    throw new Error(
      `the login of "${this.#login.username}" was answered with ${response.status}: ${await response.text()}`,
    );
  }

  /** A refresh token that is not good any more makes it log in anew. */
  async #refreshed({ refresh_token }: Tokens): Promise<Tokens> {
    const { method, path } = operations['authentication.refresh'];
    const response = await this.#send(method, path, { refresh_token });
    if (!response.ok) return this.#logIn();
    const { access_token } = (await response.json()) as Pick<Tokens, 'access_token'>;
    return { access_token, refresh_token };
  }
}
