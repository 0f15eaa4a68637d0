// The shipping label as a PDF: one page to draw on.
import type { PDFDocument, PDFFont, PDFName, PDFPage } from '@cantoo/pdf-lib';
import type { ShippingLabel } from '../../domain/labels.ts';
import type { Barcode } from './label-barcode.ts';
import { drawLabel, labelSize } from './label-drawing.ts';
import { aboutMiddle, type Box, black, lineIn, pale, type Sheet, short, type TextStyle } from './label-sheet.ts';
import { ruler } from './label-text.ts';

type Library = typeof import('@cantoo/pdf-lib');

interface Face {
  readonly name: PDFName;
  readonly font: PDFFont;
  readonly widthOf: (text: string) => number;
}

interface Ink {
  readonly size: number;
  readonly bold: boolean;
  readonly gray: number;
}

/** Where a text begins, from the lower left corner, and its direction. */
interface Start {
  readonly x: number;
  readonly y: number;
  readonly cos: number;
  readonly sin: number;
}

export class Paper implements Sheet {
  readonly #library: Library;
  readonly #document: PDFDocument;
  readonly #page: PDFPage;
  readonly #faces: Readonly<Record<'regular' | 'bold', Face>>;

  private constructor(library: Library, document: PDFDocument, [width, height]: readonly [number, number]) {
    const { PDFName, StandardFonts } = library;
    const page = document.addPage([width, height]);
    const face = (tag: string, font: PDFFont): Face => {
      const name = PDFName.of(tag);
      page.node.setFontDictionary(name, font.ref);
      return { name, font, widthOf: ruler((character) => font.widthOfTextAtSize(character, 1)) };
    };
    const regular = face('F1', document.embedStandardFont(StandardFonts.Helvetica));
    const bold = face('F2', document.embedStandardFont(StandardFonts.HelveticaBold));
    this.#faces = { regular, bold };
    this.#library = library;
    this.#document = document;
    this.#page = page;
  }

  static async open(width: number, height: number): Promise<Paper> {
    const library = await import('@cantoo/pdf-lib');
    const document = await library.PDFDocument.create({ updateMetadata: false });
    return new Paper(library, document, [width, height]);
  }

  widthOf(text: string, bold = false): number {
    return this.#faces[bold ? 'bold' : 'regular'].widthOf(text);
  }

  text(text: string, box: Omit<Box, 'height'>, style: TextStyle): void {
    const { size, bold = false } = style;
    const { shown, x } = lineIn((part, isBold) => this.widthOf(part, isBold), text, box, style);
    this.#show(shown, { size, bold, gray: black }, { x, y: this.#up(box.y), cos: 1, sin: 0 });
  }

  watermark(text: string, middle: { readonly x: number; readonly y: number }, size: number, degrees: number): void {
    const start = aboutMiddle((part, isBold) => this.widthOf(part, isBold), text, size, degrees);
    const { cos, sin, along, below } = start;
    const x = middle.x - cos * along + sin * below;
    const y = this.#up(middle.y) - sin * along - cos * below;
    this.#show(text, { size, bold: true, gray: pale }, { x, y, cos, sin });
  }

  fill({ x, y, width, height }: Box): void {
    const { setFillingGrayscaleColor, rectangle, fill } = this.#library;
    const bottom = short(this.#up(y + height));
    this.#page.pushOperators(
      setFillingGrayscaleColor(black),
      rectangle(short(x), bottom, short(width), short(height)),
      fill(),
    );
  }

  /** The page is scaled for them. */
  bars({ bars }: Barcode, { x, y, height }: Omit<Box, 'width'>, module: number): void {
    const library = this.#library;
    this.#page.pushOperators(
      library.pushGraphicsState(),
      library.concatTransformationMatrix(module, 0, 0, 1, x, this.#up(y + height)),
      library.setFillingGrayscaleColor(black),
      ...bars.flatMap(([left, width]) => [library.rectangle(left, 0, width, height), library.fill()]),
      library.popGraphicsState(),
    );
  }

  /** The document; its times are the label's, so that the same label gives the same bytes. */
  async bytes(createdAt: Date, updatedAt: Date): Promise<Uint8Array> {
    const document = this.#document;
    document.setTitle('Sample shipping label');
    document.setProducer('Sachet');
    document.setCreator('Sachet');
    document.setCreationDate(createdAt);
    document.setModificationDate(updatedAt);
    return document.save({ addDefaultPage: false, useObjectStreams: false, objectsPerTick: Number.POSITIVE_INFINITY });
  }

  #up(y: number): number {
    return this.#page.getHeight() - y;
  }

  #show(text: string, { size, bold, gray }: Ink, { x, y, cos, sin }: Start): void {
    const library = this.#library;
    const { name, font } = this.#faces[bold ? 'bold' : 'regular'];
    this.#page.pushOperators(
      library.beginText(),
      library.setFillingGrayscaleColor(gray),
      library.setFontAndSize(name, size),
      library.setTextMatrix(short(cos), short(sin), short(-sin), short(cos), short(x), short(y)),
      library.showText(font.encodeText(text)),
      library.endText(),
    );
  }
}

/** The label's PDF. The same label gives the same bytes. */
export async function labelPdf(label: ShippingLabel): Promise<Uint8Array> {
  const paper = await Paper.open(labelSize.width, labelSize.height);
  await drawLabel(paper, label);
  return paper.bytes(new Date(label.createdAt), new Date(label.updatedAt));
}
