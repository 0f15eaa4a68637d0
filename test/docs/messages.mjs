// Lists every text that a user can see: string literals, templates and JSX text of `src` with two words or more, and the texts of
// the scenario files. Run `node test/docs/messages.mjs` to print them with their places.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hole = '…';
/** Attributes of JSX that a browser reads and a person does not. */
const unseen = new Set(['class', 'style', 'd', 'hx-on', 'content']);

/** The text of a literal, a template or a sum of them, with `…` for each value; `undefined` for any other node. */
const textOf = (node) => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked).join(hole);
  if (node.type === 'JSXText') return node.value;
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? hole}${right ?? hole}`;
};

const isSentence = (text) =>
  /\p{L}\S*\s+\S*\p{L}/u.test(text) && !/^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER)\s/.test(text);

/** Whether no text for people can be in a node: imports, types, and attributes for browsers. */
const isMachine = ({ type, name }) =>
  type === 'ImportDeclaration' ||
  (type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression'].includes(type)) ||
  (type === 'JSXAttribute' && unseen.has(name.name));

const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string');

function* textsIn(node) {
  if (isMachine(node)) return;
  const text = textOf(node);
  if (text !== undefined) yield { text, start: node.start };
  // The pieces of a sum are part of its text already.
  for (const child of childrenOf(node)) {
    if (node.type !== 'BinaryExpression' || textOf(child) === undefined) yield* textsIn(child);
  }
}

const filesOf = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();

/** @returns {{ file: string, line: number, text: string }[]} every text of two words or more, by file and line */
export const messages = () => [
  ...filesOf('src', /\.tsx?$/).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return [...textsIn(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))]
      .map(({ text, start }) => ({
        file,
        line: source.slice(0, start).split('\n').length,
        text: text.replace(/\s+/g, ' ').trim(),
      }))
      .filter(({ text }) => isSentence(text));
  }),
  ...filesOf('scenarios', /\.json$/).flatMap((file) => {
    const { intent, right_client } = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return [intent, right_client].map((text) => ({ file, line: 1, text }));
  }),
];

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, line, text } of messages()) console.log(`${file}:${line}: ${text}`);
}
