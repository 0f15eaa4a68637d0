// What the documentation repeats from the repository: the packages that Sachet runs on, and excerpts of files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { markdownPages, namedBlocks } from '../support/markdown.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** The packages that the sources import; vitest is the user's own, sachet is in samples. */
const imported = sorted(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const code = read(`src/${name}`).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      return Array.from(code.matchAll(/\b(?:from |import |import\()'([^']+)'/g), ([, target = '']) => target);
    })
    .filter((target) => !/^(?:\.|node:|vitest|sachet)/.test(target))
    .map((target) => /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target),
);

test('docs/reference/dependencies.md has a row for each package that Sachet runs on, and for no other', () => {
  const rows = read('docs/reference/dependencies.md').matchAll(/^\| `(\S+)` \| \S.*\|$/gm);
  expect(imported.length).toBeGreaterThan(5);
  expect(sorted(Array.from(rows, ([, name = '']) => name))).toEqual(imported);
});

test('licenses.txt names each of these packages with its version', () => {
  const { devDependencies, dependencies } = JSON.parse(read('package.json'));
  const licenses = read('dist/licenses.txt');
  for (const name of imported) expect(licenses).toContain(`${name} ${{ ...devDependencies, ...dependencies }[name]} (`);
});

test('each code block that names a file of the repository, such as examples/certify.mjs, is an excerpt of it', () => {
  const blocks = markdownPages().flatMap((page) => namedBlocks(page).map((block) => ({ page, ...block })));
  const excerpts = blocks.filter(({ name }) => name.includes('/'));
  expect(excerpts.length).toBeGreaterThan(2);
  for (const { page, name, code } of excerpts) {
    const text = read(name);
    // A line with an ellipsis represents omitted lines.
    for (const part of code.split(/^ *(?:\/\/|#) …\n/m)) expect(text, `${page} ${name}`).toContain(part);
  }
});
