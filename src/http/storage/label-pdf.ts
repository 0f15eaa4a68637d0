// A plain shipping label: one page of 4 × 6 inches with the shipment's data as text.
import type { RecordOf } from '../../contract/records.ts';

const [pageWidth, pageHeight] = [288, 432]; // points: 4 × 6 inches
const [marginPoints, lineHeight] = [18, 16];

/** The label's PDF. The same fulfillment gives the same bytes. */
export function labelPdf(fulfillment: RecordOf<'fulfillments'>): Uint8Array {
  const content = textStream(linesOf(fulfillment));
  return document([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

function linesOf({
  tracking_info,
  shipment_order_number,
  weight,
  order_lines,
  id,
}: RecordOf<'fulfillments'>): string[] {
  return [
    'SAMPLE - NOT FOR SHIPPING',
    `${tracking_info?.shipping_carrier ?? 'Carrier not assigned'} ${tracking_info?.shipping_method ?? ''}`,
    `Tracking ${tracking_info?.tracking_number ?? 'not assigned'}`,
    `Order ${shipment_order_number}`,
    `Weight ${weight}`,
    ...order_lines.map(({ name }) => name.slice(0, 44)),
    id,
  ];
}

function textStream(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${printable(line)}) Tj T*`).join('\n');
  return `BT /F1 11 Tf ${lineHeight} TL ${marginPoints} ${pageHeight - 2 * marginPoints} Td\n${shown}\nET`;
}

/** A PDF string in ASCII: other characters stand as question marks, delimiters are escaped. */
const printable = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`);

/** Numbered objects, the table of their offsets, and the trailer. All characters are ASCII, so characters are bytes. */
function document(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}
