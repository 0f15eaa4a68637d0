// Writes a label per form of tracking number into a folder by the built package, and prints `file number` for each.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { labelPdf } from '../../dist/http/storage/label-pdf.js';

const [, , folder = '.'] = argv;

const carriers = {
  usps: ['USPS', 'Ground Advantage', '9400190317456213828476'],
  ups: ['UPS', 'Ground', '1ZA10E830367228528'],
  upu: ['USPS', 'First-Class Package International', 'LZ782293934US'],
  fedex: ['FedEx', 'Home Delivery', '796325727437'],
  dhl: ['DHL', 'Express Worldwide', '4856196516'],
};

for (const [file, [name, method, trackingNumber]] of Object.entries(carriers)) {
  const label = await labelPdf({
    fulfillmentId: '60000000-0000-4000-8000-000000000002',
    carrier: { name, method, trackingNumber },
    from: ['Meridian', 'for Juniper & Sage'],
    to: ['Ada Lovelace', '1 Main Street', 'Springfield, Illinois 62701', 'United States'],
    orderNumber: 'SO-40257',
    weightGrams: 300,
    contents: ['Sunrise Vitamin D3 + Energy B-Complex', 'Calm Magnesium'],
    createdAt: '2026-08-06T14:57:20.636Z',
    updatedAt: '2026-08-10T19:54:36.082Z',
  });
  writeFileSync(join(folder, `${file}.pdf`), label);
  console.log(file, trackingNumber);
}
