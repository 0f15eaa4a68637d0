// mountebank: one imposter with two stubs of fixed bodies; the order's looks into the JSON body. It keeps no requests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const headers = { 'Content-Type': 'application/json', Connection: 'keep-alive' };

export const mountebank = {
  key: 'mountebank',
  label: 'mountebank',
  packages: ['mountebank'],
  note: 'fixed bodies, orders matched by a JSON path, keeps no requests, answers keep connections alive',
  setUp({ folder, port, otherPort, content: { products, orderAnswer } }) {
    const inBody = { jsonpath: { selector: '$.consumer.email' }, exists: { body: true } };
    const stubs = [
      stubOf([{ equals: { method: 'GET', path: '/v2/products' } }], 200, products),
      stubOf([{ equals: { method: 'POST', path: '/v2/orders' } }, inBody], 201, orderAnswer),
    ];
    const imposters = [{ port: Number(port), host: '127.0.0.1', protocol: 'http', stubs }];
    writeFileSync(join(folder, 'imposters.json'), JSON.stringify({ imposters }));
    const flags = [
      '--port',
      otherPort,
      '--configfile',
      'imposters.json',
      '--nologfile',
      '--loglevel',
      'error',
      '--pidfile',
      'mb.pid',
    ];
    return { words: [process.execPath, join(folder, 'node_modules/mountebank/bin/mb'), 'start', ...flags] };
  },
};

function stubOf(predicates, statusCode, body) {
  return { predicates, responses: [{ is: { statusCode, headers, body } }] };
}
