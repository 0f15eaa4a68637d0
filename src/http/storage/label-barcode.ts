// A Code 128 symbol as bars in modules, and how wide a module may be in the room there is.
import type { DrawingContext } from 'bwip-js/generic';

export interface Barcode {
  /** Left edge and width of each bar, in modules. */
  readonly bars: readonly (readonly [left: number, width: number])[];
  readonly modules: number;
}

/** Clear modules that a scanner needs on either side. */
const quietModules = 10;
/** One dot of a thermal printer (203 dpi), in points: bars of whole dots come out as wide as they should. */
export const printerDot = 72 / 203;
const maxDots = 4;
const minModule = 0.4;
/** More characters do not fit a label, not even as pairs of digits. */
const maxCharacters = 112;

/** The symbol; undefined for what is no printable ASCII, and for what no label has room for. */
export async function code128(text: string): Promise<Barcode | undefined> {
  if (!/^[\x20-\x7e]+$/.test(text) || text.length > maxCharacters) return undefined;
  const library = await import('bwip-js/generic');
  return library.code128({ bcid: 'code128', text, scale: pixels }, barReader());
}

/** The width of a module in points: whole printer dots where two fit; undefined where no scanner would read it. */
export function moduleWidth({ modules }: Barcode, room: number): number | undefined {
  const fits = room / (modules + 2 * quietModules);
  const dots = Math.min(Math.floor(fits / printerDot), maxDots);
  if (dots >= 2) return dots * printerDot;
  return fits >= minModule ? fits : undefined;
}

/** Pixels per module. The library gives a bar by its middle in whole pixels, which is exact only for even widths. */
const pixels = 2;

const ignored = (): void => undefined;

/** What the library draws on: it keeps the bars. */
function barReader(): DrawingContext<Barcode> {
  const bars: [left: number, width: number][] = [];
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: ignored,
    line: (middle, _y, _endX, _endY, width) => bars.push([(middle - width / 2) / pixels, width / pixels]),
    polygon: ignored,
    hexagon: ignored,
    ellipse: ignored,
    fill: ignored,
    text: ignored,
    end: () => ({ bars, modules: bars.reduce((end, [left, width]) => Math.max(end, left + width), 0) }),
  };
}
