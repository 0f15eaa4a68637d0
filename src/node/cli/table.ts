// Tables and colors for people who read a command's output. Colors appear on a terminal only, and not with NO_COLOR.
import { stripVTControlCharacters, styleText } from 'node:util';
import { printable } from '../../client/printable.ts';

/** Styles a text for standard output. Standard error needs its own check: only one of them may be a terminal. */
export const styled = (...[format, text]: Parameters<typeof styleText>): string =>
  styleText(format, text, { stream: process.stdout });

/** A mark for the first column: a green ✓, a red ✗, a yellow ! for a warning, or a dim – for something that was not tried. */
export const marks = {
  pass: (): string => styled('green', '✓'),
  fail: (): string => styled('red', '✗'),
  warn: (): string => styled('yellow', '!'),
  skip: (): string => styled('dim', '–'),
} as const;

/** Characters that take two columns of a terminal: of East Asian scripts, full-width forms and emoji. */
const wide =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
const graphemes = new Intl.Segmenter();

/** Longer than any line of a terminal. The time and memory of the segmenter grow with the square of the length. */
const maxSegmented = 1000;

/** The columns that a text takes on a terminal, without its color codes. */
function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (plain.length > maxSegmented) return plain.length;
  return Array.from(graphemes.segment(plain)).reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
}

/** The lines of a table, with aligned columns and without spaces at the end. Cells may have colors. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  const padded = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}

/** The lines of a table whose rows have further lines below them, indented. */
export function tableWithDetails(
  rows: readonly { readonly cells: readonly string[]; readonly details?: readonly string[] }[],
): string[] {
  const lines = table(rows.map(({ cells }) => cells));
  return rows.flatMap(({ details = [] }, at) => [
    lines[at] ?? '',
    ...details.map((detail) => `    ${printable(detail)}`),
  ]);
}

/** The table as a text, for cells that come from elsewhere: every cell is made printable. */
export const printableTable = (rows: readonly (readonly string[])[]): string =>
  table(rows.map((row) => row.map(printable)))
    .map((line) => `${line}\n`)
    .join('');
