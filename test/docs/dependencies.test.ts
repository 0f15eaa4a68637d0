// docs/reference/dependencies.md has a row for each package that Sachet runs on, and for no other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';

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

test('each package has a row', () => {
  const rows = read('docs/reference/dependencies.md').matchAll(/^\| `(\S+)` \| \S.*\|$/gm);
  expect(imported.length).toBeGreaterThan(5);
  expect(sorted(Array.from(rows, ([, name = '']) => name))).toEqual(imported);
});

test('licenses.txt names each with its version', () => {
  const { devDependencies, dependencies } = JSON.parse(read('package.json'));
  const licenses = read('dist/licenses.txt');
  for (const name of imported) expect(licenses).toContain(`${name} ${{ ...devDependencies, ...dependencies }[name]} (`);
});
