// Vitest's test with a sandbox of its own for every test that asks for one.
import { test as base, inject, type TestAPI } from 'vitest';
import { connect, type Sachet } from '../client/sachet.ts';
import type { MadeSandbox, NewSandboxOptions } from '../client/sandbox.ts';
import { serverFromEnvironment, startThreadServer } from '../node/test-server.ts';
import { nameFor } from './name-for.ts';
import { printCalls } from './tell-calls.ts';
import './server.ts';

/** A run that is cut off leaves its sandboxes to a server that goes on. */
const unusedSeconds = 3600;

/**
 * What a test can ask for.
 * @example const withClient = test.extend<{ client: OrderClient }>({ client: async ({ sandbox }, use) => use(clientOf(sandbox)) });
 */
export interface SachetFixtures {
  /** The server: that of the run where its global setup starts one or the environment names one, else one of this worker. */
  readonly sachet: Sachet;
  /** What the test's sandbox is told; set it by `test.override` in vitest 4, `test.scoped` in vitest 3. */
  readonly sandboxOptions: NewSandboxOptions;
  /** The test's own sandbox, as new from the fixtures: `baseUrl`, `login`, and its control. Gone after the test. */
  readonly sandbox: MadeSandbox;
}

/**
 * Vitest's `test`, in which `sandbox` is the test's own. When the test fails, it tells the calls that the sandbox received and why each was
 * answered so.
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
    const sandbox = await sachet.createSandbox({ name: nameFor(task), ttl_seconds: unusedSeconds, ...sandboxOptions });
    await use(sandbox);
    if (task.result?.state === 'fail') await printCalls(sandbox);
    await sandbox[Symbol.asyncDispose]();
  },
});
