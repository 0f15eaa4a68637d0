// Code blocks that name a file of the repository, such as ```js examples/certify.mjs, are excerpts of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { markdownPages, namedBlocks } from '../support/markdown.ts';

const excerpts = markdownPages().flatMap((page) =>
  namedBlocks(page)
    .filter(({ name }) => name.includes('/'))
    .map(({ name, code }) => [page, name, code] as const),
);

test('there are excerpts', () => expect(excerpts.length).toBeGreaterThan(2));

test.each(excerpts)('%s shows a part of %s', (_, name, code) => {
  // An ellipsis on a line of its own stands for what is left out.
  const text = readFileSync(join(root, name), 'utf8');
  for (const part of code.split(/^ *(?:\/\/|#) …\n/m)) expect(text).toContain(part);
});
