// The server of a test run: a running one that the environment names, or one in a thread of its own.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ConnectOptions } from '../client/control-client.ts';
import { connect, type Sachet } from '../client/sachet.ts';

/** The server of SACHET_BASE_URL and SACHET_ADMIN_KEY; undefined without a URL. @throws Error without a key */
export function serverFromEnvironment(): ConnectOptions | undefined {
  const { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey } = process.env;
  if (!url) return undefined;
  if (adminKey) return { url, adminKey };
  throw new Error(`SACHET_BASE_URL is ${url}, but SACHET_ADMIN_KEY is not set; set it to the admin key of that server`);
}

/** Starts a server in a thread; `close` ends the thread. An open server does not keep the process alive. */
export async function startThreadServer(): Promise<Sachet> {
  const thread = new Worker(new URL('./server-thread.js', import.meta.url));
  const ended = once(thread, 'exit').then(([code]) => {
    throw new Error(`the server thread exited with code ${code} before the server was ready`);
  });
  // After the start the thread may end: its rejection must not be unhandled.
  ended.catch(() => undefined);
  const [options] = (await Promise.race([once(thread, 'message'), ended])) as [ConnectOptions];
  thread.unref();
  const close = async () => void (await thread.terminate());
  return { ...connect(options), close, [Symbol.asyncDispose]: close };
}
