// A Sachet on a port of this process.
import { type Sachet, sachetAt } from '../client/sachet.ts';
import { engineFor, type SachetOptions } from '../create-sachet.ts';
import type { Store } from '../state/store.ts';
import { hostOptions } from './host-address.ts';
import { platform } from './platform.ts';
import { type StateOptions, startServer } from './start-server.ts';

/**
 * Where to listen, and what the Sachet is made with.
 * @example const options: ServeOptions = { port: 4010, clock: '2026-01-01T00:00:00Z' };
 */
export interface ServeOptions extends SachetOptions, StateOptions {
  /** Default: 0, a free port; `baseUrl` tells it. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: 127.0.0.1. */
  readonly host?: string | undefined;
}

/**
 * Starts a server in this process and gives the handle of it. To dispose of it is to close it.
 * @throws Error for an address that cannot be listened on, and for a state folder that another process holds or that cannot be read; else
 * as createSachet.
 * @example
 * await using server = await serve({ assumptions: { next_cursor: 'meta' } });
 * const response = await fetch(`${server.baseUrl}/health`);
 */
export async function serve({
  port = 0,
  host = '127.0.0.1',
  state,
  sync,
  store: database,
  ...options
}: ServeOptions = {}): Promise<Sachet> {
  const { takesAnyHost, ...reach } = hostOptions(host, options);
  const engineOver = (store: Store | undefined) =>
    engineFor({ ...options, ...reach }, { ...platform, takesAnyHost, store });
  const { url, engine, close } = await startServer({ state, sync, store: database }, engineOver, { port, host });
  return sachetAt({ url, adminKey: engine.adminKey }, close);
}
