// Prism serves the service's own OpenAPI document, with the examples that Sachet writes into it; it validates requests by it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const prism = {
  key: 'prism',
  label: 'Prism',
  packages: ['@stoplight/prism-cli'],
  note: "mock of Sachet's OpenAPI document, answers are its examples, that of the list has all 20, log off",
  setUp({ folder, port, content }) {
    writeFileSync(join(folder, 'openapi.json'), withProducts(content));
    const cli = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
    return { words: [process.execPath, cli, 'mock', 'openapi.json', '--port', port, '--verboseLevel', 'silent'] };
  },
};

// The document shows two products as an example; the list that is compared has twenty.
function withProducts({ openapi, products }) {
  const document = JSON.parse(openapi);
  const { examples } = document.paths['/v2/products'].get.responses['200'].content['application/json'];
  for (const example of Object.values(examples)) example.value = JSON.parse(products);
  return JSON.stringify(document);
}
