// The package as npm packs and installs it: its files, its types, and its command.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem, type ResolutionKind } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { describe, expect, test } from 'vitest';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import { call, logIn, readyOf, root, run } from '../support/command.ts';
import { ended, tarballIn, useInstalled } from './package-folder.ts';

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
    const unwanted = texts.filter(
      ([, text]) => text.includes(root) || /^\/\/# sourceMappingURL=|\/node_modules\//m.test(text),
    );
    expect(unwanted.map(([name]) => name)).toEqual([]);
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
