// No text that people read has a turn that must be read twice.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { root } from '../support/command.ts';
import { bannedTurns } from './banned-turns.ts';

interface PlacedText {
  readonly place: string;
  readonly text: string;
}

/** A node of the syntax tree, with the fields that are read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly name?: { readonly name: string };
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** Imports, types, and attributes for browsers have no text for people. */
const isMachine = ({ type, name }: Node): boolean =>
  type === 'ImportDeclaration' ||
  (type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression'].includes(type)) ||
  (type === 'JSXAttribute' && ['class', 'style', 'd', 'content'].includes(name?.name ?? ''));

/** The strings, templates and JSX texts in a node; `…` represents the values of a template. */
function textsIn(node: Node): { text: string; start: number }[] {
  if (isMachine(node)) return [];
  const text = node.quasis?.map(({ value }) => value.cooked).join('…') ?? node.value;
  const children = Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string');
  return [...(typeof text === 'string' ? [{ text, start: node.start }] : []), ...children.flatMap(textsIn)];
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/node_modules|\.vitepress/.test(name))
    .map((name) => `${folder}/${name}`);
const sources = filesOf('src', /\.(?:tsx?|js)$/);
const linesOf = (file: string): PlacedText[] =>
  read(file)
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }));

/** Each text of two words or more that users can see; SQL has turns of its own. */
const messages = sources.flatMap((file) => {
  const source = read(file);
  const tree = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  return textsIn(tree)
    .filter(({ text }) => /\p{L}\S*\s+\S*\p{L}/u.test(text) && !/\bwith \w+ as \(/.test(text))
    .map(({ text, start }) => ({
      place: `${file}:${source.slice(0, start).split('\n').length}`,
      text: text.replace(/\s+/g, ' '),
    }));
});
const scenarioTexts = filesOf('scenarios', /\.json$/).flatMap((place) => {
  const { intent, right_client } = JSON.parse(read(place));
  return [intent, right_client].map((text) => ({ place, text }));
});
const comments = sources.flatMap(linesOf).flatMap(({ place, text }) => {
  const comment = /(?:^|\s)\/\/ (.*)$|^\s*\/?\*+ (.*)$/.exec(text);
  return comment ? [{ place, text: comment[1] ?? comment[2] ?? '' }] : [];
});
const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesOf('docs', /\.md$/)].flatMap(linesOf);

test.each([
  ['message', [...messages, ...scenarioTexts]],
  ['comment of the sources', comments],
  ['line of the documents', documents],
])('no %s has a banned turn, except in backticks', (_, texts) => {
  const found = texts.flatMap(({ place, text }) =>
    bannedTurns.flatMap(([turn, write]) => {
      const hit = turn.exec(text.replace(/`[^`]*`/g, '``'));
      return hit ? [`${place}: "${hit[0]}" in "${text}"; write: ${write}`] : [];
    }),
  );
  expect(texts.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
