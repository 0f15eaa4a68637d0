// The Markdown pages that users read, and their fenced code blocks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.ts';

/** README.md and the pages of the guide and the how-tos, as paths in the repository. */
export const markdownPages = (): string[] => [
  'README.md',
  ...['docs/guide', 'docs/how-to'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

export interface NamedBlock {
  readonly language: string;
  readonly name: string;
  readonly code: string;
}

/** The blocks of a page with a file's name behind the language: ```ts refresh.test.ts. */
export const namedBlocks = (page: string): NamedBlock[] =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm),
    ([, language = '', name = '', code = '']) => ({ language, name, code }),
  );
