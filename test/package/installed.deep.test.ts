// The package as npm packs and installs it: its files, its types and its command; which parts of the built files load later, what they import,
// their licenses, and that they respond like the source.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import fc from 'fast-check';
import { publint } from 'publint';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import { bytesOf, referenceRequest } from '../http/hapi/requests.ts';
import { call, logIn, readyOf, root, run, serving } from '../support/command.ts';
import { noon } from '../support/sachet.ts';
import { Connection, type HttpAnswer, wire } from '../support/wire.ts';
import { ended, tarballIn, useInstalled } from './package-folder.ts';

const empty = useInstalled();

/** Every file of a folder, by its path in there. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

describe('the package', () => {
  test('has these files, no path of the machine that built it, and less than 5.5 MB', () => {
    const folder = join(empty(), 'node_modules/sachet');
    const files = filesIn(folder);
    const allowed =
      /^(?:dist\/[\w-]+\.c?js|dist\/licenses\.txt|dist\/types\/.*\.d\.c?ts|(?:fixtures|scenarios)\/[\w-]+\.json|workflows\/[\w-]+\.arazzo\.yaml|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    expect(files.filter((name) => !allowed.test(name))).toEqual([]);
    const needed = ['LICENSE', 'README.md', 'dist/cli.js', 'dist/index.cjs', 'dist/types/index.d.ts'];
    const more = ['dist/types/node/index.d.cts', 'scenarios/no-pag.json', 'workflows/paging.arazzo.yaml'];
    expect(files).toEqual(expect.arrayContaining([...needed, ...more]));
    const texts = files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
    const unwanted = texts.filter(
      ([, text]) => text.includes(root) || /^\/\/# sourceMappingURL=|\/node_modules\//m.test(text),
    );
    expect(unwanted.map(([name]) => name)).toEqual([]);
    const bytes = files.map((name) => statSync(join(folder, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_500_000);
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
    expect(Object.keys(found.entrypoints)).toEqual([
      ...['.', './node', './msw', './vitest', './vitest/server'],
      './package.json',
    ]);
    // The resolution of Node 10 does not know `exports`, and Vitest is an ES module, too.
    expect(found.problems).toEqual([
      { kind: 'NoResolution', resolutionKind: 'node10', entrypoint: './node' },
      { kind: 'NoResolution', resolutionKind: 'node10', entrypoint: './msw' },
      ...['./vitest', './vitest/server'].flatMap((entrypoint) => [
        { kind: 'NoResolution', resolutionKind: 'node10', entrypoint },
        { kind: 'CJSResolvesToESM', resolutionKind: 'node16-cjs', entrypoint },
      ]),
    ]);
  });
});

describe('the installed command', () => {
  const sachet = (...args: readonly string[]) => ended(empty(), 'node_modules/.bin/sachet', args);

  test('prints its version, writes files and checks them, and starts a server', async () => {
    expect(await sachet('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect((await sachet('init', 'own')).code).toBe(0);
    const files = ['--fixtures', 'own/fixtures', '--scenarios', 'own/scenarios'];
    expect(await sachet('check', ...files)).toMatchObject({ code: 0, stderr: '' });
    expect((await sachet('check', '--scenarios', 'own/fixtures')).code).toBe(2);
    const start = 'cd "$0" && exec node_modules/.bin/sachet --json --port 0';
    const ready = await readyOf(run('sh', ['-c', start, empty()]));
    const token = await logIn(ready);
    expect((await call('POST', `${ready.url}/v2/orders`, { token, body: sampleOrder() })).status).toBe(201);
  });
});

const dist = join(root, 'dist');
const textOf = (file: string): string => readFileSync(join(dist, file), 'utf8');
const built = readdirSync(dist).filter((file) => file.endsWith('.js'));

interface Import {
  readonly target: string;
  /** Whether it is an `import()`. */
  readonly isLater: boolean;
}

const kinds = ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'];

function* importsIn(node: unknown): Generator<Import> {
  if (typeof node !== 'object' || node === null) return;
  const { type = '', source } = node as {
    type?: string;
    source?: { value?: string; quasis?: { value: { cooked: string } }[] };
  };
  // The minifier writes template literals in place of strings.
  const target = source?.value ?? source?.quasis?.map(({ value }) => value.cooked).join('(computed)') ?? '(computed)';
  if (kinds.includes(type) && source) yield { target, isLater: type === 'ImportExpression' };
  for (const part of Object.values(node)) yield* importsIn(part);
}

const imports = new Map(built.map((file) => [file, [...importsIn(parseAst(textOf(file)).body)]]));

/** The files that an entry loads, with the targets of their imports; also those that it loads later. */
function loadedBy(entry: string, later: boolean, loaded = new Map<string, readonly string[]>()) {
  if (loaded.has(entry)) return loaded;
  const all = imports.get(entry) ?? [];
  const targets = all.filter(({ isLater }) => later || !isLater).map(({ target }) => target);
  loaded.set(entry, targets);
  for (const target of targets) if (target.startsWith('./')) loadedBy(target.slice(2), later, loaded);
  return loaded;
}

const filesWith = (pattern: RegExp): string[] => built.filter((file) => pattern.test(textOf(file)));

test.each([
  // A font that only the PDF library names, and the name of the barcode library.
  ['the libraries of labels', /Times-BoldItalic|bwipp/, ['cli.js', 'start.js', 'index.js', 'node.js', 'vitest.js']],
  ['the server', /authentication\.token/, ['cli.js', 'healthcheck.js', 'msw.js']],
  ['the control API', /The control API has no /, ['start.js']],
  ['the OpenAPI documents', /x-assumptions/, ['start.js']],
  ['OpenTelemetry', /OTEL_BSP_SCHEDULE_DELAY/, ['cli.js', 'start.js', 'index.js', 'node.js', 'vitest.js']],
])('%s load later than %s', (_, pattern, entries) => {
  const holders = filesWith(pattern);
  expect(holders).not.toEqual([]);
  const early = entries.filter((entry) => holders.some((file) => loadedBy(entry, false).has(file)));
  expect(early).toEqual([]);
});

test.each([
  ['the API reference', /"swagger-ui-bundle\.js":/, []],
  ['zod-openapi', /node_modules\/zod-openapi\//, ['control-document.js', 'service-document.js']],
])('%s is in one file, which every entry can load later', (_, pattern, loaders) => {
  const [holder = '', ...others] = filesWith(pattern);
  expect(others).toEqual([]);
  const atOnce = built.filter((file) => loadedBy(file, false).has(holder));
  expect(atOnce.sort()).toEqual([holder, ...loaders].sort());
  for (const entry of ['cli.js', 'index.js']) expect([...loadedBy(entry, true).keys()]).toContain(holder);
});

test('the licenses of the API reference are included', () => {
  const folder = join(root, 'node_modules/swagger-ui-dist');
  for (const file of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])
    expect(textOf('licenses.txt'), file).toContain(readFileSync(join(folder, file), 'utf8').trim());
});

test.each([
  ['index.js', /^\.\//],
  ['node.js', /^(?:\.\/|node:)/],
  ['msw.js', /^(?:\.\/|msw$)/],
  ['vitest.js', /^(?:\.\/|node:|vitest$)/],
  ['vitest-server.js', /^(?:\.\/|node:|vitest$)/],
])('%s imports nothing but %s', (entry, allowed) => {
  const loaded = loadedBy(entry, true);
  expect(loaded.size).toBeGreaterThan(1);
  expect([...loaded.values()].flat().filter((target) => !allowed.test(target))).toEqual([]);
});

// A bundler may remove code that only seems to have no effect.
test('the built command responds like the source to random requests', async () => {
  const source = await wire();
  const { ready } = await serving(['--clock', noon, '--random-seed', 'test']);
  const tokens = [source.authorization.slice('Authorization: Bearer '.length), await logIn(ready)];
  const lines = [new Connection(source.port), new Connection(Number(new URL(ready.url).port))];
  onTestFinished(async () => {
    for (const line of lines) line.close();
    await source.close();
  });
  const seen = new Set<string | undefined>();
  const outcome = ({ status, headers, text }: HttpAnswer) => ({
    ...{ status, rule: headers['sandbox-rule'], error: status < 400 ? undefined : text },
  });
  const property = fc.asyncProperty(referenceRequest, async (request) => {
    const sent = lines.map((line, at) => line.send(bytesOf(request, tokens[at] ?? ''), request.method === 'HEAD'));
    const [ofSource, ofBuilt] = (await Promise.all(sent)).map(outcome);
    seen.add(ofBuilt?.rule);
    expect(ofBuilt).toEqual(ofSource);
  });
  await fc.assert(property, { numRuns: 600 });
  const rules = ['malformed_path', 'malformed_path_id', 'malformed_body', 'HTTP-1'];
  expect([...seen]).toEqual(expect.arrayContaining(rules));
});
