// What a source file imports, calls and says, read from its syntax tree, so that comments and layout do not matter.
import { parseAst } from 'rolldown/parseAst';

export interface Source {
  /** From the repository's root, such as `src/http/app.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Something that stands on a line. */
interface Mention {
  readonly what: string;
  readonly line: number;
}

export interface SourceFacts extends Source {
  readonly lines: number;
  /** Targets of static, type-only and dynamic imports and of re-exports; `(computed)` where it is no plain text. */
  readonly imports: readonly Mention[];
  /** Identifiers, and members as they are written: `process`, `Date.now`. */
  readonly names: readonly Mention[];
  /** Calls of a name, with what is in the parentheses: `new Date()`, `Date()`. */
  readonly emptyCalls: readonly Mention[];
  /** String literals and the fixed parts of templates. */
  readonly strings: readonly Mention[];
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const part of value) yield* nodesOf(part);
  if (!isNode(value)) return;
  yield value;
  for (const part of Object.values(value)) if (typeof part === 'object') yield* nodesOf(part);
}

const textOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** The target of a node that imports; undefined for any other. */
function targetOf(node: Node): string | undefined {
  if (!('source' in node) && node.type !== 'TSExternalModuleReference') return undefined;
  const target = node.type === 'TSExternalModuleReference' ? node.expression : node.source;
  return target ? (textOf(target) ?? '(computed)') : undefined;
}

const fixedText = (node: Node): string | undefined =>
  node.type === 'TemplateElement' ? (node.value as { readonly raw: string }).raw : textOf(node);

const nameTypes: readonly string[] = ['Identifier', 'MemberExpression', 'JSXIdentifier'];
const callTypes: readonly string[] = ['NewExpression', 'CallExpression'];

/** @throws for a text that is no TypeScript. */
export function factsOf({ path, text }: Source): SourceFacts {
  const nodes = [...nodesOf(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path))];
  const lineOf = ({ start }: Node): number => text.slice(0, start).split('\n').length;
  const mentions = (read: (node: Node) => string | undefined): Mention[] =>
    nodes.flatMap((node) => {
      const what = read(node);
      return what === undefined ? [] : [{ what, line: lineOf(node) }];
    });
  const written = ({ start, end }: Node): string => text.slice(start, end).replaceAll(/\s|\?(?=\.)/g, '');
  const hasNoArguments = (node: Node): boolean => Array.isArray(node.arguments) && node.arguments.length === 0;
  return {
    path,
    text,
    lines: text.replace(/\n$/, '').split('\n').length,
    imports: mentions(targetOf),
    names: mentions((node) => (nameTypes.includes(node.type) ? written(node) : undefined)),
    emptyCalls: mentions((node) =>
      callTypes.includes(node.type) && hasNoArguments(node) ? written(node.callee as Node) : undefined,
    ),
    strings: mentions(fixedText),
  };
}
