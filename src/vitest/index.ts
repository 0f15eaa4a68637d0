// Vitest's test with a separate sandbox for every test that asks for one.
import { test as base, inject, type TestAPI } from 'vitest';
import { connect, type Sachet } from '../client/sachet.ts';
import type { MadeSandbox, NewSandboxOptions } from '../client/sandbox.ts';
import { entryLine } from '../node/remote-sandbox.ts';
import { serverFromEnvironment, startThreadServer } from '../node/test-server.ts';
import { randomSecret } from '../system/random.ts';
import './server.ts';

/**
 * The fixtures that a test can ask for.
 * @example
 * const withClient = test.extend<{ client: OrderClient }>({
 *   client: async ({ sandbox }: SachetFixtures, use) => use(clientOf(sandbox)),
 * });
 */
export interface SachetFixtures {
  /**
   * The server of the run, if the global setup starts one or the environment names one; otherwise one per worker.
   */
  readonly sachet: Sachet;
  /** The options of the test's sandbox. Set them with `test.override` in vitest 4, `test.scoped` in vitest 3. */
  readonly sandboxOptions: NewSandboxOptions;
  /** The test's own sandbox, created from the fixtures: `baseUrl`, `login`, and its control. Deleted after the test. */
  readonly sandbox: MadeSandbox;
}

/** If a run is killed, its sandboxes on a running server expire after this time without use. */
const ttlSeconds = 3600;

/**
 * Vitest's `test` with a `sandbox` for each test. When a test fails, it prints the calls that the sandbox received and
 * the reason for each response.
 * @example
 * test('an order is placed', async ({ sandbox }) => {
 *   const client = new OrderClient({ baseUrl: sandbox.baseUrl, ...sandbox.login });
 *   await client.placeOrder(order);
 *   expect(await sandbox.received({ operation: 'orders.create', status: 201 })).toBe(1);
 * });
 */
export const test: TestAPI<SachetFixtures> = base.extend<SachetFixtures>({
  sachet: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs off its first parameter
    async ({}, use) => {
      const running = inject('sachet') ?? serverFromEnvironment();
      const sachet = running ? connect(running) : await startThreadServer();
      await use(sachet);
      await sachet.close();
    },
    { scope: 'worker' },
  ],
  sandboxOptions: {},
  sandbox: async ({ sachet, sandboxOptions, task }, use) => {
    const name = uniqueName(task.name);
    const sandbox = await sachet.createSandbox({ name, ttl_seconds: ttlSeconds, ...sandboxOptions });
    await use(sandbox);
    if (task.result?.state === 'fail') await printCalls(sandbox);
    await sandbox[Symbol.asyncDispose]();
  },
});

/** A valid sandbox name from a test's name: `an-order-is-placed-3f9c02d1`. */
function uniqueName(testName: string): string {
  const words = testName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${words.slice(0, 48)}-${randomSecret().slice(0, 8)}`.replaceAll(/^-+|-(?=-)/g, '');
}

const maxPrintedCalls = 20;

async function printCalls({ name, requests }: MadeSandbox): Promise<void> {
  const list = await requests.list().catch(() => undefined);
  // The test has deleted its sandbox.
  if (!list) return;
  const printed = list.requests.slice(-maxPrintedCalls);
  const total = list.dropped + list.requests.length;
  const count = total === 1 ? '1 call' : `${total} calls`;
  const head = `The sandbox ${name} received ${count}${total > printed.length ? `; the last ${printed.length}` : ''}:`;
  console.error([head, ...printed.map((entry) => `  ${entryLine(entry)}`)].join('\n'));
}
