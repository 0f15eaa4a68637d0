// A page of a PDF to draw on, measured in points from its upper left corner.
import type { PDFDocument, PDFFont, PDFName, PDFPage } from '@cantoo/pdf-lib';
import type { Barcode } from './label-barcode.ts';
import { cut, ruler, writable } from './label-text.ts';

type Library = typeof import('@cantoo/pdf-lib');

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
}

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

const black = 0;
const pale = 0.86;
/** Of Helvetica, at 1 point. */
const capHeight = 0.718;

const short = (number: number): number => Math.round(number * 1000) / 1000;

export class Paper {
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

  /** The width of text of 1 point. */
  widthOf(text: string, bold = false): number {
    return this.#faces[bold ? 'bold' : 'regular'].widthOf(text);
  }

  /** A line on the base line y within x and x + width, cut where it is longer. */
  text(text: string, { x, y, width }: Omit<Box, 'height'>, style: TextStyle): void {
    const { size, bold = false, align = 'left' } = style;
    const shown = cut(writable(text), width / size, (part) => this.widthOf(part, bold));
    const rest = width - this.widthOf(shown, bold) * size;
    const left = x + { left: 0, center: rest / 2, right: rest }[align];
    this.#show(shown, { size, bold, gray: black }, { x: left, y: this.#up(y), cos: 1, sin: 0 });
  }

  /** Pale text about a middle, rising to the right. */
  watermark(text: string, middle: { readonly x: number; readonly y: number }, size: number, degrees: number): void {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [along, below] = [(this.widthOf(text, true) * size) / 2, (capHeight * size) / 2];
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

  /** Bars that are whole multiples of a module, however odd the module is: the page is scaled for them. */
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
