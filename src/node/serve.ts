// `serve`: a Sachet on a port of this process, for the library.
import { type Sachet, sachetAt } from '../client/sachet.ts';
import { engineFor, type SachetOptions } from '../create-sachet.ts';
import type { Store } from '../state/store.ts';
import { hostOptions } from './host-address.ts';
import { platform } from './platform.ts';
import { notify, type StateOptions, startServer } from './start-server.ts';
import { checkedTls, type TlsOptions } from './tls.ts';

/**
 * The options of `serve`.
 * @example const options: ServeOptions = { port: 4010, clock: '2026-01-01T00:00:00Z' };
 */
export interface ServeOptions extends SachetOptions, StateOptions {
  /** Default: 0, a free port; `baseUrl` has it. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Speak HTTPS with this certificate. The handle uses the global fetch, so this process must trust it, too. */
  readonly tls?: TlsOptions | undefined;
}

/**
 * Starts a server in this process and returns its handle. To dispose of the handle closes the server.
 * @throws Error for an address that cannot be listened on, a certificate that cannot be used, and a state folder that
 * is unreadable or held by another process; otherwise as createSachet
 * @example
 * await using server = await serve({ assumptions: { next_cursor: 'meta' } });
 * const response = await fetch(`${server.baseUrl}/health`);
 */
export async function serve(options: ServeOptions = {}): Promise<Sachet> {
  const { port = 0, host = '127.0.0.1', tls: pair, state, sync, store: database, ...others } = options;
  const { takesAnyHost, ...reach } = hostOptions(host, others);
  const createEngineOver = (store: Store | undefined) =>
    engineFor({ ...others, ...reach }, { ...platform, takesAnyHost, store });
  const tls = pair && checkedTls(pair, notify);
  const address = { port, host, tls, keepsGlobals: true };
  const { url, engine, close } = await startServer({ state, sync, store: database }, createEngineOver, address);
  return sachetAt({ url, adminKey: engine.adminKey }, close);
}
