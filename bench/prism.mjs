// Starts Prism, a mock server for OpenAPI documents, with Sachet's document. Installs it into a temporary folder.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, startProgram } from './server-process.mjs';
import { call } from './workload.mjs';

const version = '5.16.0';

/** @throws Error with npm's output, if Prism cannot be installed */
export async function startPrism({ folder }, { url, workload }) {
  const cli = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  await run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, `@stoplight/prism-cli@${version}`]);
  const document = await call(`${url}/_docs/openapi.json`);
  const { examples } = document.paths['/v2/products'].get.responses['200'].content['application/json'];
  for (const example of Object.values(examples)) example.value = workload.products;
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const port = await freePort();
  const server = startProgram([cli, 'mock', 'openapi.json', '--port', String(port), '--verboseLevel', 'silent'], {
    cwd: folder,
  });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isUp(address)); tries += 1) {
    if (tries > 600) throw new Error('Prism did not start within 60 s');
    await sleep(100);
  }
  return { ...server, url: address };
}

const isUp = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
