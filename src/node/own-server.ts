// The server of one process that nobody else has started.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ConnectOptions, connect, type Sachet } from '../client/sachet.ts';

/** Starts it in a thread; to close it is to end that. Whoever forgets to is not kept by it. */
export async function startOwnServer(): Promise<Sachet> {
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
