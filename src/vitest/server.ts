// The server of a test run: started once by vitest's global setup, or running already.
import type { TestProject } from 'vitest/node';
import type { Fetch } from '../client/control-client.ts';
import { type ConnectOptions, connect } from '../client/sachet.ts';
import { type ServeOptions, serve } from '../node/serve.ts';
import { serverFromEnvironment } from '../node/test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's server is, as its workers are told. */
    sachet: Pick<ConnectOptions, 'url' | 'adminKey'> | undefined;
  }
}

/**
 * What vitest calls before the first test; what it gives is called after the last.
 * @example const setup: GlobalSetup = sachetServer({ port: 4010 });
 */
export type GlobalSetup = (project: Pick<TestProject, 'provide'>) => Promise<() => Promise<void>>;

/**
 * A global setup that starts one server for the whole run, made with these options. Where SACHET_BASE_URL and SACHET_ADMIN_KEY name one that
 * runs already, such as a container in CI, that is used, as it was started.
 * @example
 * // sachet.setup.ts, named in vitest.config.ts as globalSetup: ['./sachet.setup.ts']
 * export default sachetServer({ assumptions: { next_cursor: 'meta' } });
 */
export const sachetServer =
  (options: ServeOptions = {}): GlobalSetup =>
  async ({ provide }) => {
    const given = serverFromEnvironment();
    if (given) {
      await requireUsable(given);
      if (Object.keys(options).length > 0) console.warn(optionsUnused);
      provide('sachet', given);
      return async () => undefined;
    }
    const { baseUrl: url, adminKey, close } = await serve(options);
    provide('sachet', { url, adminKey });
    return close;
  };

const optionsUnused =
  'sachetServer: its options are not used, as SACHET_BASE_URL names a server that runs already; give them to that one';

/** @throws Error before the first test where the server of the environment is not there, or its key is another. */
async function requireUsable(given: ConnectOptions): Promise<void> {
  const fetch: Fetch = (input, init) => globalThis.fetch(input, { ...init, signal: AbortSignal.timeout(5000) });
  await connect({ ...given, fetch })
    .sandboxes()
    .catch((cause: Error) => {
      throw new Error(`the server that SACHET_BASE_URL and SACHET_ADMIN_KEY name is of no use: ${cause.message}`, {
        cause,
      });
    });
}

/**
 * The global setup without options.
 * @example export default defineConfig({ test: { globalSetup: ['sachet/vitest/server'] } });
 */
export default sachetServer();
