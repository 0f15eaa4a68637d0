// The package in a folder that was empty: what it brings with it, and its command.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import { call, logIn, readyOf, root, run } from '../support/command.ts';
import { ended, useInstalled } from './package-folder.ts';

const consumer = useInstalled();

/** Every file of a folder, by its path in there. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

const packageFolder = () => join(consumer(), 'node_modules/sachet');

describe('it holds', () => {
  test('what is needed, and nothing else', () => {
    const wanted =
      /^(?:dist\/[\w-]+\.c?js|dist\/licenses\.txt|dist\/types\/.*\.d\.c?ts|(?:fixtures|scenarios)\/[\w-]+\.json|workflows\/[\w-]+\.arazzo\.yaml|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
    const files = filesIn(packageFolder());
    expect(files.filter((name) => !wanted.test(name))).toEqual([]);
    for (const name of [
      'LICENSE',
      'README.md',
      'dist/cli.js',
      'dist/index.cjs',
      'dist/types/index.d.ts',
      'dist/types/node/index.d.cts',
      'scenarios/no-pag.json',
      'workflows/paging.arazzo.yaml',
    ])
      expect(files).toContain(name);
  });

  test('no path of the machine that built it, and no map of sources that it does not hold', () => {
    const told = filesIn(packageFolder()).filter((name) => {
      const text = readFileSync(join(packageFolder(), name), 'utf8');
      return text.includes(root) || /^\/\/# sourceMappingURL=|\/node_modules\//m.test(text);
    });
    expect(told).toEqual([]);
  });

  test('less than 6.2 MB', () => {
    const bytes = filesIn(packageFolder()).map((name) => statSync(join(packageFolder(), name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_200_000);
  });
});

test('two packages are installed: itself and zod, without scripts and without machine code', () => {
  const lock = JSON.parse(readFileSync(join(consumer(), 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(lock.packages)).toEqual(['node_modules/sachet', 'node_modules/zod']);
  expect(JSON.stringify(lock)).not.toContain('hasInstallScript');
  const native = filesIn(join(consumer(), 'node_modules')).filter((name) => /\.node$|binding\.gyp$/.test(name));
  expect(native).toEqual([]);
});

describe('its command', () => {
  /** The installed command, started in the consumer's folder. */
  const sachet = (...args: readonly string[]) => ended(consumer(), 'node_modules/.bin/sachet', args);

  test('tells its version', async () => {
    expect(await sachet('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('starts a server that takes an order', async () => {
    const start = 'cd "$0" && exec node_modules/.bin/sachet --json --port 0';
    const ready = await readyOf(run('sh', ['-c', start, consumer()]));
    const token = await logIn(ready);
    const { status } = await call('POST', `${ready.url}/v2/orders`, { token, body: sampleOrder() });
    expect(status).toBe(201);
  });

  test('writes files of one’s own, finds them sound, and tells where they are not', async () => {
    expect((await sachet('init', 'own')).code).toBe(0);
    const flags = ['--fixtures', 'own/fixtures', '--scenarios', 'own/scenarios'];
    expect(await sachet('check', ...flags)).toMatchObject({ code: 0, stderr: '' });
    expect((await sachet('check', '--fixtures', 'own/scenarios')).code).not.toBe(0);
  });
});
