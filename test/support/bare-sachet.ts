// A Sachet whose answers are read by hand: streams, broken connections, bytes.
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import { publishedFetch } from './published.ts';
import { fixtures, noon, scenarios } from './sachet.ts';
import { testEngine } from './test-engine.ts';

export const origin = 'http://localhost:4010';

export interface BareSachet extends Engine {
  readonly control: ControlClient;
}

export function bareSachet(options: Partial<EngineOptions> = {}): BareSachet {
  const base = { fixtures, scenarios, clock: noon, randomSeed: 'test' };
  const sachet = testEngine({ ...base, ...options });
  const fetch = publishedFetch(sachet.fetch, { ...base, ...options });
  return { ...sachet, fetch, control: controlClient({ url: origin, adminKey: sachet.adminKey, fetch }) };
}

/** A call of the API under way; paths are relative to the plain base URL. */
export function send(
  { fetch }: Pick<Engine, 'fetch'>,
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
