// Every export of the library's entries says what it is, with an example, where it is declared.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/command.ts';

interface Exported {
  readonly name: string;
  /** From the repository's root. */
  readonly file: string;
}

/** What a file exports: its re-exports by name, and its own declarations. */
function exportsOf(file: string): Exported[] {
  const text = readFileSync(join(root, file), 'utf8');
  const again = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name) => ({ name, file: join(dirname(file), from) })),
  );
  const own = [...text.matchAll(/^export (?:const|function|async function|class|interface|type) (\w+)/gm)];
  const unnamed = text.includes('\nexport default ') ? [{ name: 'default', file }] : [];
  return [...again, ...own.map(([, name = '']) => ({ name, file })), ...unnamed];
}

/** The JSDoc comment right before the declaration of a name; undefined where there is none. */
function docOf({ name, file }: Exported): string | undefined {
  const text = readFileSync(join(root, file), 'utf8');
  const kinds = '(?:declare )?(?:const|function|async function|class|interface|type)';
  const declaration = name === 'default' ? 'export default ' : `export ${kinds} ${name}\\b`;
  return new RegExp(`\\/\\*\\*((?:(?!\\*\\/)[\\s\\S])*)\\*\\/\\n${declaration}`).exec(text)?.[1];
}

describe.each([
  ['src/index.ts', 20],
  ['src/node/index.ts', 4],
  ['src/vitest/index.ts', 2],
  ['src/vitest/server.ts', 2],
])('%s', (entry, atLeast) => {
  const exported = exportsOf(entry);

  test('has its exports', () => {
    expect(exported.length).toBeGreaterThanOrEqual(atLeast);
  });

  test.each(exported.map((one) => [one.name, one] as const))('%s is documented, with an example', (_, one) => {
    const doc = docOf(one);
    expect(doc, `${one.name} has no JSDoc in ${one.file}`).toBeDefined();
    expect(doc, `the JSDoc of ${one.name} in ${one.file}`).toMatch(/@example\s+\*?\s*\S/);
  });
});

test('a declaration without a comment of its own has none, whatever stands above', () => {
  expect(docOf({ name: 'rebased', file: 'src/client/sandbox.ts' })).toContain('fetch with paths');
  expect(docOf({ name: 'madeSandbox', file: 'src/client/sandbox.ts' })).toBeUndefined();
});
