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
