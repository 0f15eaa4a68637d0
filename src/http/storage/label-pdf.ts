// The shipping label as a list of drawing steps, and as a PDF. The libraries are loaded with the first label.
import type { PDFFont, PDFPage } from '@cantoo/pdf-lib';
import type { DrawingContext } from 'bwip-js/generic';
import type { ShippingLabel } from '../../domain/labels.ts';
import { type Barcode, type DrawingStep, labelSize, layoutLabel } from './label-layout.ts';

type Library = typeof import('@cantoo/pdf-lib');
type Fonts = Readonly<Record<'regular' | 'bold', PDFFont>>;

/** The steps that draw the label, in order. */
export const labelDrawing = async (label: ShippingLabel): Promise<DrawingStep[]> => (await drawn(label)).steps;

/** The label's PDF. The same label gives the same bytes: its times are the label's. */
export async function labelPdf(label: ShippingLabel): Promise<Uint8Array> {
  const { library, document, fonts, steps } = await drawn(label);
  const page = document.addPage([labelSize.width, labelSize.height]);
  drawOn(page, steps, library, fonts);
  document.setTitle('Sample shipping label');
  document.setProducer('Sachet');
  document.setCreator('Sachet');
  document.setCreationDate(new Date(label.createdAt));
  document.setModificationDate(new Date(label.updatedAt));
  return document.save({ addDefaultPage: false, useObjectStreams: false, objectsPerTick: Number.POSITIVE_INFINITY });
}

async function drawn(label: ShippingLabel) {
  const library = await import('@cantoo/pdf-lib');
  const document = await library.PDFDocument.create({ updateMetadata: false });
  const fonts: Fonts = {
    regular: document.embedStandardFont(library.StandardFonts.Helvetica),
    bold: document.embedStandardFont(library.StandardFonts.HelveticaBold),
  };
  const [regular, bold] = [measureWith(fonts.regular), measureWith(fonts.bold)];
  const symbol = label.carrier ? await code128(label.carrier.trackingNumber) : undefined;
  const steps = layoutLabel(label, (text, isBold) => (isBold ? bold : regular)(text), symbol);
  return { library, document, fonts, steps };
}

/** Measures text by its characters, each looked up once. Kerning is left out, since text is drawn without it. */
function measureWith(font: PDFFont): (text: string) => number {
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const width = widths.get(character) ?? font.widthOfTextAtSize(character, 1);
    widths.set(character, width);
    return width;
  };
  return (text) => Array.from(text, widthOf).reduce((sum, width) => sum + width, 0);
}

/** A PDF measures from the lower left corner. The page has one font at a time, and each change adds an entry to it. */
function drawOn(page: PDFPage, steps: readonly DrawingStep[], library: Library, fonts: Fonts): void {
  for (const isBold of [true, false]) {
    page.setFont(isBold ? fonts.bold : fonts.regular);
    for (const step of steps) {
      if (step.kind !== 'text' || step.bold !== isBold) continue;
      const { text, x, y, size, gray, degrees } = step;
      const [color, rotate] = [library.grayscale(gray), library.degrees(degrees)];
      page.drawText(text, { x, y: labelSize.height - y, size, color, rotate });
    }
  }
  for (const step of steps) {
    if (step.kind !== 'fill') continue;
    const { x, y, width, height } = step;
    // Much faster than drawRectangle.
    const box = library.rectangle(x, labelSize.height - y - height, width, height);
    page.pushOperators(library.setFillingGrayscaleColor(0), box, library.fill());
  }
}

/** More characters do not fit a label, not even as pairs of digits. */
const maxBarcodeCharacters = 112;
/** Pixels per module. The library gives a bar by its middle in whole pixels, which is exact only for even widths. */
const pixels = 2;

/** The barcode of a text; undefined if it has other characters than printable ASCII, or too many. */
async function code128(text: string): Promise<Barcode | undefined> {
  if (!/^[\x20-\x7e]+$/.test(text) || text.length > maxBarcodeCharacters) return undefined;
  const { code128: draw } = await import('bwip-js/generic');
  const bars: [left: number, width: number][] = [];
  const ignore = (): void => undefined;
  const context: DrawingContext<Barcode> = {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: ignore,
    line: (middle, _y, _endX, _endY, width) => bars.push([(middle - width / 2) / pixels, width / pixels]),
    polygon: ignore,
    hexagon: ignore,
    ellipse: ignore,
    fill: ignore,
    text: ignore,
    end: () => ({ bars, modules: Math.max(...bars.map(([left, width]) => left + width)) }),
  };
  return draw({ bcid: 'code128', text, scale: pixels }, context);
}
