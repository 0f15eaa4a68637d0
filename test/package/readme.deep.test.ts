// The code blocks of README.md and of the guide in a project with the package. A block is tested if its fence names a file:
// ```ts refresh.test.ts. Each page has its own folder.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Certification } from '../../src/node/certify/report.ts';
import { root } from '../support/command.ts';
import { markdownPages, namedBlocks } from '../support/markdown.ts';
import { asDeveloped, ended, useInstalled } from './package-folder.ts';

/** clients.deep.test.ts runs the blocks of these pages, which need other packages. */
const pagesOfClients = ['docs/guide/jest.md', 'docs/how-to/use-msw.md'];
/** The blocks with a file name, by path: `docs/guide/vitest/refresh.test.ts`. */
const files = Object.fromEntries(
  markdownPages().flatMap((page) =>
    (pagesOfClients.includes(page) ? [] : namedBlocks(page))
      .filter(({ language, name }) => ['ts', 'js'].includes(language) && !name.includes('/'))
      .map(({ name, code }) => [join(page.replace(/\.md$/, ''), name), code]),
  ),
);
const names = Object.keys(files);
const isTest = (name: string) => name.endsWith('.test.ts');
const foldersWithServer = names.filter((name) => name.endsWith('vitest.config.mts')).map((name) => dirname(name));
const scripts = names.filter((name) => name.endsWith('.mjs'));

const exampleClient = readFileSync(join(root, 'examples/certify.mjs'), 'utf8');
const tsconfig = `{ "compilerOptions": { "strict": true, "skipLibCheck": true, "target": "es2022", "module": "nodenext",
  "lib": ["es2023"], "types": ["node"], "allowJs": true, "checkJs": true, "noEmit": true },
  "include": ["README", "docs"] }`;

const consumer = useInstalled([asDeveloped('vitest'), asDeveloped('@types/node')], {
  ...files,
  'certify.mjs': exampleClient,
  'hasty.mjs': exampleClient.replace(/const stored = .*;/, 'const stored = undefined;'),
  'no.config.js': 'export default {};\n',
  'tsconfig.json': tsconfig,
});

const node = (file: string, args: readonly string[] = []) => ended(consumer(), process.execPath, [file, ...args]);

test('the README and the Vitest guide have blocks', () => {
  for (const folder of ['README', 'docs/guide/vitest'])
    for (const name of ['refresh.test.ts', 'vitest.config.mts']) expect(names).toContain(join(folder, name));
});

test('all blocks compile', async () => {
  expect(await node(join(root, 'node_modules/typescript/bin/tsc'))).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.each([
  ...foldersWithServer.map((folder) => [`${folder}, with the server of its configuration`, '--root', folder] as const),
  ['all pages, without a configuration', '--config', 'no.config.js'] as const,
])('%s: the tests pass', async (_, flag, value) => {
  const count = names.filter((name) => isTest(name) && (flag === '--config' || dirname(name) === value)).length;
  const { code, stdout } = await node('node_modules/vitest/vitest.mjs', ['run', flag, value]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(`Test Files +${count} passed`)]);
});

test.each(scripts)('%s prints the values of its comments', async (script) => {
  const stdout = (files[script]?.match(/(?<=console\.log\(.*\); \/\/ ).*\n/g) ?? []).join('');
  expect(stdout).not.toBe('');
  expect(await node(script)).toEqual({ code: 0, stdout, stderr: '' });
});

test('the example client is certified; if it does not look for a stored order, it is not', async () => {
  const certify = async (client: string, ...flags: readonly string[]) => {
    const cli = join(consumer(), 'node_modules/sachet/dist/cli.js');
    const { code, stdout } = await node(cli, ['certify', '--json', ...flags, '--', process.execPath, client]);
    const { certified, scenarios } = JSON.parse(stdout) as Certification;
    return { code, certified, failed: scenarios.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name) };
  };
  // test/node/certify.deep.test.ts certifies it by all scenarios.
  const elsewhere = await certify('certify.mjs', '--sandbox', 'production', '--only', 'lost-answer,rate-limit-burst');
  expect(elsewhere).toEqual({ code: 0, certified: true, failed: [] });
  const hasty = await certify('hasty.mjs', '--only', 'lost-answer,token-expiry');
  expect(hasty).toEqual({ code: 1, certified: false, failed: ['lost-answer'] });
});
