// A Sachet as a test holds it: its sandboxes and a fetch, the same for one in process and for a server.
/// <reference lib="esnext.disposable" preserve="true" />
import { bareUrl } from '../contract/addresses.ts';
import { type ControlClientOptions, controlClient, type Fetch } from './control-client.ts';
import { type MadeSandbox, madeSandbox, type NewSandboxOptions, rebased, type Sandbox, sandboxAt } from './sandbox.ts';
import type { Result } from './sandbox-control.ts';

/**
 * A sandbox as a list tells it.
 * @example const [first]: readonly SandboxInfo[] = await sachet.sandboxes(); // { name: 'production', base_url, … }
 */
export type SandboxInfo = Awaited<Result<'sandboxes.list'>>['sandboxes'][number];

/**
 * A Sachet: in process by `createSachet`, on a port by `serve`, elsewhere by `connect`.
 * @example
 * await using sachet = createSachet();
 * await using sandbox = await sachet.createSandbox({ scenario: 'rate-limit-burst' });
 */
export interface Sachet extends AsyncDisposable {
  /** The plain base URL, without a slash at its end: that of the sandbox `stage`, and by their logins of those that logins make. */
  readonly baseUrl: string;
  /** The key of the control API, for clients of one's own. */
  readonly adminKey: string;
  /** The global fetch, or its like in process. A path such as `/v2/products` stands under `baseUrl`. */
  readonly fetch: Fetch;
  /** The sandboxes there are. */
  sandboxes(): Promise<readonly SandboxInfo[]>;
  /** A sandbox by its name, such as `stage` or `w7`; whether there is one shows when it is asked for something. */
  sandbox(name: string): Sandbox;
  /**
   * Makes a sandbox, as new from the fixtures. Its users log in under its own `baseUrl`.
   * @throws ControlError where the name is taken, or an option is none.
   */
  createSandbox(options?: NewSandboxOptions): Promise<MadeSandbox>;
  /** Ends what was started here: the port of `serve`; delayed calls and waits in process. A connection ends nothing. */
  close(): Promise<void>;
}

/**
 * Where a server is, and the key of its control API.
 * @example const options: ConnectOptions = { url: 'http://localhost:4010', adminKey: 'local-key-1' };
 */
export type ConnectOptions = ControlClientOptions;

/**
 * Reaches a server that runs already: on this machine, in a container, as a demo.
 * @throws TypeError for a URL or a key that is none.
 * @example
 * const sachet = connect({ url: 'http://localhost:4010', adminKey: process.env.SACHET_ADMIN_KEY ?? '' });
 * await sachet.sandbox('w7').clock.advance({ by: 'PT15M' }); // made by the login demo+w7
 */
export function connect(options: ConnectOptions): Sachet {
  return sachetAt(options, async () => undefined);
}

/** The handle over a connection; `close` ends what was started with it. */
export function sachetAt(
  { url, adminKey, fetch = globalThis.fetch }: ConnectOptions,
  close: () => Promise<void>,
): Sachet {
  const control = controlClient({ url, adminKey, fetch });
  const baseUrl = bareUrl(url);
  const place = { baseUrl, fetch, control };
  return {
    baseUrl,
    adminKey,
    fetch: rebased(baseUrl, fetch),
    sandboxes: async () => (await control.list()).sandboxes,
    sandbox: (name) => sandboxAt(place, name),
    createSandbox: async (options = {}) => madeSandbox(place, await control.create(options)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
