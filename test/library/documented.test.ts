// Every export of the library's entries has a JSDoc comment with an example.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';

interface Exported {
  readonly name: string;
  readonly file: string;
}

const kinds = '(?:const|function|async function|class|interface|type)';

/** The re-exports of a file by name, and its own declarations. */
function exportsOf(file: string): Exported[] {
  const text = readFileSync(join(root, file), 'utf8');
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
  const text = readFileSync(join(root, file), 'utf8');
  return new RegExp(`\\/\\*\\*((?:(?!\\*\\/)[\\s\\S])*)\\*\\/\\n${declaration}`).exec(text)?.[1];
}

test.each([
  ['src/index.ts', 20],
  ['src/node/index.ts', 4],
  ['src/vitest/index.ts', 2],
  ['src/vitest/server.ts', 2],
])('all exports of %s have a comment with an example', (entry, atLeast) => {
  const exported = exportsOf(entry);
  expect(exported.length).toBeGreaterThanOrEqual(atLeast);
  expect(exported.filter((one) => !/@example\s+\*?\s*\S/.test(docOf(one) ?? '')).map(({ name }) => name)).toEqual([]);
});
