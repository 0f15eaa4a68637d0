// The shipping label as an image within a page: what the PDF shows, by the same drawing and the same measures.
import { html } from 'hono/html';
import type { ShippingLabel } from '../../domain/labels.ts';
import type { Markup } from '../html-page.ts';
import type { Barcode } from './label-barcode.ts';
import { drawLabel, labelSize } from './label-drawing.ts';
import { Paper } from './label-pdf.ts';
import { aboutMiddle, type Box, black, lineIn, pale, type Sheet, short, type TextStyle } from './label-sheet.ts';
import { writable } from './label-text.ts';

type Measure = Sheet['widthOf'];

/** Faces of the same widths as Helvetica, wherever they are; the width of each line is told besides. */
const faces = 'Helvetica, Arial, "Liberation Sans", Arimo, sans-serif';
const grayOf = (gray: number): string =>
  `#${Math.round(gray * 255)
    .toString(16)
    .padStart(2, '0')
    .repeat(3)}`;
const ink = grayOf(black);

let measured: Promise<Measure> | undefined;
/** By the fonts of the PDF, read once. */
function measure(): Promise<Measure> {
  measured ??= Paper.open(labelSize.width, labelSize.height).then(
    (paper) => (text, bold) => paper.widthOf(text, bold),
    (error) => {
      measured = undefined;
      throw error;
    },
  );
  return measured;
}

/** The label's image. Every text of it is escaped. */
export async function labelSvg(label: ShippingLabel): Promise<Markup> {
  const sheet = new SvgSheet(await measure());
  await drawLabel(sheet, label);
  const { width, height } = labelSize;
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="label" viewBox="0 0 ${width} ${height}" role="img" aria-label="${inWords(label)}" font-family="${faces}" fill="${ink}"><rect width="${width}" height="${height}" fill="#fff"/>${sheet.parts}</svg>`;
}

/** What whoever does not see the image has to know of it. */
function inWords({ carrier, to, from, orderNumber, contents }: ShippingLabel): string {
  const by = carrier ? `${carrier.name} ${carrier.method}, ${carrier.trackingNumber}` : 'carrier not assigned';
  const lines = [`Shipping label: ${by}`, `to ${to.join(', ')}`, `from ${from.join(' ')}`, `order ${orderNumber}`];
  return writable([...lines, `contents: ${contents.join(', ')}`].join('; '));
}

class SvgSheet implements Sheet {
  readonly parts: Markup[] = [];
  readonly widthOf: Measure;

  constructor(widthOf: Measure) {
    this.widthOf = widthOf;
  }

  text(text: string, box: Omit<Box, 'height'>, style: TextStyle): void {
    const { shown, x } = lineIn(this.widthOf, text, box, style);
    const { size, bold = false } = style;
    if (shown.trim() === '') return;
    const width = short(this.widthOf(shown, bold) * size);
    const weight = bold ? 'bold' : 'normal';
    this.parts.push(
      html`<text x="${short(x)}" y="${short(box.y)}" font-size="${size}" font-weight="${weight}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${shown}</text>`,
    );
  }

  watermark(text: string, middle: { readonly x: number; readonly y: number }, size: number, degrees: number): void {
    const { cos, sin, along, below } = aboutMiddle(this.widthOf, text, size, degrees);
    const [x, y] = [short(middle.x - cos * along + sin * below), short(middle.y + sin * along + cos * below)];
    this.parts.push(
      html`<text x="${x}" y="${y}" font-size="${size}" font-weight="bold" fill="${grayOf(pale)}" textLength="${short(2 * along)}" lengthAdjust="spacingAndGlyphs" transform="rotate(${-degrees} ${x} ${y})">${text}</text>`,
    );
  }

  fill({ x, y, width, height }: Box): void {
    this.parts.push(html`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"/>`);
  }

  bars({ bars }: Barcode, { x, y, height }: Omit<Box, 'width'>, module: number): void {
    const outline = bars.map(([left, width]) => `M${left} 0h${width}v${height}h${-width}z`).join('');
    this.parts.push(
      html`<path transform="translate(${short(x)} ${short(y)}) scale(${module} 1)" shape-rendering="crispEdges" d="${outline}"/>`,
    );
  }
}
