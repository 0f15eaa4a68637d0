// The README's TypeScript, as it stands there, and the client of which it shows the beginning and the end, in the folder of somebody who has just installed the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { asDeveloped, ended, useInstalled, writeFiles } from './package-folder.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);
const exampleClient = readFileSync(join(root, 'examples/certify.mjs'), 'utf8');
const shown = Array.from(readme.matchAll(/```js\n([\s\S]*?)```/g), ([, code = '']) => code);
const saying = (words: string): string => blocks.find((code) => code.includes(words)) ?? '';
const [refresh, config, three, fromATest] = ['expired token', 'defineConfig', 'sachet/node', 'too late'].map(saying);

const tsconfig = `{ "compilerOptions": { "strict": true, "skipLibCheck": true, "target": "es2022", "module": "nodenext",
  "lib": ["es2023"], "types": ["node"], "outDir": "out" } }`;

const consumer = useInstalled([asDeveloped('vitest'), asDeveloped('@types/node')], {
  'refresh.test.ts': refresh ?? '',
  'vitest.config.mts': config ?? '',
  'three.ts': three ?? '',
  'doorstep.test.ts': fromATest ?? '',
  'certify.mjs': exampleClient,
  'hasty.mjs': exampleClient.replace(/const stored = .*;/, 'const stored = undefined;'),
  'tsconfig.json': tsconfig,
});

const node = (file: string, args: readonly string[] = []) => ended(consumer(), process.execPath, [file, ...args]);

test('all of it compiles', async () => {
  expect(blocks).toHaveLength(4);
  expect(await node(join(root, 'node_modules/typescript/bin/tsc'))).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('its tests are green, with the server of the run and without', async () => {
  const vitest = join(consumer(), 'node_modules/vitest/vitest.mjs');
  for (const args of [[], ['--config', 'none.config.js']]) {
    writeFiles(consumer(), { 'none.config.js': 'export default {};\n' });
    const { code, stdout } = await node(vitest, ['run', 'refresh.test.ts', 'doorstep.test.ts', ...args]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests +2 passed/) });
  }
});

test('the three ways print what their comments say', async () => {
  expect(await node('out/three.js')).toEqual({ code: 0, stdout: '500\n200\n', stderr: '' });
});

test('what it shows of a certified client stands in that', () => {
  expect(shown).toHaveLength(2);
  expect(shown.filter((code) => !exampleClient.includes(code))).toEqual([]);
});

test('the client is certified, and without its look at the orders it fails where it says', async () => {
  const certify = async (client: string, ...flags: readonly string[]) => {
    const cli = join(consumer(), 'node_modules/sachet/dist/cli.js');
    const { code, stdout } = await node(cli, ['certify', '--json', ...flags, '--', process.execPath, client]);
    const { certified, scenarios } = JSON.parse(stdout) as Certification;
    return { code, certified, failed: scenarios.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name) };
  };
  // By all of the scenarios it is certified in test/node/certify-by-lines.test.ts.
  const stage = await certify('certify.mjs', '--only', 'lost-answer,paging-under-change,token-expiry');
  expect(stage).toEqual({ code: 0, certified: true, failed: [] });
  const elsewhere = await certify('certify.mjs', '--sandbox', 'production', '--only', 'maintenance,rate-limit-burst');
  expect(elsewhere).toEqual({ code: 0, certified: true, failed: [] });
  const hasty = await certify('hasty.mjs', '--only', 'lost-answer,token-expiry');
  expect(hasty).toEqual({ code: 1, certified: false, failed: ['lost-answer'] });
});

interface Certification {
  readonly certified: boolean;
  readonly scenarios: readonly { readonly name: string; readonly outcome: string }[];
}
