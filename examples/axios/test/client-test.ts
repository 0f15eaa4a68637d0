// vitest's test with a client of the test's own sandbox, and an order that it takes.
import { sampleOrder } from 'sachet';
import { test as sandboxTest } from 'sachet/vitest';
import { ServiceClient } from '../src/service-client.ts';
import type { OrderRequest } from '../src/wire.ts';

interface Fixtures {
  client: ServiceClient;
  order: OrderRequest;
  /** The seconds that the client was told to wait, in order. */
  slept: number[];
}

export const test = sandboxTest.extend<Fixtures>({
  // A client that does not wait: the sandbox's clock goes on instead.
  client: async ({ sandbox, slept }, use) => {
    const sleep = (seconds: number) => {
      slept.push(seconds);
      return sandbox.clock.advance({ seconds });
    };
    await use(new ServiceClient({ baseUrl: sandbox.baseUrl, ...sandbox.login }, sleep));
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs off its first parameter
  order: async ({}, use) => use(sampleOrder()),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  slept: async ({}, use) => use([]),
});

/** What a generator yields, as a list. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
