// Lines of text in a box: as large as they all fit, and counted where they do not.
import type { Box, Sheet, TextStyle } from './label-sheet.ts';
import { writable } from './label-text.ts';

export interface BlockStyle {
  readonly largest: number;
  readonly smallest: number;
  readonly bold?: boolean;
  readonly align?: TextStyle['align'];
}

const leading = 1.2;

/** Lines from the top of a box, or about its middle; those that there is no room for are counted in its last row. */
export function block(sheet: Sheet, lines: readonly string[], box: Box, style: BlockStyle): void {
  const { smallest, bold = false, align = 'left' } = style;
  const rows = Math.floor(box.height / (smallest * leading));
  const shown = lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `+ ${lines.length - rows + 1} more`];
  const size = sizeFor(sheet, shown, box, style);
  const rest = align === 'center' ? box.height - shown.length * size * leading : 0;
  for (const [index, line] of shown.entries()) {
    const baseLine = box.y + rest / 2 + size + index * size * leading;
    sheet.text(line, { x: box.x, y: baseLine, width: box.width }, { size, bold, align });
  }
}

function sizeFor(sheet: Sheet, lines: readonly string[], box: Box, { largest, smallest, bold }: BlockStyle): number {
  const widest = Math.max(...lines.map((line) => sheet.widthOf(writable(line), bold)), Number.EPSILON);
  const fitting = Math.min(largest, box.width / widest, box.height / (lines.length * leading));
  return Math.max(smallest, Math.floor(fitting * 4) / 4);
}
