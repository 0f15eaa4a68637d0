// A Sachet whose answers are read by hand: streams, broken connections, bytes.
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import { createSachet, type Sachet, type SachetOptions } from '../../src/create-sachet.ts';
import { createHarshStore } from './harsh-store.ts';
import { fixtures, noon, scenarios } from './sachet.ts';

export const origin = 'http://localhost:4010';

export interface BareSachet extends Sachet {
  readonly control: ControlClient;
}

const store = () => (process.env.TEST_STORE === 'harsh' ? { store: createHarshStore() } : {});

export function bareSachet(options: Partial<SachetOptions> = {}): BareSachet {
  const base = { fixtures, scenarios, clock: noon, randomSeed: 'test', ...store() };
  const sachet = createSachet({ ...base, ...options });
  return { ...sachet, control: controlClient({ url: origin, adminKey: sachet.adminKey, fetch: sachet.fetch }) };
}

/** A call of the API under way; paths are relative to the plain base URL. */
export function send(
  { fetch }: Pick<Sachet, 'fetch'>,
  method: string,
  path: string,
  { token, body }: { readonly token?: string | undefined; readonly body?: unknown } = {},
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return fetch(new URL(path, origin), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
