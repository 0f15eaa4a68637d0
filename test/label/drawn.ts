// A plain label, drawn and read back.
import type { ShippingLabel } from '../../src/domain/labels.ts';
import { labelPdf } from '../../src/http/storage/label-pdf.ts';
import { type PdfPage, pageOf } from './pdf.ts';

const usps = { name: 'USPS', method: 'Ground Advantage', trackingNumber: '9400190317456213828476' };

export const plain: ShippingLabel = {
  fulfillmentId: '60000000-0000-4000-8000-000000000002',
  carrier: usps,
  from: ['Meridian', 'for Daily Grove', 'Columbus, Ohio 43215'],
  to: ['Ada Lovelace', '1 Main Street', 'Springfield, Illinois 62701', 'United States'],
  orderNumber: 'SO-40257',
  weightGrams: 183,
  contents: ['Bright Vitamin C', 'Omega 3'],
  createdAt: '2026-08-06T14:57:20.636Z',
  updatedAt: '2026-08-10T19:54:36.082Z',
};

export const drawn = async (change: Partial<ShippingLabel> = {}): Promise<PdfPage> =>
  pageOf(await labelPdf({ ...plain, ...change }));
export const withNumber = (trackingNumber: string) => drawn({ carrier: { ...usps, trackingNumber } });
export const textsOf = ({ texts }: PdfPage): string[] => texts.map(({ text }) => text);
/** All texts without blanks: a tracking number is shown in groups. */
export const run = (page: PdfPage): string => textsOf(page).join('').replaceAll(' ', '');
