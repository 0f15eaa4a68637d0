// Text from elsewhere in a Markdown document: it stands there as it is, in a table, too, and forms nothing.
import { visible } from '../visible.ts';

/** The text with its lines in one line of Markdown. It must not stand at the beginning of one. */
export const plain = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => escaped(visible(line)))
    .join('<br>');

/** Nor does an address in it become a link. */
const escaped = (line: string): string =>
  line
    // An underscore within a word has no meaning.
    .replaceAll(/[\\`*[\]<>|~&$#@]|(?<![a-z\d])_|_(?![a-z\d])/gi, String.raw`\$&`)
    .replaceAll('://', String.raw`:\//`)
    .replaceAll(/\bwww\./gi, (found) => found.replace('.', String.raw`\.`));

/** A table with a head; the cells are Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
