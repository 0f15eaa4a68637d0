// The shipping label as it is drawn: 4 × 6 inches, marked as a sample.
import type { ShippingLabel } from '../../domain/labels.ts';
import { type Barcode, code128, moduleWidth, printerDot } from './label-barcode.ts';
import type { Box, Sheet, TextStyle } from './label-sheet.ts';
import { writable } from './label-text.ts';

/** In points. */
export const labelSize = { width: 288, height: 432 } as const;
/** Above the barcode: a thermal printer makes dots of gray, which would stand between the bars. */
const watermarkMiddle = { x: labelSize.width / 2, y: 154 };

/** Draws a label on a sheet of its size. */
export async function drawLabel(sheet: Sheet, label: ShippingLabel): Promise<void> {
  sheet.watermark('SAMPLE', watermarkMiddle, 72, 38);
  head(sheet, label);
  banner(sheet, label);
  addresses(sheet, label);
  await tracking(sheet, label);
  foot(sheet, label);
  rules(sheet);
}

// The rows of a shipping label, from its upper edge down: boxes within a frame, parted by rules.

const left = 8;
const width = 272;
const right = left + width;
const inset = 7;
const [thick, thin] = [2.5, 0.75];
/** Where each row begins, and where the last one ends. */
const top = { head: 8, banner: 68, from: 94, to: 152, tracking: 254, foot: 358, small: 411, end: 424 };

/** The box of a part of a row, within its inset. */
const inRow = (y: number, end: number, x = left + inset, to = right - inset): Box => ({
  x,
  y: y + 4,
  width: to - x,
  height: end - y - 8,
});

function rules(sheet: Sheet): void {
  for (const y of [top.head, top.banner, top.from, top.tracking, top.foot, top.end])
    sheet.fill({ x: left, y: y - thick / 2, width, height: thick });
  for (const x of [left, right])
    sheet.fill({ x: x - thick / 2, y: top.head - thick / 2, width: thick, height: top.end - top.head + thick });
  for (const y of [top.to, top.small]) sheet.fill({ x: left, y, width, height: thin });
}

/** The service's initial, as carriers' sorters look for it; what is shipped; and that no postage is paid. */
function head(sheet: Sheet, { carrier, createdAt, weightGrams }: ShippingLabel): void {
  const square = top.banner - top.head;
  const initial = carrier?.method.trim().slice(0, 1).toUpperCase() ?? '';
  sheet.text(initial, { x: left, y: top.banner - 12, width: square }, { size: 50, bold: true, align: 'center' });
  sheet.fill({ x: left + square, y: top.head, width: thin, height: square });
  const [metric, pounds] = weightWords(weightGrams);
  const middle = { x: left + square + inset, width: 104 };
  sheet.text('WEIGHT', { ...middle, y: 20 }, { size: 6.5 });
  sheet.text(metric, { ...middle, y: 35 }, { size: 14, bold: true });
  sheet.text(pounds, { ...middle, y: 46 }, { size: 9 });
  sheet.text(`DATE ${dayOf(createdAt)}`, { ...middle, y: 60 }, { size: 8 });
  noPostage(sheet);
}

function noPostage(sheet: Sheet): void {
  const box = { x: right - 90 - inset, y: top.head + inset, width: 90, height: 46 };
  for (const y of [box.y, box.y + box.height]) sheet.fill({ ...box, y, height: thin });
  for (const x of [box.x, box.x + box.width]) sheet.fill({ ...box, x, width: thin });
  const style = { size: 8.5, bold: true, align: 'center' } as const;
  for (const [index, line] of ['NO POSTAGE', 'SANDBOX', 'TEST PARCEL'].entries())
    sheet.text(line, { ...box, y: box.y + 14 + index * 12 }, style);
}

function banner(sheet: Sheet, { carrier }: ShippingLabel): void {
  const words = carrier ? `${carrier.name} ${carrier.method}` : 'Service not chosen';
  const style = { largest: 17, smallest: 6.5, bold: true, align: 'center' } as const;
  block(sheet, [words.toUpperCase()], inRow(top.banner, top.from), style);
}

function addresses(sheet: Sheet, { from, to }: ShippingLabel): void {
  const x = left + 52;
  sheet.text('FROM:', { x: left + inset, y: top.from + 13, width: 44 }, { size: 7.5, bold: true });
  block(sheet, from, inRow(top.from + 1, top.to, x), { largest: 9.5, smallest: 6 });
  sheet.text('SHIP', { x: left + inset, y: top.to + 18, width: 44 }, { size: 10, bold: true });
  sheet.text('TO:', { x: left + inset, y: top.to + 29, width: 44 }, { size: 10, bold: true });
  block(sheet, to, inRow(top.to + 4, top.tracking, x), { largest: 14, smallest: 7, bold: true });
}

async function tracking(sheet: Sheet, { carrier }: ShippingLabel): Promise<void> {
  const row = inRow(top.tracking, top.foot);
  if (!carrier) return notAssigned(sheet, row);
  const title = { ...row, y: row.y + 10 };
  sheet.text(`${carrier.name} TRACKING NUMBER`.toUpperCase(), title, { size: 9, bold: true, align: 'center' });
  const below = { ...row, y: row.y + 16, height: row.height - 16 };
  const symbol = await code128(carrier.trackingNumber);
  const module = symbol && moduleWidth(symbol, width - thick - printerDot);
  if (symbol && module) scannable(sheet, symbol, module, carrier.trackingNumber);
  else block(sheet, carrier.trackingNumber.match(/.{1,40}/gsu) ?? [], below, { largest: 13, smallest: 7, bold: true });
}

function notAssigned(sheet: Sheet, row: Box): void {
  sheet.text('Carrier not assigned', { ...row, y: row.y + 48 }, { size: 20, bold: true, align: 'center' });
  sheet.text('There is no tracking number yet.', { ...row, y: row.y + 66 }, { size: 9, align: 'center' });
}

const barHeight = 60;

function scannable(sheet: Sheet, symbol: Barcode, module: number, trackingNumber: string): void {
  const x = Math.round((left + (width - symbol.modules * module) / 2) / printerDot) * printerDot;
  sheet.bars(symbol, { x, y: top.tracking + 19, height: barHeight }, module);
  const box = { ...inRow(top.tracking, top.foot), y: top.tracking + 83, height: 17 };
  block(sheet, [trackingWords(trackingNumber)], box, { largest: 13, smallest: 5, bold: true, align: 'center' });
}

function foot(sheet: Sheet, { orderNumber, contents, fulfillmentId }: ShippingLabel): void {
  const parting = left + 96;
  sheet.fill({ x: parting, y: top.foot, width: thin, height: top.small - top.foot });
  sheet.text('ORDER', { x: left + inset, y: top.foot + 12, width: 80 }, { size: 6.5 });
  const order = { x: left + inset, y: top.foot + 15, width: parting - left - 2 * inset, height: 24 };
  block(sheet, [orderNumber], order, { largest: 15, smallest: 7, bold: true });
  sheet.text('CONTENTS', { x: parting + inset, y: top.foot + 12, width: 80 }, { size: 6.5 });
  const list = { x: parting + inset, y: top.foot + 15, width: right - parting - 2 * inset, height: 37 };
  block(sheet, contents, list, { largest: 8.5, smallest: 6 });
  const small = { x: left + inset, y: top.end - 4, width: 120 };
  sheet.text('Sandbox label - not for shipping', small, { size: 6.5 });
  sheet.text(fulfillmentId, { ...small, x: right - inset - 134, width: 134 }, { size: 6.5, align: 'right' });
}

// Lines of text in a box: as large as they all fit, and counted where they do not.

interface BlockStyle {
  readonly largest: number;
  readonly smallest: number;
  readonly bold?: boolean;
  readonly align?: TextStyle['align'];
}

const leading = 1.2;

/** Lines from the top of a box, or about its middle; those that there is no room for are counted in its last row. */
function block(sheet: Sheet, lines: readonly string[], box: Box, style: BlockStyle): void {
  const { smallest, bold = false, align = 'left' } = style;
  const rows = Math.floor(box.height / (smallest * leading));
  const shown = lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `+ ${lines.length - rows + 1} more`];
  const size = sizeFor(sheet, shown, box, style);
  const rest = align === 'center' ? box.height - shown.length * size * leading : 0;
  for (const [index, line] of shown.entries()) {
    const baseLine = box.y + rest / 2 + size + index * size * leading;
    sheet.text(line, { x: box.x, y: baseLine, width: box.width }, { size, bold, align });
  }
}

function sizeFor(sheet: Sheet, lines: readonly string[], box: Box, { largest, smallest, bold }: BlockStyle): number {
  const widest = Math.max(...lines.map((line) => sheet.widthOf(writable(line), bold)), Number.EPSILON);
  const fitting = Math.min(largest, box.width / widest, box.height / (lines.length * leading));
  return Math.max(smallest, Math.floor(fitting * 4) / 4);
}

// A label's figures in words: weight, day, and a tracking number in the groups its carrier writes it in.

const gramsPerOunce = 28.349523125;

/** A weight as the scale shows it and as the carriers bill it. */
function weightWords(grams: number): readonly [metric: string, pounds: string] {
  const tenths = Math.round((grams / gramsPerOunce) * 10);
  const pounds = Math.floor(tenths / 160);
  const ounces = `${(tenths - pounds * 160) / 10} oz`;
  return [`${Math.round(grams * 10) / 10} g`, pounds > 0 ? `${pounds} lb ${ounces}` : ounces];
}

/** The day of an ISO 8601 time. */
const dayOf = (time: string): string => time.slice(0, 10);

const grouped: readonly RegExp[] = [
  /^(1Z)(\w{3})(\w{3})(\w{2})(\w{4})(\w{4})$/,
  /^([A-Z]{2})(\d{3})(\d{3})(\d{3})([A-Z]{2})$/,
  /^(\d{2})(\d{4})(\d{4})$/,
];

/** A tracking number as people read it out. */
function trackingWords(trackingNumber: string): string {
  for (const form of grouped) {
    const [, ...groups] = form.exec(trackingNumber) ?? [];
    if (groups.length > 0) return groups.join(' ');
  }
  return (trackingNumber.match(/.{1,4}/gsu) ?? []).join(' ');
}
