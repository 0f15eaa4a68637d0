// A consumer of the package who writes TypeScript, strictly and with every declaration checked.
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { rightUse, tsconfig, vitestUse, wrongUse, wrongUses } from './consumer-sources.ts';
import { asDeveloped, ended, type Outcome, useInstalled, writeFiles } from './package-folder.ts';

const consumer = useInstalled([asDeveloped('vitest'), asDeveloped('@types/node')], {
  'tsconfig.json': tsconfig,
  'src/right.ts': rightUse,
  'src/vitest.ts': vitestUse,
  'src/wrong.ts': wrongUse(Object.values(wrongUses)),
});

const compile = (...args: readonly string[]): Promise<Outcome> =>
  ended(consumer(), process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args]);

let complaints: readonly string[] = [];
beforeAll(async () => {
  complaints = (await compile()).stdout.split('\n').filter((line) => line !== '');
}, 60_000);

/** An expected error that is none. */
const isAccepted = (complaint: string) => /^src\/wrong\.ts\(.*TS2578/.test(complaint);

test('the compiler complains of nothing that is right, in all four entries', () => {
  expect(complaints.filter((complaint) => !isAccepted(complaint))).toEqual([]);
});

test('what it made does what it says', async () => {
  const { code, stdout, stderr } = await ended(consumer(), process.execPath, ['out/right.js']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    order: 201,
    now: '2026-01-01T00:15:00.000Z',
    bent: [429, '60'],
    satisfied: true,
    withoutPags: 422,
    refused: 404,
    there: 3,
    isShipped: true,
  });
});

test('in a browser’s project, without the types of Node', async () => {
  const text = `import { createSachet } from 'sachet';\nexport const url: string = createSachet().baseUrl;\n`;
  writeFiles(consumer(), { 'web/index.ts': text });
  const options =
    '--module esnext --moduleResolution bundler --target es2022 --lib es2022,dom --types --strict --noEmit';
  const args = options.split(' ').flatMap((word) => (word === '--types' ? ['--types', ''] : [word]));
  expect(await compile(...args, '--ignoreConfig', 'web/index.ts')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.each(Object.entries(wrongUses))('the compiler refuses %s', (_, use) => {
  // The line above it is the one that expects an error.
  const line = wrongUse(Object.values(wrongUses)).split('\n').indexOf(use);
  expect(complaints.filter((complaint) => complaint.startsWith(`src/wrong.ts(${line},`))).toEqual([]);
});
