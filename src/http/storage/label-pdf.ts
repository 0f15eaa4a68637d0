// The shipping label as a PDF: one page.
import type { ShippingLabel } from '../../domain/shipping-label.ts';
import { drawLabel, labelSize } from './label-drawing.ts';
import { Paper } from './label-paper.ts';

/** The label's PDF. The same label gives the same bytes. */
export async function labelPdf(label: ShippingLabel): Promise<Uint8Array> {
  const paper = await Paper.open(labelSize.width, labelSize.height);
  await drawLabel(paper, label);
  return paper.bytes(new Date(label.createdAt), new Date(label.updatedAt));
}
