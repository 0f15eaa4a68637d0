// WireMock answers two stubs with fixed bodies; the order's is found by paths in its JSON body. Its request journal is on, as large as Sachet's.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalSize } from '../service/journal.mjs';
import { Unavailable } from './install.mjs';

const json = { 'Content-Type': 'application/json' };
const orderPaths = [
  '$.consumer.email',
  '$.shipping_address.address1',
  '$.order_lines[0].pouches[0].contents[0].client_product_id',
];

export const wiremock = {
  key: 'wiremock',
  label: 'WireMock',
  packages: ['wiremock'],
  note: `journal of ${journalSize} requests, fixed bodies, orders matched by JSON paths; 25 s of warm-up`,
  warmUpSeconds: 25,
  setUp({ folder, port, content }) {
    if (spawnSync('java', ['-version']).status !== 0) throw new Unavailable('no java');
    writeMappings(join(folder, 'mappings'), content);
    const build = join(folder, 'node_modules/wiremock/build');
    const jar = readdirSync(build).find((name) => name.endsWith('.jar'));
    const flags = ['--port', port, '--root-dir', folder, '--max-request-journal-entries', String(journalSize)];
    return { words: ['java', '-jar', join(build, jar), ...flags, '--disable-gzip', '--disable-banner'] };
  },
};

function writeMappings(folder, { products, orderAnswer }) {
  mkdirSync(folder);
  const write = (name, mapping) => writeFileSync(join(folder, `${name}.json`), JSON.stringify(mapping));
  write('products', {
    request: { method: 'GET', urlPath: '/v2/products' },
    response: { status: 200, headers: json, body: products },
  });
  const bodyPatterns = orderPaths.map((matchesJsonPath) => ({ matchesJsonPath }));
  write('orders', {
    request: { method: 'POST', urlPath: '/v2/orders', bodyPatterns },
    response: { status: 201, headers: json, body: orderAnswer },
  });
}
