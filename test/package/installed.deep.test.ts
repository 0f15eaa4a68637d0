// The package as npm packs and installs it: its files, its types, its command, and a strict TypeScript project that uses it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem, type ResolutionKind } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import { call, logIn, readyOf, root, run } from '../support/command.ts';
import { asDeveloped, ended, tarballIn, useInstalled, writeFiles } from './package-folder.ts';

const compilerOptions = {
  ...{ module: 'nodenext', target: 'es2022', lib: ['es2022'], types: ['node'], strict: true, outDir: 'out' },
  ...{ exactOptionalPropertyTypes: true, skipLibCheck: false, rootDir: 'src' },
};

/** Prints what it saw as JSON. */
const use = `
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
const limited = await standard('/v2/products');
const verified = await sandbox.requests.verify({ match: { operation: 'orders.create', status: 201 }, count: { at_least: 1 } });

const folder = 'node_modules/sachet/';
await using server = await serve({ fixtures: { ...loadFixtures(folder + 'fixtures'), pags: [] } });
const remote = connect({ url: server.baseUrl, adminKey: server.adminKey });
await using other = await remote.createSandbox();
const missing = await remote.sandbox('nope').get().catch((error: unknown) => error);
console.log(JSON.stringify([
  order, now, limited.status, limited.headers.get('retry-after'), verified.satisfied, await placed(other),
  missing instanceof ControlError && missing.status, (await server.sandboxes()).length,
  loadScenarios(folder + 'scenarios').some(({ name }) => name === 'no-pag'),
]));
`;

/** Only compiled. */
const vitestUse = `
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

/** Statements that must not compile. */
const wrongUses: readonly string[] = [
  'await sandbox.switches.set({ rate_limits: { burst: 3 } });',
  'await sandbox.switches.set({ rate_limit: { bursts: 3 } });',
  'createSachet({ fixture: { pags: [] } });',
  'createSachet({ fixtures: { pag: [] } });',
  "createSachet({ fixtures: { pags: [{ id: '1' }] } });",
  "createSachet({ assumptions: { next_cursors: 'meta' } });",
  "createSachet({ assumptions: { next_cursor: 'metas' } });",
  "createSachet({ profile: 'lenient' });",
  "await serve({ port: '4010' });",
  'createSachet({ port: 4010 });',
  "connect({ url: 'http://localhost:4010' });",
  "await sachet.createSandbox({ seed: 'a' });",
  "await sachet.createSandbox({ assumptions: { next_cursor: 'metas' } });",
  "await sandbox.received({ operation: 'orders.make' });",
  "sachet.sandbox('w7').client();",
  'await sandbox.faults.create({ status: 418 });',
  "await sandbox.clock.advance({ seconds: 'ten' });",
  '(await sandbox.clock.get()).time;',
];
const wrong = [
  `import { connect, createSachet } from 'sachet';`,
  `import { serve } from 'sachet/node';`,
  'const sachet = createSachet();',
  'const sandbox = await sachet.createSandbox();',
  ...wrongUses.flatMap((statement) => ['// @ts-expect-error', statement]),
  'export { connect, serve };',
].join('\n');

const project = useInstalled([asDeveloped('vitest'), asDeveloped('@types/node')], {
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  'src/use.ts': use,
  'src/vitest.ts': vitestUse,
  'src/wrong.ts': wrong,
});
const empty = useInstalled();

/** Every file of a folder, by its path in there. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

describe('the package', () => {
  test('has these files, no path of the machine that built it, and less than 6.2 MB', () => {
    const folder = join(empty(), 'node_modules/sachet');
    const files = filesIn(folder);
    const allowed =
      /^(?:dist\/[\w-]+\.c?js|dist\/licenses\.txt|dist\/types\/.*\.d\.c?ts|(?:fixtures|scenarios)\/[\w-]+\.json|workflows\/[\w-]+\.arazzo\.yaml|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    expect(files.filter((name) => !allowed.test(name))).toEqual([]);
    const needed = ['LICENSE', 'README.md', 'dist/cli.js', 'dist/index.cjs', 'dist/types/index.d.ts'];
    const more = ['dist/types/node/index.d.cts', 'scenarios/no-pag.json', 'workflows/paging.arazzo.yaml'];
    expect(files).toEqual(expect.arrayContaining([...needed, ...more]));
    const texts = files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
    const told = texts.filter(
      ([, text]) => text.includes(root) || /^\/\/# sourceMappingURL=|\/node_modules\//m.test(text),
    );
    expect(told.map(([name]) => name)).toEqual([]);
    const bytes = files.map((name) => statSync(join(folder, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_200_000);
  });

  test('installs zod only, without scripts and machine code', () => {
    const lock = JSON.parse(readFileSync(join(empty(), 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['node_modules/sachet', 'node_modules/zod']);
    expect(JSON.stringify(lock)).not.toContain('hasInstallScript');
    const native = filesIn(join(empty(), 'node_modules')).filter((name) => /\.node$|binding\.gyp$/.test(name));
    expect(native).toEqual([]);
  });

  test('satisfies publint and are-the-types-wrong', async () => {
    const tarball = new Uint8Array(readFileSync(tarballIn(empty())));
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    expect(messages).toEqual([]);
    const found = await checkPackage(createPackageFromTarballData(tarball));
    if (!found.types) throw new Error('the package has no types');
    expect(Object.keys(found.entrypoints)).toEqual(['.', './node', './vitest', './vitest/server', './package.json']);
    const unavoidable: readonly (readonly [Problem['kind'], ResolutionKind, RegExp])[] = [
      // Vitest is an ES module, too.
      ['CJSResolvesToESM', 'node16-cjs', /^\.\/vitest/],
      // The resolution of Node 10 does not know `exports`.
      ['NoResolution', 'node10', /^\.\//],
    ];
    const isUnavoidable = (problem: Problem) =>
      'resolutionKind' in problem &&
      unavoidable.some(
        ([kind, resolution, entries]) =>
          problem.kind === kind && problem.resolutionKind === resolution && entries.test(problem.entrypoint),
      );
    expect(found.problems.filter((problem) => !isUnavoidable(problem))).toEqual([]);
  });
});

describe('the installed command', () => {
  const sachet = (...args: readonly string[]) => ended(empty(), 'node_modules/.bin/sachet', args);

  test('prints its version, and starts a server', async () => {
    expect(await sachet('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const start = 'cd "$0" && exec node_modules/.bin/sachet --json --port 0';
    const ready = await readyOf(run('sh', ['-c', start, empty()]));
    const token = await logIn(ready);
    expect((await call('POST', `${ready.url}/v2/orders`, { token, body: sampleOrder() })).status).toBe(201);
  });

  test('writes files and checks them', async () => {
    expect((await sachet('init', 'own')).code).toBe(0);
    const flags = ['--fixtures', 'own/fixtures', '--scenarios', 'own/scenarios'];
    expect(await sachet('check', ...flags)).toMatchObject({ code: 0, stderr: '' });
    expect((await sachet('check', '--fixtures', 'own/scenarios')).code).not.toBe(0);
  });
});

describe('a strict TypeScript project', () => {
  const compile = (...args: readonly string[]) =>
    ended(project(), process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args]);
  let errors: readonly string[] = [];
  beforeAll(async () => {
    errors = (await compile()).stdout.split('\n').filter((line) => line !== '');
  }, 60_000);

  test('compiles all four entries; its output works', async () => {
    expect(errors.filter((line) => !/^src\/wrong\.ts\(.*TS2578/.test(line))).toEqual([]);
    const { code, stdout, stderr } = await ended(project(), process.execPath, ['out/use.js']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([201, '2026-01-01T00:15:00.000Z', 429, '60', true, 422, 404, 3, true]);
  });

  test('gets an error for every wrong use', () => {
    // TS2578 reports an expected error that did not occur, in the line above the statement.
    const lines = errors.flatMap((line) => /^src\/wrong\.ts\((\d+),.*TS2578/.exec(line)?.[1] ?? []);
    expect(lines.map((line) => wrong.split('\n')[Number(line)])).toEqual([]);
  });

  test('compiles for a browser without the types of Node', async () => {
    const text = `import { createSachet } from 'sachet';\nexport const url: string = createSachet().baseUrl;\n`;
    writeFiles(project(), { 'web/index.ts': text });
    const options = '--module esnext --moduleResolution bundler --target es2022 --lib es2022,dom --strict --noEmit';
    expect(await compile(...options.split(' '), '--types', '', '--ignoreConfig', 'web/index.ts')).toEqual({
      ...{ code: 0, stdout: '', stderr: '' },
    });
  });
});
