// Vitest's test with a separate sandbox for every test that asks for one.
import { test as base, inject, type RunnerTaskResult, type TestAPI } from 'vitest';
import { connect, type Sachet } from '../client/sachet.ts';
import type { NewSandboxOptions } from '../client/sandbox.ts';
import { serverFromEnvironment, startThreadServer } from '../node/test-server.ts';
import { randomSecret } from '../system/random.ts';
import { type TestSandbox, withFastRetries } from './fast-retries.ts';
import { describeReceived } from './received-calls.ts';
import './server.ts';

export type { TestSandbox };

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
  readonly sandbox: TestSandbox;
}

/** If a run is killed, its sandboxes on a running server expire after this time without use. */
const ttlSeconds = 3600;

/**
 * Vitest's `test` with a `sandbox` for each test. When a test fails, its error shows the calls that the sandbox
 * received, the reason for each response, and the last bodies.
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
    const stageClock = sachet.sandbox('stage').clock;
    const [sandbox, began] = await Promise.all([
      sachet.createSandbox({ name, ttl_seconds: ttlSeconds, ...sandboxOptions }),
      stageClock.get().catch(() => undefined),
    ]);
    await use(withFastRetries(sandbox));
    if (task.result?.state === 'fail') addToError(task.result, await describeReceived(sachet, sandbox, began?.now));
    await sandbox[Symbol.asyncDispose]();
  },
});

/** A valid sandbox name from a test's name: `an-order-is-placed-3f9c02d1`. */
function uniqueName(testName: string): string {
  const words = testName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${words.slice(0, 48)}-${randomSecret().slice(0, 8)}`.replaceAll(/^-+|-(?=-)/g, '');
}

/** Reporters show the message above the diff. With a retry, the last error is that of this try. */
function addToError({ errors }: RunnerTaskResult, text: string | undefined): void {
  const error = errors?.at(-1);
  if (error && text !== undefined) error.message += `\n\n${text}`;
}
