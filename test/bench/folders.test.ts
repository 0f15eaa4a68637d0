// Temporary folders of the benchmark: nothing stays of them.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

type Use = (folder: string) => unknown;
const { withFolder } = await benchModule<{ withFolder(make: Use, use: Use): Promise<unknown> }>('folders.mjs');

test('a folder is filled, used, and removed', async () => {
  const used = await withFolder(
    (folder) => writeFileSync(join(folder, 'a'), ''),
    (folder) => ({ folder, isFilled: existsSync(join(folder, 'a')) }),
  );
  expect(used).toMatchObject({ isFilled: true });
  expect(existsSync((used as { folder: string }).folder)).toBe(false);
});

test.each(['make', 'use'])('a folder is removed where its %s fails', async (failing) => {
  let made = '';
  const work = (name: string) => (folder: string) => {
    made = folder;
    if (name === failing) throw new Error('failed');
  };
  await expect(withFolder(work('make'), work('use'))).rejects.toThrow('failed');
  expect(existsSync(made)).toBe(false);
});
