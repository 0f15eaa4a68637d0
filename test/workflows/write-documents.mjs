// Writes the OpenAPI documents of a running server into a folder: with its own assumptions, with the profile `strict`, and with sandboxes that
// together cover each choice of each assumption; each also in the form of OpenAPI 3.0.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';

const [, , url = '', key = '', folder = '.'] = argv;
const service = '/_docs/openapi.json';

async function answerOf(path, init) {
  const answer = await fetch(url + path, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function write(name, path) {
  const document = await answerOf(path);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(document, null, 2));
  return document;
}

async function writeWith(name, assumptions) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await answerOf('/_admin/sandboxes', { method: 'POST', headers, body: JSON.stringify({ name, assumptions }) });
  const { 'x-assumptions': written } = await write(name, `/sandboxes/${name}${service}`);
  await write(`${name}-3.0`, `/sandboxes/${name}${service}?version=3.0`);
  for (const [id, reading] of Object.entries(assumptions)) {
    if (id !== 'profile' && written[id].reading !== reading) throw new Error(`${name}: ${id} is not ${reading}`);
  }
}

const { 'x-assumptions': assumptions } = await write('service', service);
await write('control', '/_docs/control/openapi.json');
await write('service-3.0', `${service}?version=3.0`);
await write('control-3.0', '/_docs/control/openapi.json?version=3.0');
await writeWith('strict', { profile: 'strict' });

// Without order_endpoints the document is smaller, so only the profile changes this assumption.
const turned = Object.entries(assumptions).filter(([id]) => id !== 'order_endpoints');
const most = Math.max(...turned.map(([, { readings }]) => Object.keys(readings).length));
for (let round = 1; round <= most; round += 1) {
  const readings = turned.map(([id, { readings }]) => [
    id,
    Object.keys(readings)[round % Object.keys(readings).length],
  ]);
  await writeWith(`readings-${round}`, Object.fromEntries(readings));
}
