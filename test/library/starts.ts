// The three ways to a Sachet, of which the handle shall be the same: in process, over a port, and as a connection to a server that runs.
import { onTestFinished } from 'vitest';
import { connect, type Sachet } from '../../src/client/sachet.ts';
import { createSachet, type SachetOptions } from '../../src/create-sachet.ts';
import { type ServeOptions, serve } from '../../src/node/serve.ts';

export type Start = (options?: SachetOptions) => Promise<Sachet>;

/** A server on a free port, closed when the test is over. */
export async function served(options?: ServeOptions): Promise<Sachet> {
  const server = await serve(options);
  onTestFinished(() => server.close());
  return server;
}

async function inProcess(options?: SachetOptions): Promise<Sachet> {
  const sachet = createSachet(options);
  onTestFinished(() => sachet.close());
  return sachet;
}

async function connected(options?: SachetOptions): Promise<Sachet> {
  const { baseUrl, adminKey } = await served(options);
  return connect({ url: baseUrl, adminKey });
}

/** By name, as `describe.each` takes them. */
export const starts: readonly (readonly [string, Start])[] = [
  ['in process', inProcess],
  ['over serve', served],
  ['over connect', connected],
];

/** What was thrown; fails where nothing is. */
export async function thrownBy(act: () => unknown): Promise<Error> {
  try {
    await act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
