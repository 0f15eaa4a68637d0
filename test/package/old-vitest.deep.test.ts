// The package in a project whose Vitest is too old for `sachet/vitest`.
import { expect, test } from 'vitest';
import { ended, useInstalled } from './package-folder.ts';

const old = '2.1.9';
// The install itself is a test: npm refuses versions that a peer dependency excludes.
const consumer = useInstalled([`vitest@${old}`], {
  'library.test.js': `import { createSachet } from 'sachet';
import { expect, test } from 'vitest';
test('the library', async () => expect((await createSachet().fetch('/health')).status).toBe(200));
`,
  'fixture.test.js': `import { test } from 'sachet/vitest';\ntest('the fixture', () => undefined);\n`,
});

const vitest = (file: string) => ended(consumer(), process.execPath, ['node_modules/vitest/vitest.mjs', 'run', file]);

test('the library works', async () => {
  expect(await vitest('library')).toMatchObject({ code: 0 });
});

test('sachet/vitest says which Vitest it needs, and which it found', async () => {
  const { code, stderr } = await vitest('fixture');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      `sachet/vitest needs Vitest 3.2 or newer, but this project has Vitest ${old}. Update it`,
    ),
  });
});
