// Draws a label, and reads a PDF: its pages, texts and filled rectangles, in points from the upper left corner, and its barcode.
import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library';
import PDFParser, { type Output } from 'pdf2json';
import type { ShippingLabel } from '../../src/domain/labels.ts';
import { labelPdf } from '../../src/http/storage/label-pdf.ts';

const pointsPerUnit = 16;
/** pdf2json moves texts by this many units, so that they stand as an HTML form would show them. */
const moved = { x: 0.25, y: 0.75 };

async function parsed(bytes: Uint8Array): Promise<Output> {
  const parser = new PDFParser();
  try {
    return await new Promise((resolve, reject) => {
      parser.on('pdfParser_dataReady', resolve);
      parser.on('pdfParser_dataError', (error) => reject(error instanceof Error ? error : error.parserError));
      // It reads the whole memory behind a buffer, which must hold nothing else.
      parser.parseBuffer(Buffer.from(Uint8Array.from(bytes).buffer), -1);
    });
  } finally {
    parser.destroy();
  }
}

/** The pages of a PDF. A text begins at its base line. */
export async function pagesOf(bytes: Uint8Array) {
  const { Pages } = await parsed(bytes);
  return Pages.map(({ Width, Height, Texts, Fills }) => ({
    width: Width * pointsPerUnit,
    height: Height * pointsPerUnit,
    texts: Texts.map(({ x, y, w, R }) => ({
      text: R.map(({ T }) => T)
        .join('')
        .trim(),
      x: (x + moved.x) * pointsPerUnit,
      y: (y + moved.y) * pointsPerUnit,
      width: w,
      degrees: R[0]?.RA ?? 0,
    })),
    fills: Fills.map(({ x, y, w, h }) => ({
      x: x * pointsPerUnit,
      y: y * pointsPerUnit,
      width: w * pointsPerUnit,
      height: h * pointsPerUnit,
    })),
  }));
}

type PdfPage = Awaited<ReturnType<typeof pagesOf>>[number];
type Rectangle = PdfPage['fills'][number];

/** The one page of a PDF. */
export async function pageOf(bytes: Uint8Array): Promise<PdfPage> {
  const [page, ...others] = await pagesOf(bytes);
  if (!page || others.length > 0) throw new Error(`the PDF has ${others.length + (page ? 1 : 0)} pages`);
  return page;
}

export const plain: ShippingLabel = {
  fulfillmentId: '60000000-0000-4000-8000-000000000002',
  carrier: { name: 'USPS', method: 'Ground Advantage', trackingNumber: '9400190317456213828476' },
  from: ['Meridian', 'for Daily Grove', 'Columbus, Ohio 43215'],
  to: ['Ada Lovelace', '1 Main Street', 'Springfield, Illinois 62701', 'United States'],
  orderNumber: 'SO-40257',
  weightGrams: 183,
  contents: ['Bright Vitamin C', 'Omega 3'],
  createdAt: '2026-08-06T14:57:20.636Z',
  updatedAt: '2026-08-10T19:54:36.082Z',
};

export const drawn = async (change: Partial<ShippingLabel> = {}): Promise<PdfPage> =>
  pageOf(await labelPdf({ ...plain, ...change }));
export const textsOf = ({ texts }: PdfPage): string[] => texts.map(({ text }) => text);

/** The bars of the page's barcode: many fills of the same height side by side, from left to right. */
export function barsOf({ fills }: PdfPage): Rectangle[] {
  const isBeside = (one: Rectangle, other: Rectangle): boolean => one.y === other.y && one.height === other.height;
  return fills.filter((fill) => fills.filter((other) => isBeside(fill, other)).length > 10).sort((a, b) => a.x - b.x);
}

const pixelsPerPoint = 8;

/** A part of the page as a scanner sees it: all that is filled, black on white. */
function picture({ fills }: PdfPage, part: Rectangle): RGBLuminanceSource {
  const [columns, rows] = [Math.round(part.width * pixelsPerPoint), Math.round(part.height * pixelsPerPoint)];
  const pixels = new Uint8ClampedArray(columns * rows).fill(255);
  const within = (points: number, most: number) => Math.min(Math.max(Math.round(points * pixelsPerPoint), 0), most);
  for (const { x, y, width, height } of fills) {
    const [left, right] = [within(x - part.x, columns), within(x + width - part.x, columns)];
    const [top, bottom] = [within(y - part.y, rows), within(y + height - part.y, rows)];
    for (let row = top; row < bottom; row += 1) pixels.fill(0, row * columns + left, row * columns + right);
  }
  return new RGBLuminanceSource(pixels, columns, rows);
}

/**
 * Scans the Code 128 symbol; returns undefined if the page has none. Scans only the bars and their quiet zones, because any other line before them
 * confuses this port of ZXing.
 */
export function scanned(page: PdfPage): string | undefined {
  const bars = barsOf(page);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return undefined;
  const quiet = 10 * Math.min(...bars.map(({ width }) => width));
  const part = { ...first, x: first.x - quiet, width: last.x + last.width - first.x + 2 * quiet };
  const hints = new Map<DecodeHintType, unknown>([[DecodeHintType.POSSIBLE_FORMATS, [BarcodeFormat.CODE_128]]]);
  const bitmap = new BinaryBitmap(new HybridBinarizer(picture(page, part)));
  return new MultiFormatReader().decode(bitmap, hints).getText();
}
