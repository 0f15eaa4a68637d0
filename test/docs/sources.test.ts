// What the documentation repeats from the repository, the packages that Sachet runs on, and the comments of the library's exports.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { markdownPages, namedBlocks } from '../support/markdown.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** The packages that the sources import; vitest and msw are the user's own, sachet is in samples. */
const imported = sorted(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const code = read(`src/${name}`).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      return Array.from(code.matchAll(/\b(?:from |import |import\()'([^']+)'/g), ([, target = '']) => target);
    })
    .filter((target) => !/^(?:\.|node:|vitest|msw|sachet)/.test(target))
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

interface Exported {
  readonly name: string;
  readonly file: string;
}

const kinds = '(?:const|function|async function|class|interface|type)';

/** The re-exports of a file by name, and its own declarations. */
function exportsOf(file: string): Exported[] {
  const text = read(file);
  const again = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => ({ name: name.trim().replace(/^type /, ''), file: join(dirname(file), from) }))
        .filter(({ name }) => name !== ''),
  );
  const own = [...text.matchAll(new RegExp(`^export ${kinds} (\\w+)`, 'gm'))].map(([, name = '']) => ({ name, file }));
  return [...again, ...own, ...(text.includes('\nexport default ') ? [{ name: 'default', file }] : [])];
}

/** The JSDoc comment directly before a declaration. */
function docOf({ name, file }: Exported): string | undefined {
  const declaration = name === 'default' ? 'export default ' : `export (?:declare )?${kinds} ${name}\\b`;
  const text = read(file);
  return new RegExp(`\\/\\*\\*((?:(?!\\*\\/)[\\s\\S])*)\\*\\/\\n${declaration}`).exec(text)?.[1];
}

test.each([
  ['src/index.ts', 20],
  ['src/node/index.ts', 4],
  ['src/vitest/index.ts', 2],
  ['src/vitest/server.ts', 2],
  ['src/msw/index.ts', 1],
])('all exports of %s have a comment with an example', (entry, atLeast) => {
  const exported = exportsOf(entry);
  expect(exported.length).toBeGreaterThanOrEqual(atLeast);
  expect(exported.filter((one) => !/@example\s+\*?\s*\S/.test(docOf(one) ?? '')).map(({ name }) => name)).toEqual([]);
});
