// vitest's `test` with two fixtures: a client of the test's own sandbox, and a valid order.
import { sampleOrder } from 'sachet';
import { test as sandboxTest } from 'sachet/vitest';
import { ServiceClient } from '../src/service-client.ts';
import type { OrderRequest } from '../src/wire.ts';

interface Fixtures {
  client: ServiceClient;
  order: OrderRequest;
}

export const test = sandboxTest.extend<Fixtures>({
  client: async ({ sandbox }, use) => use(new ServiceClient({ baseUrl: sandbox.baseUrl, ...sandbox.login })),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's dependencies from its first parameter
  order: async ({}, use) => use(sampleOrder()),
});

/** Collects all items of an async iterable. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
