// The layout of a shipping label: 4 × 6 inches, marked as a sample. It returns drawing steps for the PDF (label-pdf.ts)
// and the console's picture.
import type { ShippingLabel } from '../../domain/labels.ts';

/** In points. */
export const labelSize = { width: 288, height: 432 } as const;

/** A step of the drawing, in points from the upper left corner. */
export type DrawingStep = TextStep | ({ readonly kind: 'fill' } & Box);

interface TextStep {
  readonly kind: 'text';
  readonly text: string;
  /** Where the text begins, on its base line. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Font size. The font is Helvetica. */
  readonly size: number;
  readonly bold: boolean;
  /** From 0 for black to 1 for white. */
  readonly gray: number;
  /** Rotation, counterclockwise. */
  readonly degrees: number;
}

/** A Code 128 symbol: left edge and width of each bar, and the width of all, in modules. */
export interface Barcode {
  readonly bars: readonly (readonly [left: number, width: number])[];
  readonly modules: number;
}

/** The width of a text at 1 point. */
export type MeasureText = (text: string, bold: boolean) => number;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
}

interface BlockStyle extends Omit<TextStyle, 'size'> {
  readonly largest: number;
  readonly smallest: number;
  /** Lines that do not fit are counted: `+ 12 more`. Default: false, each line is shortened in its middle. */
  readonly isList?: boolean;
}

const leading = 1.2;
/** Between two font sizes that a block tries, in points. */
const sizeStep = 0.5;
/** Of Helvetica, at 1 point. */
const capHeight = 0.718;

/** @param symbol the tracking number's barcode, if it has one */
export function layoutLabel(label: ShippingLabel, measure: MeasureText, symbol: Barcode | undefined): DrawingStep[] {
  const drawing = new Drawing(measure);
  drawing.watermark();
  drawHead(drawing, label);
  drawBanner(drawing, label);
  drawAddresses(drawing, label);
  drawTracking(drawing, label, symbol);
  drawFoot(drawing, label);
  drawRules(drawing);
  return drawing.steps;
}

class Drawing {
  readonly steps: DrawingStep[] = [];
  readonly #measure: MeasureText;

  constructor(measure: MeasureText) {
    this.#measure = measure;
  }

  /** A line of text on the base line y, within x and x + width; a longer one is cut. */
  text(text: string, { x, y, width }: Omit<Box, 'height'>, { size, bold = false, align = 'left' }: TextStyle): void {
    const visible = this.#cut(writable(text), width / size, bold).replaceAll('\u00a0', ' ');
    if (visible.trim() === '') return;
    const textWidth = this.#measure(visible, bold) * size;
    const indent = { left: 0, center: (width - textWidth) / 2, right: width - textWidth }[align];
    const place = { x: x + indent, y, width: textWidth };
    this.steps.push({ kind: 'text', text: visible, ...place, size, bold, gray: 0, degrees: 0 });
  }

  /**
   * Lines that wrap, from the top of a box or about its middle. They get smaller in steps until all of them fit. If
   * they do not fit at the smallest size either, lines are shortened, or the list is.
   */
  block(lines: readonly string[], box: Box, style: BlockStyle): void {
    const { largest, smallest, bold = false, align = 'left', isList = false } = style;
    const rowsAt = (size: number): number => Math.floor(box.height / (size * leading));
    const texts = lines.slice(0, rowsAt(smallest)).map(writable);
    const wrapAt = (size: number): string[][] => texts.map((text) => this.#wrap(text, box.width / size, bold));
    const textWidth = texts.reduce((sum, text) => sum + this.#measure(text, bold), 0);
    // Wrapping takes time, so far too many texts are not wrapped at each size.
    const fits = (size: number): boolean =>
      lines.length <= texts.length &&
      textWidth * size <= rowsAt(size) * box.width &&
      wrapAt(size).flat().length <= rowsAt(size);
    let size = largest;
    while (size > smallest && !fits(size)) size = Math.max(smallest, size - sizeStep);
    const wrapped = wrapAt(size);
    const shorten = (rows: string[], most: number): string[] => this.#shorten(rows, most, box.width / size, bold);
    const rows = isList
      ? listedRows(wrapped, lines.length, rowsAt(size), shorten)
      : fittingRows(wrapped, rowsAt(size), shorten);
    const rest = align === 'center' ? box.height - rows.length * size * leading : 0;
    for (const [index, row] of rows.entries()) {
      const baseLine = box.y + rest / 2 + size + index * size * leading;
      this.text(row, { x: box.x, y: baseLine, width: box.width }, { size, bold, align });
    }
  }

  /** Pale diagonal text above the barcode: a thermal printer prints gray as dots, and they would be between bars. */
  watermark(): void {
    const [text, size, degrees] = ['SAMPLE', 72, 38];
    const radians = (degrees * Math.PI) / 180;
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
    const width = this.#measure(text, true) * size;
    const [along, below] = [width / 2, (capHeight * size) / 2];
    const x = labelSize.width / 2 - cos * along + sin * below;
    const y = 154 + sin * along + cos * below;
    this.steps.push({ kind: 'text', text, x, y, width, size, bold: true, gray: 0.86, degrees });
  }

  fill({ x, y, width, height }: Box): void {
    this.steps.push({ kind: 'fill', x, y, width, height });
  }

  /** The rows of a text. Breaks at spaces, and inside a word that is longer than a row. */
  #wrap(text: string, room: number, bold: boolean): string[] {
    const rows: string[] = [];
    let row = '';
    let rowWidth = 0;
    for (const character of text) {
      row += character;
      rowWidth += this.#measure(character, bold);
      // A space at the end of a row needs no room.
      if (rowWidth <= room || character === ' ') continue;
      const end = row.lastIndexOf(' ') + 1 || row.length - character.length;
      if (end > 0) rows.push(row.slice(0, end).trimEnd());
      row = row.slice(end);
      rowWidth = this.#measure(row, bold);
    }
    return [...rows, row];
  }

  /** A text of at most `most` rows: its beginning with an ellipsis, and its last row, which has the postal code. */
  #shorten(rows: string[], most: number, room: number, bold: boolean): string[] {
    if (rows.length <= most) return rows;
    const last = most > 1 ? rows.slice(-1) : [];
    const first = rows.slice(0, most - last.length);
    return [...first.slice(0, -1), this.#cut(`${first.at(-1)}…`, room, bold), ...last];
  }

  /** The text if it is narrow enough, else its beginning with an ellipsis. */
  #cut(text: string, room: number, bold: boolean): string {
    if (this.#measure(text, bold) <= room) return text;
    let rest = room - this.#measure('…', bold);
    let beginning = '';
    for (const character of text) {
      rest -= this.#measure(character, bold);
      if (rest < 0) break;
      beginning += character;
    }
    return `${beginning.trimEnd()}…`;
  }
}

type Shorten = (rows: string[], most: number) => string[];

/** The rows of all texts. If they are too many, the texts with the most rows are shortened to the same number of rows. */
function fittingRows(texts: string[][], rows: number, shorten: Shorten): string[] {
  let most = rows;
  while (most > 1 && texts.reduce((sum, text) => sum + Math.min(text.length, most), 0) > rows) most -= 1;
  return texts.flatMap((text) => shorten(text, most));
}

/** The rows of the first texts, and how many more there are. The first text is shortened if it does not fit alone. */
function listedRows(texts: string[][], total: number, rows: number, shorten: Shorten): string[] {
  const listed: string[] = [];
  for (const [index, text] of texts.entries()) {
    const isLast = index === total - 1;
    const room = rows - listed.length - (isLast ? 0 : 1);
    if (index > 0 && text.length > room) return [...listed, `+ ${total - index} more`];
    listed.push(...shorten(text, room));
  }
  return listed;
}

// The rows of the label, from its upper edge down.

const left = 8;
const width = 272;
const right = left + width;
const inset = 7;
const [thick, thin] = [2.5, 0.75];
/** Where each row begins, and where the last one ends. */
const rowTop = { head: 8, banner: 68, from: 94, to: 152, tracking: 254, foot: 358, small: 411, end: 424 };

/** The box of a part of a row, within its inset. */
const inRow = (y: number, end: number, x = left + inset, to = right - inset): Box => ({
  x,
  y: y + 4,
  width: to - x,
  height: end - y - 8,
});

function drawRules(drawing: Drawing): void {
  for (const y of [rowTop.head, rowTop.banner, rowTop.from, rowTop.tracking, rowTop.foot, rowTop.end])
    drawing.fill({ x: left, y: y - thick / 2, width, height: thick });
  for (const x of [left, right])
    drawing.fill({
      x: x - thick / 2,
      y: rowTop.head - thick / 2,
      width: thick,
      height: rowTop.end - rowTop.head + thick,
    });
  for (const y of [rowTop.to, rowTop.small]) drawing.fill({ x: left, y, width, height: thin });
}

/** The service's initial, as on carriers' labels; weight and date; and that no postage is paid. */
function drawHead(drawing: Drawing, { carrier, createdAt, weightGrams }: ShippingLabel): void {
  const square = rowTop.banner - rowTop.head;
  const initial = carrier?.method.trim().slice(0, 1).toUpperCase() ?? '';
  drawing.text(initial, { x: left, y: rowTop.banner - 12, width: square }, { size: 50, bold: true, align: 'center' });
  drawing.fill({ x: left + square, y: rowTop.head, width: thin, height: square });
  const [metric, pounds] = formatWeight(weightGrams);
  const middle = { x: left + square + inset, width: 104 };
  drawing.text('WEIGHT', { ...middle, y: 20 }, { size: 6.5 });
  drawing.text(metric, { ...middle, y: 35 }, { size: 14, bold: true });
  drawing.text(pounds, { ...middle, y: 46 }, { size: 9 });
  drawing.text(`DATE ${createdAt.slice(0, 10)}`, { ...middle, y: 60 }, { size: 8 });
  drawNoPostage(drawing);
}

function drawNoPostage(drawing: Drawing): void {
  const box = { x: right - 90 - inset, y: rowTop.head + inset, width: 90, height: 46 };
  for (const y of [box.y, box.y + box.height]) drawing.fill({ ...box, y, height: thin });
  for (const x of [box.x, box.x + box.width]) drawing.fill({ ...box, x, width: thin });
  const style = { size: 8.5, bold: true, align: 'center' } as const;
  for (const [index, line] of ['NO POSTAGE', 'SANDBOX', 'TEST PARCEL'].entries())
    drawing.text(line, { ...box, y: box.y + 14 + index * 12 }, style);
}

function drawBanner(drawing: Drawing, { carrier }: ShippingLabel): void {
  const words = carrier ? `${carrier.name} ${carrier.method}` : 'Service not chosen';
  const style = { largest: 17, smallest: 6.5, bold: true, align: 'center' } as const;
  drawing.block([words.toUpperCase()], inRow(rowTop.banner, rowTop.from), style);
}

function drawAddresses(drawing: Drawing, { from, to }: ShippingLabel): void {
  const x = left + 52;
  drawing.text('FROM:', { x: left + inset, y: rowTop.from + 13, width: 44 }, { size: 7.5, bold: true });
  drawing.block(from, inRow(rowTop.from + 1, rowTop.to, x), { largest: 9.5, smallest: 6 });
  drawing.text('SHIP', { x: left + inset, y: rowTop.to + 18, width: 44 }, { size: 10, bold: true });
  drawing.text('TO:', { x: left + inset, y: rowTop.to + 29, width: 44 }, { size: 10, bold: true });
  drawing.block(to, inRow(rowTop.to + 4, rowTop.tracking, x), { largest: 14, smallest: 7, bold: true });
}

function drawTracking(drawing: Drawing, { carrier }: ShippingLabel, symbol: Barcode | undefined): void {
  const row = inRow(rowTop.tracking, rowTop.foot);
  if (!carrier) {
    drawing.text('Carrier not assigned', { ...row, y: row.y + 48 }, { size: 20, bold: true, align: 'center' });
    drawing.text('No tracking number yet.', { ...row, y: row.y + 66 }, { size: 9, align: 'center' });
    return;
  }
  const { name, trackingNumber } = carrier;
  const title = `${name} TRACKING NUMBER`.toUpperCase();
  drawing.block([title], { ...row, height: 13 }, { largest: 9, smallest: 5, bold: true, align: 'center' });
  const module = symbol && moduleWidth(symbol, width - thick - printerDot);
  if (symbol && module) {
    drawBarcode(drawing, symbol, module, trackingNumber);
  } else {
    const below = { ...row, y: row.y + 16, height: row.height - 16 };
    drawing.block([trackingNumber], below, { largest: 13, smallest: 7, bold: true });
  }
}

function drawBarcode(drawing: Drawing, { bars, modules }: Barcode, module: number, trackingNumber: string): void {
  const x = Math.round((left + (width - modules * module) / 2) / printerDot) * printerDot;
  for (const [left, width] of bars)
    drawing.fill({ x: x + left * module, y: rowTop.tracking + 19, width: width * module, height: 60 });
  const box = { ...inRow(rowTop.tracking, rowTop.foot), y: rowTop.tracking + 83, height: 17 };
  const style = { largest: 13, smallest: 5, bold: true, align: 'center' } as const;
  drawing.block([formatTrackingNumber(trackingNumber)], box, style);
}

/** Clear modules that a scanner needs on either side. */
const quietModules = 10;
/** One dot of a thermal printer (203 dpi), in points: bars of whole dots come out as wide as they should. */
const printerDot = 72 / 203;
const maxDots = 4;
const minModule = 0.4;

/** The width of a module in points: whole printer dots if two fit; undefined if no scanner could read it. */
function moduleWidth({ modules }: Barcode, room: number): number | undefined {
  const fitting = room / (modules + 2 * quietModules);
  const dots = Math.min(Math.floor(fitting / printerDot), maxDots);
  if (dots >= 2) return dots * printerDot;
  return fitting >= minModule ? fitting : undefined;
}

function drawFoot(drawing: Drawing, { orderNumber, contents, fulfillmentId }: ShippingLabel): void {
  const parting = left + 96;
  drawing.fill({ x: parting, y: rowTop.foot, width: thin, height: rowTop.small - rowTop.foot });
  drawing.text('ORDER', { x: left + inset, y: rowTop.foot + 12, width: 80 }, { size: 6.5 });
  const order = { x: left + inset, y: rowTop.foot + 15, width: parting - left - 2 * inset, height: 24 };
  drawing.block([orderNumber], order, { largest: 15, smallest: 7, bold: true });
  drawing.text('CONTENTS', { x: parting + inset, y: rowTop.foot + 12, width: 80 }, { size: 6.5 });
  const list = { x: parting + inset, y: rowTop.foot + 15, width: right - parting - 2 * inset, height: 37 };
  drawing.block(contents, list, { largest: 8.5, smallest: 6, isList: true });
  const small = { x: left + inset, y: rowTop.end - 4, width: 120 };
  drawing.text('Sandbox label - not for shipping', small, { size: 6.5 });
  drawing.text(fulfillmentId, { ...small, x: right - inset - 134, width: 134 }, { size: 6.5, align: 'right' });
}

const gramsPerOunce = 28.349523125;

/** A weight as the scale shows it and as the carriers bill it. */
function formatWeight(grams: number): readonly [metric: string, pounds: string] {
  const tenths = Math.round((grams / gramsPerOunce) * 10);
  const pounds = Math.floor(tenths / 160);
  const ounces = `${(tenths - pounds * 160) / 10} oz`;
  return [`${Math.round(grams * 10) / 10} g`, pounds > 0 ? `${pounds} lb ${ounces}` : ounces];
}

/** Groups of digits as the carriers write them. */
const trackingGroups: readonly RegExp[] = [
  /^(1Z)(\w{3})(\w{3})(\w{2})(\w{4})(\w{4})$/,
  /^([A-Z]{2})(\d{3})(\d{3})(\d{3})([A-Z]{2})$/,
  /^(\d{2})(\d{4})(\d{4})$/,
];

/** A tracking number in groups, as people read it out. */
function formatTrackingNumber(trackingNumber: string): string {
  for (const form of trackingGroups) {
    const [, ...groups] = form.exec(trackingNumber) ?? [];
    if (groups.length > 0) return groups.join(' ');
  }
  return (trackingNumber.match(/.{1,4}/gsu) ?? []).join(' ');
}

// Text as the standard fonts of a PDF can write it (WinAnsi).

const isWritable = (text: string): boolean => /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/.test(text);

/** Latin letters that Unicode does not decompose into a plain letter and an accent. */
const letters: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  Ł: 'L',
  Đ: 'D',
  Ħ: 'H',
  Ŧ: 'T',
};

/** No box has room for more. */
const maxCharacters = 2000;

/** The text in characters of WinAnsi. Accents that it lacks are dropped; other characters become question marks. */
function writable(text: string): string {
  const plain = text
    .slice(0, maxCharacters)
    .normalize('NFC')
    .replaceAll(/[^\S\u00a0]/g, ' ')
    .replaceAll(/\p{Cf}/gu, '');
  return Array.from(plain, writableCharacter).join('').slice(0, maxCharacters);
}

function writableCharacter(character: string): string {
  if (isWritable(character)) return character;
  const plain = (letters[character] ?? character).normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return isWritable(plain) ? plain : '?';
}
