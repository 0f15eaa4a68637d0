// Downloads one label per carrier of the fixtures into a folder, with the built package. Prints the file name and tracking number of each.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { createSachet } from '../../dist/index.js';

const [, , folder = '.'] = argv;
const sachet = createSachet({ clock: '2026-11-20T12:00:00Z' });
const client = (await sachet.createSandbox()).client();
const { fulfillments } = await (await client.get('/v2/fulfillments?limit=100')).json();

const byCarrier = new Map(
  fulfillments
    .filter(({ tracking_info }) => tracking_info)
    .map((fulfillment) => [fulfillment.tracking_info.shipping_carrier, fulfillment]),
);
for (const [carrier, { label_url, tracking_info }] of byCarrier) {
  const file = carrier.toLowerCase().replaceAll(' ', '-');
  const label = await sachet.fetch(label_url);
  writeFileSync(join(folder, `${file}.pdf`), new Uint8Array(await label.arrayBuffer()));
  console.log(file, tracking_info.tracking_number);
}
