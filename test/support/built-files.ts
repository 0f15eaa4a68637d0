// What the built files import, by their syntax: at once, or later.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { root } from './command.ts';

export const dist = join(root, 'dist');

export const textOf = (file: string): string => readFileSync(join(dist, file), 'utf8');

interface Import {
  readonly target: string;
  /** By `import()`: when it is come to. */
  readonly isLater: boolean;
}

interface Source {
  readonly value?: string;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

const kinds = ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'];

/** What a node of the syntax imports; undefined for any other. The minifier writes a template where the source had quotes. */
function importOf(node: object): Import | undefined {
  const { type, source } = node as { readonly type?: string; readonly source?: Source | null };
  if (!type || !kinds.includes(type) || !source) return undefined;
  const target = source.value ?? source.quasis?.map(({ value }) => value.cooked).join('(computed)') ?? '(computed)';
  return { target, isLater: type === 'ImportExpression' };
}

function* importsIn(value: unknown): Generator<Import> {
  if (typeof value !== 'object' || value === null) return;
  const found = importOf(value);
  if (found) yield found;
  for (const part of Object.values(value)) yield* importsIn(part);
}

const read = new Map<string, readonly Import[]>();

function importsOf(file: string): readonly Import[] {
  const known = read.get(file) ?? [...importsIn(parseAst(textOf(file)).body)];
  read.set(file, known);
  return known;
}

/** The files that one loads, with what each imports; `later` with those that it loads when it comes to them. */
export function loadedBy(entry: string, later: boolean, loaded = new Map<string, readonly string[]>()) {
  if (loaded.has(entry)) return loaded;
  const targets = importsOf(entry)
    .filter(({ isLater }) => later || !isLater)
    .map(({ target }) => target);
  loaded.set(entry, targets);
  for (const target of targets) if (target.startsWith('./')) loadedBy(target.slice(2), later, loaded);
  return loaded;
}
