// Servers written in a few lines: hono with zod, which validates the order; emulate, which keeps orders in its state.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needNodeVersion } from './install.mjs';

export const hono = {
  key: 'hono',
  label: 'hono + zod',
  packages: ['hono', '@hono/node-server', '@hono/zod-validator', 'zod'],
  note: 'the least: c.json, zValidator on the order, no state, no token, no journal',
  setUp: (given) => ({ words: programOf('hono-server.mjs', given) }),
};

export const emulate = {
  key: 'emulate',
  label: 'emulate',
  packages: ['emulate'],
  note: 'an emulator of its own making that keeps the orders',
  setUp(given) {
    needNodeVersion('24.0.0');
    return { words: programOf('emulate-server.mjs', given) };
  },
};

// A program finds what was installed only from within the folder.
function programOf(name, { folder, port, content }) {
  copyFileSync(fileURLToPath(new URL(`./${name}`, import.meta.url)), join(folder, name));
  writeFileSync(join(folder, 'products.json'), content.products);
  return [process.execPath, name, port];
}
