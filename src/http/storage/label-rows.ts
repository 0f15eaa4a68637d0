// The rows of a shipping label, from its upper edge down: boxes within a frame, parted by rules.
import type { ShippingLabel } from '../../domain/shipping-label.ts';
import { type Barcode, code128, moduleWidth, printerDot } from './label-barcode.ts';
import { block } from './label-block.ts';
import type { Box, Sheet } from './label-sheet.ts';
import { dayOf, trackingWords, weightWords } from './label-words.ts';

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

export function rules(sheet: Sheet): void {
  for (const y of [top.head, top.banner, top.from, top.tracking, top.foot, top.end])
    sheet.fill({ x: left, y: y - thick / 2, width, height: thick });
  for (const x of [left, right])
    sheet.fill({ x: x - thick / 2, y: top.head - thick / 2, width: thick, height: top.end - top.head + thick });
  for (const y of [top.to, top.small]) sheet.fill({ x: left, y, width, height: thin });
}

/** The service's initial, as carriers' sorters look for it; what is shipped; and that no postage is paid. */
export function head(sheet: Sheet, { carrier, createdAt, weightGrams }: ShippingLabel): void {
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

export function banner(sheet: Sheet, { carrier }: ShippingLabel): void {
  const words = carrier ? `${carrier.name} ${carrier.method}` : 'Service not chosen';
  const style = { largest: 17, smallest: 6.5, bold: true, align: 'center' } as const;
  block(sheet, [words.toUpperCase()], inRow(top.banner, top.from), style);
}

export function addresses(sheet: Sheet, { from, to }: ShippingLabel): void {
  const x = left + 52;
  sheet.text('FROM:', { x: left + inset, y: top.from + 13, width: 44 }, { size: 7.5, bold: true });
  block(sheet, from, inRow(top.from + 1, top.to, x), { largest: 9.5, smallest: 6 });
  sheet.text('SHIP', { x: left + inset, y: top.to + 18, width: 44 }, { size: 10, bold: true });
  sheet.text('TO:', { x: left + inset, y: top.to + 29, width: 44 }, { size: 10, bold: true });
  block(sheet, to, inRow(top.to + 4, top.tracking, x), { largest: 14, smallest: 7, bold: true });
}

export async function tracking(sheet: Sheet, { carrier }: ShippingLabel): Promise<void> {
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

export function foot(sheet: Sheet, { orderNumber, contents, fulfillmentId }: ShippingLabel): void {
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
