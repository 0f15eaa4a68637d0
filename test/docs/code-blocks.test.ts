// Code blocks that name a file of the repository, such as ```js examples/certify.mjs, are excerpts of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { markdownPages, namedBlocks } from '../support/markdown.ts';

test('each such block is a part of its file', () => {
  const blocks = markdownPages().flatMap((page) => namedBlocks(page).map((block) => ({ page, ...block })));
  const excerpts = blocks.filter(({ name }) => name.includes('/'));
  expect(excerpts.length).toBeGreaterThan(2);
  for (const { page, name, code } of excerpts) {
    const text = readFileSync(join(root, name), 'utf8');
    // A line with an ellipsis represents omitted lines.
    for (const part of code.split(/^ *(?:\/\/|#) …\n/m)) expect(text, `${page} ${name}`).toContain(part);
  }
});
