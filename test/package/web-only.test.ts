// The entry `sachet` and all that it loads, at once or later, run wherever Web APIs do: nothing of Node is imported, and no other package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { ended } from './package-folder.ts';

const dist = join(root, 'dist');

const kinds = ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'];

/** The target of a node that imports; undefined for any other. The minifier writes a template where the source had quotes. */
function targetOf(node: object): string | undefined {
  const { type, source } = node as { readonly type?: string; readonly source?: Source | null };
  if (!type || !kinds.includes(type) || !source) return undefined;
  return source.value ?? source.quasis?.map(({ value }) => value.cooked).join('(computed)') ?? '(computed)';
}

interface Source {
  readonly value?: string;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

function* targetsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const target = targetOf(value);
  if (target !== undefined) yield target;
  for (const part of Object.values(value)) yield* targetsIn(part);
}

const read = new Map<string, readonly string[]>();

/** What a file imports, statically and dynamically. */
function importsOf(file: string): readonly string[] {
  const known = read.get(file) ?? [...targetsIn(parseAst(readFileSync(join(dist, file), 'utf8')).body)];
  read.set(file, known);
  return known;
}

/** The files that one loads, by what imports them. */
function loadedBy(entry: string, loaded = new Map<string, readonly string[]>()): Map<string, readonly string[]> {
  if (loaded.has(entry)) return loaded;
  const targets = importsOf(entry);
  loaded.set(entry, targets);
  for (const target of targets) if (target.startsWith('./')) loadedBy(target.slice(2), loaded);
  return loaded;
}

/** What is imported that is no file of the package. */
const foreignOf = (entry: string) => [...loadedBy(entry).values()].flat().filter((target) => !target.startsWith('./'));

test('the library imports files of its own alone', () => {
  const files = [...loadedBy('index.js').keys()];
  // The two libraries of labels, which are loaded with the first label.
  expect(files.length).toBeGreaterThan(4);
  expect(foreignOf('index.js')).toEqual([]);
});

test('the part for Node imports Node’s modules, and no package', () => {
  const foreign = foreignOf('node.js');
  expect(foreign).toContain('node:http');
  expect(foreign.filter((target) => !target.startsWith('node:'))).toEqual([]);
});

test.each(['vitest.js', 'vitest-server.js'])('of other packages %s imports vitest at most', (entry) => {
  expect(foreignOf(entry).filter((target) => !/^(?:node:|vitest$)/.test(target))).toEqual([]);
});

test('the library needs no global of Node: an order, a check of an e-mail, a label', { timeout: 60_000 }, async () => {
  const args = ['--experimental-vm-modules', '--no-warnings', 'test/package/web-globals.mjs', dist];
  expect(await ended(root, process.execPath, args)).toEqual({ code: 0, stdout: '[201,422,"%PDF-"]\n', stderr: '' });
});
