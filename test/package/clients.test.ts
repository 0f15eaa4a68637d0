// The package in projects with other tools, whose versions are those of test/package/clients: Jest without flags, a DOM, TypeScript that
// compiles to CommonJS, an old TypeScript, and msw.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
import { root } from '../support/command.ts';
import { namedBlocks } from '../support/markdown.ts';
import { jestDomTest, jestTest, typescriptUse, vitestDomTest, vitestOriginTest } from './client-sources.ts';
import { ended, useInstalled } from './package-folder.ts';

const versions = (name: string) => readFileSync(join(root, 'test/package/clients', name), 'utf8');
const blocksOf = (page: string, folder: string) =>
  Object.fromEntries(namedBlocks(page).map(({ name, code }) => [join(folder, name), code]));

const originSetup = blocksOf('docs/guide/vitest.md', '')['origin.setup.ts'] ?? '';
const vitestConfig = (setup: string) =>
  `export default { test: { globalSetup: ['sachet/vitest/server'], setupFiles: ['./${setup}'] } };\n`;

const project = useInstalled([], {
  'package.json': versions('package.json'),
  'package-lock.json': versions('package-lock.json'),
  'jest/all.test.js': jestTest,
  'jest-dom/xhr.test.js': jestDomTest,
  ...blocksOf('docs/guide/jest.md', 'guide'),
  'guide/package.json': '{}',
  'dom/in-process.test.mjs': vitestDomTest,
  'origin/origin.test.mjs': vitestOriginTest,
  'origin/happy-dom.ts': originSetup,
  'origin/jsdom.ts': originSetup.replace('happyDOM.setURL(', 'jsdom.reconfigure({ url: ').replace(/\);$/m, ' });'),
  'origin/happy-dom.config.mjs': vitestConfig('happy-dom.ts'),
  'origin/jsdom.config.mjs': vitestConfig('jsdom.ts'),
  'use.cts': typescriptUse,
  'use.mts': typescriptUse,
});

const node = (file: string, ...args: readonly string[]) => ended(project(), process.execPath, [file, ...args]);

describe('Jest', () => {
  const jest = (...args: readonly string[]) => node('node_modules/jest/bin/jest.js', ...args);
  const passed = (tests: number) => ({
    code: 0,
    stderr: expect.stringMatching(`Tests: +${tests} passed, ${tests} total`),
  });

  test.each(['node', 'jsdom'])('in its environment %s', async (environment) => {
    expect(await jest('--rootDir', 'jest', '--env', environment)).toMatchObject(passed(4));
  });

  test('XMLHttpRequest of jsdom, on a page of the server’s origin', async () => {
    const server = await serve({ adminKey: 'a-key-of-a-test' });
    onTestFinished(() => server.close());
    const page = JSON.stringify({ url: server.baseUrl });
    expect(await jest('--rootDir', 'jest-dom', '--env', 'jsdom', '--testEnvironmentOptions', page)).toMatchObject(
      passed(1),
    );
  });

  test('the tests of its guide, with one server for the run', async () => {
    expect(await jest('--rootDir', 'guide')).toMatchObject(passed(3));
  });
});

describe.each(['jsdom', 'happy-dom'])('Vitest with %s', (environment) => {
  const vitest = (...args: readonly string[]) =>
    node('node_modules/vitest/vitest.mjs', 'run', '--environment', environment, ...args);
  const passed = { code: 0, stdout: expect.stringMatching(/Tests +1 passed/) };

  test('in process', async () => {
    expect(await vitest('--root', 'dom')).toMatchObject(passed);
  });

  test('a server, on a page of its origin', async () => {
    expect(await vitest('--root', 'origin', '--config', `${environment}.config.mjs`)).toMatchObject(passed);
  });
});

describe('TypeScript', () => {
  const compilers = {
    '5.5': 'node_modules/typescript-5.5/bin/tsc',
    new: join(root, 'node_modules/typescript/bin/tsc'),
  };
  const options = '--target es2022 --lib es2022 --types node --strict --ignoreConfig'.split(' ');

  test.each([
    ['5.5', 'node16', 'node16'],
    ['5.5', 'nodenext', 'nodenext'],
    ['new', 'node16', 'node16'],
    ['new', 'nodenext', 'nodenext'],
  ] as const)(
    '%s, with module %s, compiles to ES modules and to CommonJS, which are one library',
    async (version, module, resolution) => {
      const flags = options.filter((flag) => version === 'new' || flag !== '--ignoreConfig');
      const outDir = `out-${version}-${module}`;
      const kind = ['--module', module, '--moduleResolution', resolution, '--outDir', outDir];
      expect(await node(compilers[version], ...flags, ...kind, 'use.mts', 'use.cts')).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
      for (const file of ['use.mjs', 'use.cjs'])
        expect(await node(join(outDir, file))).toEqual({ code: 0, stdout: '[201,404,404,true]\n', stderr: '' });
    },
  );

  test('5.5, with moduleResolution bundler', async () => {
    const flags = options.filter((flag) => flag !== '--ignoreConfig');
    const kind = ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit'];
    expect(await node(compilers['5.5'], ...flags, ...kind, 'use.mts')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
