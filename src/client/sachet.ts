// The handle of a Sachet for tests: the same for one in process and for a server.
/// <reference lib="esnext.disposable" preserve="true" />
import { bareUrl } from '../contract/addresses.ts';
import { type ConnectOptions, controlClient, type Fetch } from './control-client.ts';
import { type MadeSandbox, madeSandbox, type NewSandboxOptions, rebased, type Sandbox, sandboxAt } from './sandbox.ts';
import type { Result } from './sandbox-control.ts';

/**
 * A sandbox in the list of all sandboxes: its name, environment, base URL and last use, with the control API's field
 * names.
 * @example const [first]: readonly SandboxInfo[] = await sachet.sandboxes(); // { name: 'production', base_url, … }
 */
export type SandboxInfo = Awaited<Result<'sandboxes.list'>>['sandboxes'][number];

/**
 * A Sachet: in process from `createSachet`, on a port from `serve`, elsewhere from `connect`.
 * @example
 * await using sachet = createSachet();
 * await using sandbox = await sachet.createSandbox({ scenario: 'rate-limit-burst' });
 */
export interface Sachet extends AsyncDisposable {
  /**
   * The plain base URL, without a trailing slash. It addresses the sandbox `stage`; a call with a token reaches the
   * sandbox of its login.
   */
  readonly baseUrl: string;
  /** The key of the control API, for your own clients of it. */
  readonly adminKey: string;
  /** Like the global fetch. A path such as `/v2/products` is relative to `baseUrl`. */
  readonly fetch: Fetch;
  /** Lists all sandboxes. @throws ControlError 401 or 403 for a wrong key */
  sandboxes(): Promise<readonly SandboxInfo[]>;
  /**
   * Returns the sandbox with this name, such as `stage` or `w7`. Sends no request: if the sandbox does not exist, the
   * first call to it throws a ControlError with status 404.
   * @throws TypeError for an invalid name
   */
  sandbox(name: string): Sandbox;
  /**
   * Creates a sandbox from the fixtures, with its own `baseUrl` and `logins`.
   * @throws ControlError 409 if the name is taken, 422 for an invalid option
   */
  createSandbox(options?: NewSandboxOptions): Promise<MadeSandbox>;
  /**
   * After `serve`, stops the server; after `createSachet`, ends delayed calls and waits; after `connect`, does nothing.
   */
  close(): Promise<void>;
}

/**
 * Returns a handle for a running server: on this machine, in a container, or a hosted demo. Sends no request yet.
 * @throws TypeError for an invalid URL or key
 * @example
 * const sachet = connect({ url: 'http://localhost:4010', adminKey: process.env.SACHET_ADMIN_KEY ?? '' });
 * await sachet.sandbox('w7').clock.advance({ by: 'PT15M' }); // the sandbox that the login demo+w7 created
 */
export function connect(options: ConnectOptions): Sachet {
  return sachetAt(options, async () => undefined);
}

/** @param close stops the server or engine behind the handle */
export function sachetAt({ url, adminKey, fetch = globalThis.fetch }: ConnectOptions, close: Sachet['close']): Sachet {
  const control = controlClient({ url, adminKey, fetch });
  const baseUrl = bareUrl(url);
  const server = { baseUrl, fetch, control };
  return {
    baseUrl,
    adminKey,
    fetch: rebased(baseUrl, fetch),
    sandboxes: async () => (await control.list()).sandboxes,
    sandbox: (name) => sandboxAt(server, name),
    createSandbox: async (options = {}) => madeSandbox(server, await control.create(options)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
