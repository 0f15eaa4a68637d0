// What a consumer writes in TypeScript against the package: all four entries used rightly, and wrong uses that the types refuse.

export const tsconfig = JSON.stringify({
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: 'out',
    rootDir: 'src',
  },
  include: ['src'],
});

/** Prints one line of JSON with what it saw. */
export const rightUse = `
import { ControlError, connect, createSachet, type Login, type MadeSandbox, type Sachet, sampleOrder } from 'sachet';
import { loadFixtures, loadScenarios, serve } from 'sachet/node';

const placed = async (sandbox: MadeSandbox): Promise<number> => {
  const login: Login = sandbox.login;
  return (await sandbox.client(login).post('/v2/orders', sampleOrder())).status;
};

await using sachet: Sachet = createSachet({ clock: '2026-01-01T00:00:00Z', assumptions: { next_cursor: 'meta' } });
await using sandbox = await sachet.createSandbox({ name: 'w7' });
const order = await placed(sandbox);
const { now } = await sandbox.clock.advance({ by: 'PT15M' });
await sandbox.switches.set({ rate_limit: { burst: 1, match: { operation: 'products.list' } } });
const standard: typeof fetch = sandbox.fetch;
const bent = await standard('/v2/products');
const verified = await sandbox.requests.verify({ match: { operation: 'orders.create', status: 201 }, count: { at_least: 1 } });

const folder = 'node_modules/sachet/';
await using server = await serve({ fixtures: { ...loadFixtures(folder + 'fixtures'), pags: [] } });
const remote = connect({ url: server.baseUrl, adminKey: server.adminKey });
await using other = await remote.createSandbox();
const refused = await remote.sandbox('nope').get().catch((error: unknown) => error);
console.log(JSON.stringify({
  order, now, bent: [bent.status, bent.headers.get('retry-after')], satisfied: verified.satisfied,
  withoutPags: await placed(other), refused: refused instanceof ControlError && refused.status,
  there: (await server.sandboxes()).length, isShipped: loadScenarios(folder + 'scenarios').some(({ name }) => name === 'no-pag'),
}));
`;

/** Only compiled: tests and a setup as they stand in a consumer's project. */
export const vitestUse = `
import type { NewSandboxOptions, Sachet } from 'sachet';
import { type SachetFixtures, test } from 'sachet/vitest';
import standard, { sachetServer } from 'sachet/vitest/server';
import { expect, inject } from 'vitest';

export const setups = [standard, sachetServer(), sachetServer({ assumptions: { next_cursor: 'meta' } })];
export const url: string | undefined = inject('sachet')?.url;
export const options = ({ sandboxOptions }: SachetFixtures): NewSandboxOptions => sandboxOptions;

test('an order', async ({ sachet, sandbox }) => {
  const whole: Sachet = sachet;
  expect((await whole.sandbox(sandbox.name).fetch('/v2/products')).status).toBe(401);
});

const mine = test.extend<{ products: () => Promise<Response> }>({
  products: async ({ sandbox }, use) => use(() => sandbox.client().get('/v2/products')),
});
mine('with a client of its own', async ({ products }) => void (await products()));
`;

/** Each a statement that must not compile. */
export const wrongUses: Readonly<Record<string, string>> = {
  'a switch that there is none of': `await sandbox.switches.set({ rate_limits: { burst: 3 } });`,
  'a field that the switch has not': `await sandbox.switches.set({ rate_limit: { bursts: 3 } });`,
  'an option that there is none of': `createSachet({ fixture: { pags: [] } });`,
  'a collection that there is none of': `createSachet({ fixtures: { pag: [] } });`,
  'a record that is not whole': `createSachet({ fixtures: { pags: [{ id: '1' }] } });`,
  'an assumption that there is none of': `createSachet({ assumptions: { next_cursors: 'meta' } });`,
  'a reading that there is none of': `createSachet({ assumptions: { next_cursor: 'metas' } });`,
  'a profile that there is none of': `createSachet({ profile: 'lenient' });`,
  'a port that is a text': `await serve({ port: '4010' });`,
  'a port in process': `createSachet({ port: 4010 });`,
  'a connection without a key': `connect({ url: 'http://localhost:4010' });`,
  'an option of a sandbox that there is none of': `await sachet.createSandbox({ seed: 'a' });`,
  'a reading of a sandbox that there is none of': `await sachet.createSandbox({ assumptions: { next_cursor: 'metas' } });`,
  'a collection of a sandbox that there is none of': `await sachet.createSandbox({ fixtures: { pag: [] } });`,
  'a call to count that there is none of': `await sandbox.received({ operation: 'orders.make' });`,
  'a client without a login, where none is known': `sachet.sandbox('w7').client();`,
  'an operation that there is none of': `await sandbox.requests.verify({ match: { operation: 'orders.make' }, count: 1 });`,
  'a status that the contract has not': `await sandbox.faults.create({ status: 418 });`,
  'a clock that goes by a text': `await sandbox.clock.advance({ seconds: 'ten' });`,
  'a field of an answer that there is none of': `(await sandbox.clock.get()).time;`,
};

/** All of them behind what they need, each expected to be an error: one that compiles is the compiler's complaint. */
export const wrongUse = (uses: readonly string[]): string =>
  [
    `import { connect, createSachet } from 'sachet';`,
    `import { serve } from 'sachet/node';`,
    'const sachet = createSachet();',
    'const sandbox = await sachet.createSandbox();',
    ...uses.flatMap((use) => ['// @ts-expect-error', use]),
    'export { connect, serve };',
  ].join('\n');
