// Lists every text that a user can see: string literals, templates and JSX text of `src` with two words or more, and the texts of
// the scenario files. `PRINT_MESSAGES=1 npx vitest run --project fast test/docs/banned-turns.test.ts` prints them with their places.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { root } from '../support/command.ts';

/** A text of a file, by the line where it starts. */
export interface PlacedText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** A node of the syntax tree, with the fields that this file reads. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly operator?: string;
  readonly name?: { readonly name: string };
  readonly left?: Node;
  readonly right?: Node;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

const hole = '…';
/** Attributes of JSX that a browser reads and a person does not. */
const unseen = ['class', 'style', 'd', 'content'];
/** SQL has turns of its own. */
const queries = /\bwith \w+ as \(/;

/** The text of a literal, a template or a sum of them, with `…` for each value; `undefined` for any other node. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof node.value === 'string' ? node.value : undefined;
  if (node.quasis) return node.quasis.map((part) => part.value.cooked).join(hole);
  if (node.operator !== '+' || !node.left || !node.right) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? hole}${right ?? hole}`;
}

/** Whether no text for people can be in a node: imports, types, and attributes for browsers. */
const isMachine = ({ type, name }: Node): boolean =>
  type === 'ImportDeclaration' ||
  (type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression'].includes(type)) ||
  (type === 'JSXAttribute' && unseen.includes(name?.name ?? ''));

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string');

function* textsIn(node: Node): Generator<{ text: string; start: number }> {
  if (isMachine(node)) return;
  const text = textOf(node);
  if (text !== undefined) yield { text, start: node.start };
  // The pieces of a sum are part of its text already.
  for (const child of childrenOf(node)) {
    if (node.type !== 'BinaryExpression' || textOf(child) === undefined) yield* textsIn(child);
  }
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .sort();
const sources = (): string[] => filesOf('src', /\.(?:tsx?|js)$/);

const isSentence = (text: string): boolean => /\p{L}\S*\s+\S*\p{L}/u.test(text) && !queries.test(text);

function messagesOf(file: string): PlacedText[] {
  const source = read(file);
  const tree = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  return [...textsIn(tree)]
    .filter(({ text }) => isSentence(text))
    .map(({ text, start }) => ({
      file,
      line: source.slice(0, start).split('\n').length,
      text: text.replace(/\s+/g, ' ').trim(),
    }));
}

function scenarioTexts(file: string): PlacedText[] {
  const { intent, right_client: correctClient } = JSON.parse(read(file));
  return [intent, correctClient].map((text) => ({ file, line: 1, text }));
}

/** Every text of two words or more that a user of the server, the command, the console or the library can see. */
export const messages = (): PlacedText[] => [
  ...sources().flatMap(messagesOf),
  ...filesOf('scenarios', /\.json$/).flatMap(scenarioTexts),
];

const linesOf = (file: string): PlacedText[] =>
  read(file)
    .split('\n')
    .map((text, index) => ({ file, line: index + 1, text }));

/** Every line of a comment in `src`. */
export const comments = (): PlacedText[] =>
  sources()
    .flatMap(linesOf)
    .flatMap(({ text, ...place }) => {
      const comment = /(?:^|\s)\/\/ (.*)$|^\s*\/?\*+ (.*)$/.exec(text);
      return comment ? [{ ...place, text: comment[1] ?? comment[2] ?? '' }] : [];
    });

/** Every line of the README and the documents. */
export const documents = (): PlacedText[] =>
  ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesOf('docs', /\.md$/)].flatMap(linesOf);
