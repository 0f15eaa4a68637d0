// One sandbox as a test holds it: its control, its base URL, a fetch, and a client that is logged in.

import { requireSandboxName, sandboxBase } from '../contract/addresses.ts';
import { type ControlClient, ControlError, type Fetch } from './control-client.ts';
import type { Result, Sent } from './method.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { type Login, ServiceClient } from './service-client.ts';

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
