// What a label is drawn on, whatever becomes of it, and where its texts stand there. Measured in points from the upper left corner.
import type { Barcode } from './label-barcode.ts';
import { cut, writable } from './label-text.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a text begins, or what it stands about. */
interface Point {
  readonly x: number;
  readonly y: number;
}

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
}

/** A page to draw a label on. */
export interface Sheet {
  /** The width of text of 1 point. */
  widthOf(text: string, bold?: boolean): number;
  /** A line on the base line y within x and x + width, cut where it is longer. */
  text(text: string, box: Omit<Box, 'height'>, style: TextStyle): void;
  /** Pale text about a middle, rising to the right. */
  watermark(text: string, middle: Point, size: number, degrees: number): void;
  fill(box: Box): void;
  /** Bars that are whole multiples of a module, however odd the module is. */
  bars(barcode: Barcode, box: Omit<Box, 'width'>, module: number): void;
}

/** Gray, from 0 for black to 1 for white. */
export const black = 0;
export const pale = 0.86;
/** Of Helvetica, at 1 point. */
const capHeight = 0.718;

/** Finer than any printer. */
export const short = (number: number): number => Math.round(number * 1000) / 1000;

type Measure = Sheet['widthOf'];

/** What is shown of a line, and where it begins. */
export function lineIn(widthOf: Measure, text: string, { x, width }: Omit<Box, 'y' | 'height'>, style: TextStyle) {
  const { size, bold = false, align = 'left' } = style;
  const shown = cut(writable(text), width / size, (part) => widthOf(part, bold));
  const rest = width - widthOf(shown, bold) * size;
  return { shown, x: x + { left: 0, center: rest / 2, right: rest }[align] };
}

/** Where bold text about a middle begins, so far to the right of it and above it, and its direction. */
export function aboutMiddle(widthOf: Measure, text: string, size: number, degrees: number) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [along, below] = [(widthOf(text, true) * size) / 2, (capHeight * size) / 2];
  return { cos, sin, along, below };
}
