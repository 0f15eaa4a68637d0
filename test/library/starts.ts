// Ways to get a Sachet, whose handles behave the same.
import { onTestFinished } from 'vitest';
import { connect, type Sachet } from '../../src/client/sachet.ts';
import { createSachet, type SachetOptions } from '../../src/create-sachet.ts';
import { type ServeOptions, serve } from '../../src/node/serve.ts';

/** A server on a free port, closed after the test. */
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

/** For `describe.each`. */
export const starts: readonly (readonly [string, (options?: SachetOptions) => Promise<Sachet>])[] = [
  ['in process', inProcess],
  ['over connect', connected],
];

export async function thrownBy(act: () => unknown): Promise<Error> {
  try {
    await act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
