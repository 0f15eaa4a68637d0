// A PDF as a reader finds it: pages, texts and filled rectangles, in points from the upper left corner; and the barcode in it.
import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  NotFoundException,
  RGBLuminanceSource,
} from '@zxing/library';
import PDFParser, { type Output } from 'pdf2json';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PdfText {
  readonly text: string;
  readonly x: number;
  /** The base line, where the text begins. */
  readonly y: number;
  readonly width: number;
  readonly degrees: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PdfText[];
  readonly fills: readonly Rectangle[];
}

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
      parser.parseBuffer(Buffer.from(Uint8Array.from(bytes).buffer), 0);
    });
  } finally {
    parser.destroy();
  }
}

/** The pages of a PDF. */
export async function pagesOf(bytes: Uint8Array): Promise<PdfPage[]> {
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

/** The one page of a PDF. */
export async function pageOf(bytes: Uint8Array): Promise<PdfPage> {
  const [page, ...others] = await pagesOf(bytes);
  if (!page || others.length > 0) throw new Error(`the PDF has ${others.length + (page ? 1 : 0)} pages`);
  return page;
}

const pixelsPerPoint = 4;

/** The filled rectangles as a scanner sees them, black on white. */
function picture({ width, height, fills }: PdfPage): RGBLuminanceSource {
  const [columns, rows] = [width * pixelsPerPoint, height * pixelsPerPoint];
  const pixels = new Uint8ClampedArray(columns * rows).fill(255);
  for (const fill of fills) {
    const [left, right] = [fill.x, fill.x + fill.width].map((x) => Math.round(x * pixelsPerPoint));
    const [top = 0, bottom = 0] = [fill.y, fill.y + fill.height].map((y) => Math.round(y * pixelsPerPoint));
    for (let row = top; row < bottom; row += 1)
      pixels.fill(0, row * columns + (left ?? 0), row * columns + (right ?? 0));
  }
  return new RGBLuminanceSource(pixels, columns, rows);
}

/** What a scanner reads from the page: the text of its Code 128 symbol; undefined where it finds none. */
export function scanned(page: PdfPage): string | undefined {
  const hints = new Map<DecodeHintType, unknown>([
    [DecodeHintType.POSSIBLE_FORMATS, [BarcodeFormat.CODE_128]],
    [DecodeHintType.TRY_HARDER, true],
  ]);
  try {
    const bitmap = new BinaryBitmap(new HybridBinarizer(picture(page)));
    return new MultiFormatReader().decode(bitmap, hints).getText();
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}

/** The bars of the page's barcode: many fills of the same height side by side. */
export function barsOf({ fills }: PdfPage): Rectangle[] {
  const isBeside = (one: Rectangle, other: Rectangle): boolean => one.y === other.y && one.height === other.height;
  return fills.filter((fill) => fills.filter((other) => isBeside(fill, other)).length > 10);
}
