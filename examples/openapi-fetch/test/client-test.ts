// vitest's `test` with three fixtures: a client of the test's own sandbox, a client of the control API, and a valid order.
import createClient, { type Client } from 'openapi-fetch';
import { sampleOrder } from 'sachet';
import { test as sandboxTest } from 'sachet/vitest';
import type { paths as ControlPaths } from '../generated/control.ts';
import { ServiceClient } from '../src/service-client.ts';
import type { OrderRequest } from '../src/wire.ts';

interface Fixtures {
  client: ServiceClient;
  control: Client<ControlPaths>;
  order: OrderRequest;
  /** Seconds of each wait, in order. */
  slept: number[];
}

export const test = sandboxTest.extend<Fixtures>({
  // Does not wait in real time: advances the sandbox's clock instead.
  client: async ({ sandbox, slept }, use) => {
    const sleep = (seconds: number) => {
      slept.push(seconds);
      return sandbox.clock.advance({ seconds });
    };
    await use(new ServiceClient({ baseUrl: sandbox.baseUrl, ...sandbox.login }, sleep));
  },
  control: async ({ sachet: { baseUrl, adminKey } }, use) =>
    use(createClient<ControlPaths>({ baseUrl, headers: { Authorization: `Bearer ${adminKey}` } })),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's dependencies from its first parameter
  order: async ({}, use) => use(sampleOrder()),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  slept: async ({}, use) => use([]),
});

/** Collects all items of an async iterable. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
