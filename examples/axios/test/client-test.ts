// vitest's test with a client of the test's own sandbox, an order that it takes, and a look into what it received.
import type { MadeSandbox } from 'sachet';
import { test as sandboxTest } from 'sachet/vitest';
import { ServiceClient } from '../src/service-client.ts';
import type { OrderRequest, Product } from '../src/wire.ts';

type Match = Parameters<MadeSandbox['requests']['verify']>[0]['match'];

interface Fixtures {
  client: ServiceClient;
  order: OrderRequest;
  /** The seconds that the client was told to wait, in order. */
  slept: number[];
  /** How many such calls the sandbox received. */
  received: (match: Match) => Promise<number>;
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
  order: async ({ client }, use) => use(orderOf(await client.products())),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs off its first parameter
  slept: async ({}, use) => use([]),
  received: async ({ sandbox }, use) => use(async (match) => (await sandbox.requests.verify({ match })).count),
});

/** What a generator yields, as a list. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function orderOf(products: readonly Product[]): OrderRequest {
  const product = products.find(({ active }) => active);
  if (!product) throw new Error('There is no product to order.');
  const contents = [{ client_product_id: product.id, serving_size: product.serving_size }];
  return {
    consumer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+15550100' },
    shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
    order_lines: [{ duration: 30, pouches: [{ time_of_administration: 'Morning', contents }] }],
  };
}
