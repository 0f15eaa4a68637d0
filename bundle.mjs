// Builds the package: the command and the library's entries as few files, which Node loads several times faster than
// their modules. Code that only labels need is loaded with the first label.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { licences } from './licences.mjs';

const commander = /[\\/]commander[\\/]/;
/** Modules to replace, in imports by these files. */
const replacements = [
  // @hapi/address imports URL and TextEncoder from Node's modules; the global ones replace them.
  { id: /^(?:url|util)$/, in: /[\\/]@hapi[\\/]/, code: 'export const { URL, TextEncoder } = globalThis;' },
  // Importing node:process makes Node create all its properties, even standard input. No subcommand is a file to run.
  { id: /^node:process$/, in: commander, code: 'module.exports = globalThis.process;' },
  { id: /^node:child_process$/, in: commander, code: 'module.exports = {};' },
  // The native variant of the database driver, which is not used.
  { id: /^pg-native$/, in: /./, code: 'module.exports = undefined;' },
  // No server here speaks HTTP/2, and loading Node's takes 5 ms of a start.
  { id: /^node:http2$/, in: /./, code: 'export class Http2ServerRequest {}\nexport const constants = {};' },
];
const replaced = {
  name: 'replaced',
  resolveId: {
    order: 'pre',
    handler(id, importer = '') {
      const index = replacements.findIndex((one) => one.id.test(id) && one.in.test(importer));
      return index < 0 ? null : `\0replaced:${index}`;
    },
  },
  load: (id) => (id.startsWith('\0replaced:') ? replacements[id.slice('\0replaced:'.length)].code : null),
};

/** The database driver requires Node's modules without `node:`, and its own parts as CommonJS. */
const driversNode = {
  name: 'drivers-node',
  resolveId: {
    order: 'pre',
    handler(id, importer, { kind }) {
      if (!ofDriver.test(importer) || kind !== 'require-call' || id.startsWith('node:')) return null;
      return isBuiltin(id) ? this.resolve(`node:${id}`, importer, { kind }) : createRequire(importer).resolve(id);
    },
  },
};
const ofDriver = /[\\/]node_modules[\\/](?:pg|pg-[a-z-]+|pgpass|split2|postgres-[a-z]+)[\\/]/;

/** As in vite, an import with `?raw` after the name is the file's text: for files that the server sends unchanged. */
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

/** JSON files as strings to parse: engines parse JSON faster than the same data as code. */
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
    // The variants for browsers, which do not import Node's modules.
    alias: {
      nanoid: browserFormOf('nanoid', 'index.browser.js'),
      'lru-cache': browserFormOf('lru-cache', '../browser/index.js'),
    },
  },
  // Only the e-mail check of @hapi/address is used; the imports of the rest need Node's Buffer.
  treeshake: { moduleSideEffects: [{ test: /[\\/]@hapi[\\/]/, sideEffects: false }] },
  // The last plugin turns a `require` of a Node module, as in commander, into an import.
  plugins: [replaced, driversNode, rawText, parsedData, licences, esmExternalRequirePlugin({ external: [/^node:/] })],
};

const files = {
  dir: 'dist',
  // All in one folder: a path relative to a file is then the same in every bundle.
  chunkFileNames: '[name].js',
  format: 'esm',
  // Each file adds to the start time: a health check, a start of the server, and the engine have one file each. Their
  // shared code, without Node's modules, is the file `base`.
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
  // Node would parse comments at each start.
  comments: { legal: true, annotation: true, jsdoc: false },
  // Names of functions and classes stay, for readable stacks.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true, toplevel: true },
    // Keep the line breaks: Node prints the whole source line of an uncaught error.
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
  // npx links the command of a checkout only once, so the new file must be executable, too.
  chmodSync('dist/cli.js', 0o755);
}
