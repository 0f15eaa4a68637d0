// json-server: the list as a resource of its own shape, orders as a collection that it adds to and writes to its file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const paths = { products: '/products', orders: '/orders' };
const note = 'adds each order, unchecked, and writes its file';

export const jsonServer = {
  key: 'jsonServer',
  name: 'json-server',
  label: 'json-server',
  packages: ['json-server'],
  note,
  setUp({ folder, port, content }) {
    writeDatabase(folder, content);
    const cli = join(folder, 'node_modules/json-server/lib/cli/bin.js');
    return {
      words: [process.execPath, cli, 'db.json', '--port', port, '--host', '127.0.0.1', '--quiet', '--no-gzip'],
      ...paths,
    };
  },
};

export const jsonServer1 = {
  key: 'jsonServer1',
  name: 'json-server-1',
  label: 'json-server 1 beta',
  packages: ['json-server-1'],
  note,
  setUp({ folder, port, content }) {
    writeDatabase(folder, content);
    const cli = join(folder, 'node_modules/json-server-1/lib/bin.js');
    return { words: [process.execPath, cli, 'db.json', '--port', port, '--host', '127.0.0.1'], ...paths };
  },
};

function writeDatabase(folder, { products }) {
  writeFileSync(join(folder, 'db.json'), JSON.stringify({ products: JSON.parse(products), orders: [] }));
}
