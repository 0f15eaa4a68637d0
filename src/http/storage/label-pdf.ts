// The shipping label as a PDF: one page of 4 × 6 inches, marked as a sample.
import type { ShippingLabel } from '../../domain/shipping-label.ts';
import { Paper } from './label-paper.ts';
import { addresses, banner, foot, head, rules, tracking } from './label-rows.ts';

const [pageWidth, pageHeight] = [288, 432];
/** Above the barcode: a thermal printer makes dots of gray, which would stand between the bars. */
const watermarkMiddle = { x: pageWidth / 2, y: 154 };

/** The label's PDF. The same label gives the same bytes. */
export async function labelPdf(label: ShippingLabel): Promise<Uint8Array> {
  const paper = await Paper.open(pageWidth, pageHeight);
  paper.watermark('SAMPLE', watermarkMiddle, 72, 38);
  head(paper, label);
  banner(paper, label);
  addresses(paper, label);
  await tracking(paper, label);
  foot(paper, label);
  rules(paper);
  return paper.bytes(new Date(label.createdAt), new Date(label.updatedAt));
}
