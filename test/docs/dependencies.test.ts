// docs/reference/dependencies.md has a row for each package that Sachet runs on, and for no other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { factsOf } from '../support/source-facts.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** The packages that the sources import; vitest is the user's own. */
const imported = sorted(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => factsOf({ path: `src/${name}`, text: read(`src/${name}`) }).imports.map(({ what }) => what))
    .filter((target) => !/^(?:\.|node:|vitest)/.test(target))
    .map((target) => /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target),
);

/** The first cells of the page's table. */
const documented = (): string[] =>
  sorted(
    Array.from(read('docs/reference/dependencies.md').matchAll(/^\| `(\S+)` \| \S.*\|$/gm), ([, name = '']) => name),
  );

test('each package has a row', () => {
  expect(imported.length).toBeGreaterThan(5);
  expect(documented()).toEqual(imported);
});

test('licenses.txt names each with its version', () => {
  const { devDependencies, dependencies } = JSON.parse(read('package.json'));
  const licenses = read('dist/licenses.txt');
  for (const name of imported) expect(licenses).toContain(`${name} ${{ ...devDependencies, ...dependencies }[name]} (`);
});
