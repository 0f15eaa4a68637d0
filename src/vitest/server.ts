// The server of a test run: started once by vitest's global setup, or already running.
import { createRequire } from 'node:module';
import type { TestProject } from 'vitest/node';
import type { ConnectOptions } from '../client/control-client.ts';
import { connect } from '../client/sachet.ts';
import { type ServeOptions, serve } from '../node/serve.ts';
import { serverFromEnvironment } from '../node/test-server.ts';

function vitestVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)('vitest/package.json') as { readonly version: string };
    return version;
  } catch (cause) {
    throw new Error(
      'sachet/vitest needs Vitest 3.2 or newer, but this project has no Vitest. Install it with `npm i -D vitest`',
      { cause },
    );
  }
}

const version = vitestVersion();
const [major = 0, minor = 0] = version.split('.').map(Number);
// Checked here, because a peer dependency on these versions would fail the install of projects that use only the rest.
if (major < 3 || (major === 3 && minor < 2))
  throw new Error(
    `sachet/vitest needs Vitest 3.2 or newer, but this project has Vitest ${version}. ` +
      'Update it with `npm i -D vitest@latest`, or use `createSachet` from sachet or `serve` from sachet/node',
  );

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's server, for the workers. */
    sachet: Pick<ConnectOptions, 'url' | 'adminKey'> | undefined;
  }
}

/**
 * The function that vitest calls before the first test. It returns the function to call after the last one.
 * @example const setup: GlobalSetup = sachetServer({ port: 4010 });
 */
export type GlobalSetup = (project: Pick<TestProject, 'provide'>) => Promise<() => Promise<void>>;

/**
 * Returns a global setup that starts one server for the whole run, with these options. If SACHET_BASE_URL and
 * SACHET_ADMIN_KEY name a running server, such as a container in CI, it uses that server and ignores the options.
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
      if (Object.keys(options).length > 0) console.warn(optionsIgnored);
      provide('sachet', given);
      return async () => undefined;
    }
    const { baseUrl: url, adminKey, close } = await serve(options);
    provide('sachet', { url, adminKey });
    return close;
  };

const optionsIgnored =
  'sachetServer ignores its options, because SACHET_BASE_URL names a running server; set the options on that server';
const probeMilliseconds = 5000;

/** @throws Error before the first test if the server of the environment does not answer, or refuses the key */
async function requireUsable(given: ConnectOptions): Promise<void> {
  const probe = connect({
    ...given,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(probeMilliseconds) }),
  });
  await probe.sandboxes().catch((cause: Error) => {
    const message = `cannot use the server in SACHET_BASE_URL with the key in SACHET_ADMIN_KEY: ${cause.message}`;
    throw new Error(message, { cause });
  });
}

/**
 * The global setup without options.
 * @example export default defineConfig({ test: { globalSetup: ['sachet/vitest/server'] } });
 */
export default sachetServer();
