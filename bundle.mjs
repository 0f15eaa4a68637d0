// Builds the package: the command and the library's entries as few files, which Node loads several times faster than their
// modules. Code that only a label needs is loaded with the first label.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { licences } from './licences.mjs';

/** @hapi/address takes URL and TextEncoder from two of Node's modules; here these are the Web's. */
const webOnly = {
  name: 'web-only',
  resolveId: (id) => (id === 'url' || id === 'util' ? '\0web' : null),
  load: (id) => (id === '\0web' ? 'export const { URL, TextEncoder } = globalThis;' : null),
};

/**
 * commander's view of Node. To import the process is to have Node make all that it offers, down to standard input, and none of the
 * commands is a file to be run.
 */
const commandersNode = {
  name: 'commanders-node',
  resolveId: {
    order: 'pre',
    handler: (id, importer) => (/[\\/]commander[\\/]/.test(importer) && id in asCommanderNeeds ? `\0${id}` : null),
  },
  load: (id) => asCommanderNeeds[id.slice(1)],
};
const asCommanderNeeds = {
  'node:process': 'module.exports = globalThis.process;',
  'node:child_process': 'module.exports = {};',
};

/** The database's driver requires Node's modules by their old names, its own parts in their CommonJS form, and a native form of itself, which is not used. */
const driversNode = {
  name: 'drivers-node',
  resolveId: {
    order: 'pre',
    handler(id, importer, { kind }) {
      if (id === 'pg-native') return '\0none';
      if (!ofDriver.test(importer) || kind !== 'require-call' || id.startsWith('node:')) return null;
      return isBuiltin(id) ? this.resolve(`node:${id}`, importer, { kind }) : createRequire(importer).resolve(id);
    },
  },
  load: (id) => (id === '\0none' ? 'module.exports = undefined;' : null),
};
const ofDriver = /[\\/]node_modules[\\/](?:pg|pg-[a-z-]+|pgpass|split2|postgres-[a-z]+)[\\/]/;

/** HTTP/2 as the Node adapter sees it: no server here speaks it, and loading Node's takes 5 ms of a start. */
const noHttp2 = {
  name: 'no-http2',
  resolveId: { order: 'pre', handler: (id) => (id === 'node:http2' ? '\0http2' : null) },
  load: (id) => (id === '\0http2' ? 'export class Http2ServerRequest {}\nexport const constants = {};' : null),
};

/** A file that is imported with `?raw` behind its name is its text, as for vite: what the server hands on as it is. */
const raw = /\?raw$/;
const rawText = {
  name: 'raw-text',
  async resolveId(source, importer) {
    if (!raw.test(source)) return null;
    const file = await this.resolve(source.replace(raw, ''), importer);
    return file && { id: `${file.id}?raw` };
  },
  load: (id) =>
    raw.test(id)
      ? { code: `export default ${JSON.stringify(readFileSync(id.replace(raw, ''), 'utf8'))};`, moduleType: 'js' }
      : null,
};

/** Data as a text that is parsed: an engine reads JSON faster than the same as a program. */
const parsedData = {
  name: 'parsed-data',
  load: (id) =>
    id.endsWith('.json')
      ? { code: `export default JSON.parse(${JSON.stringify(compact(id))});`, moduleType: 'js' }
      : null,
};
const compact = (file) => JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));

const browserFormOf = (name, file) => fileURLToPath(new URL(file, import.meta.resolve(name)));

const input = {
  cli: 'src/node/cli/main.ts',
  index: 'src/index.ts',
  node: 'src/node/index.ts',
  vitest: 'src/vitest/index.ts',
  'vitest-server': 'src/vitest/server.ts',
  'server-thread': 'src/node/server-thread.ts',
};
const bundling = {
  platform: 'neutral',
  external: [/^vitest/],
  resolve: {
    mainFields: ['module', 'main'],
    conditionNames: ['import', 'default'],
    // The forms for browsers, which import none of Node's modules.
    alias: {
      nanoid: browserFormOf('nanoid', 'index.browser.js'),
      'lru-cache': browserFormOf('lru-cache', '../browser/index.js'),
    },
  },
  // Of @hapi/address only the check of an e-mail address is used; what the rest of it imports asks for Node's Buffer.
  treeshake: { moduleSideEffects: [{ test: /[\\/]@hapi[\\/]/, sideEffects: false }] },
  // What is CommonJS and requires Node's modules, as the command line's parser does, imports them.
  plugins: [
    webOnly,
    commandersNode,
    driversNode,
    noHttp2,
    rawText,
    parsedData,
    licences,
    esmExternalRequirePlugin({ external: [/^node:/] }),
  ],
};

const files = {
  dir: 'dist',
  // All in one folder: what a file finds beside itself does not depend on the file it is bundled into.
  chunkFileNames: '[name].js',
  format: 'esm',
  // Each file adds to the start time, so the code of a health check, of a start of the server and of the engine is one file
  // each. What they share, without Node's modules, is the file `base`.
  codeSplitting: {
    groups: [
      {
        name: 'base',
        test: /[\\/]src[\\/](?:contract[\\/](?:addresses|health)|stores[\\/]errors|version)\.ts$/,
        priority: 4,
      },
      { name: 'flags', test: /[\\/]src[\\/]node[\\/]cli[\\/]healthcheck\.ts$/, priority: 3 },
      { name: 'engine', test: /[\\/]src[\\/](?:app|sample-order|shipped)\.ts$/, priority: 2 },
      { name: 'start', test: /[\\/]src[\\/]node[\\/]cli[\\/]serve\.ts$/, priority: 1 },
    ],
  },
  // Comments would be read at each start.
  comments: { legal: true, annotation: true, jsdoc: false },
  // Names of functions and classes stay, for readable stacks.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true, toplevel: true },
    // Lines are not joined: Node prints the whole line of an uncaught error.
    codegen: { removeWhitespace: false },
  },
};

const asModules = { format: 'esm', preserveModules: true };

// `node bundle.mjs --modules DIR` writes each source file as a file of its own, for tools that count or profile.
const [option, dir] = process.argv.slice(2);
if (option === '--modules') {
  await build({ ...bundling, input: { node: input.node }, output: { ...asModules, dir } });
} else {
  rmSync('dist', { recursive: true, force: true });
  await build({ ...bundling, input, output: files });
  // npx links the command of a checkout once, and does not look at it again.
  chmodSync('dist/cli.js', 0o755);
}
