// The server of a test run: one that runs already, as the environment names it, or one in a thread of its own.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ConnectOptions, connect, type Sachet } from '../client/sachet.ts';

/**
 * What SACHET_BASE_URL and SACHET_ADMIN_KEY name; undefined where there is no such URL.
 * @throws Error where there is a URL only: without its key a server cannot be controlled.
 */
export function serverFromEnvironment(): ConnectOptions | undefined {
  const { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey } = process.env;
  if (!url) return undefined;
  if (adminKey) return { url, adminKey };
  throw new Error(`SACHET_BASE_URL is ${url}, so SACHET_ADMIN_KEY must be the key of its control API; it is not set`);
}

/** Starts it in a thread; to close it is to end that. Whoever forgets to is not kept by it. */
export async function startThreadServer(): Promise<Sachet> {
  const thread = new Worker(new URL('./server-thread.js', import.meta.url));
  const ended = once(thread, 'exit').then(([code]) => {
    throw new Error(`the thread of the server ended with ${code} before it listened`);
  });
  // Told only while somebody waits for it.
  ended.catch(() => undefined);
  const [place] = (await Promise.race([once(thread, 'message'), ended])) as [Pick<ConnectOptions, 'url' | 'adminKey'>];
  thread.unref();
  const close = async () => void (await thread.terminate());
  return { ...connect(place), close, [Symbol.asyncDispose]: close };
}
