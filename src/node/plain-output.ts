// What another program has printed, to be shown among one's own lines.
import { visible } from './visible.ts';

/** Colours, as most programs print them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const colours = /\u001b\[[\d;]*m/g;

/** Its lines without colours; nothing in them moves the cursor. */
export const plainOutput = (text: string): string =>
  text
    .replace(colours, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
