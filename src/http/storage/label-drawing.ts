// The shipping label as it is drawn: 4 × 6 inches, marked as a sample.
import type { ShippingLabel } from '../../domain/shipping-label.ts';
import { addresses, banner, foot, head, rules, tracking } from './label-rows.ts';
import type { Sheet } from './label-sheet.ts';

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
