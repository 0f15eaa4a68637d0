// Bundles the command and the library's entries into a few files, which Node loads several times faster than separate modules.
// The code for labels is loaded with the first label.
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { licenses } from './licenses.mjs';
import { requireEntries } from './require-entries.mjs';

const commander = /[\\/]commander[\\/]/;
/** Modules to replace (`id`) if a matching file (`in`) imports them. */
const replacements = [
  // @hapi/address imports URL and TextEncoder from Node's modules. Use the global ones.
  { id: /^(?:url|util)$/, in: /[\\/]@hapi[\\/]/, code: 'export const { URL, TextEncoder } = globalThis;' },
  // An import of node:process makes Node create all of its properties, even standard input. commander needs child processes only for
  // commands in separate files, which Sachet does not have.
  { id: /^node:process$/, in: commander, code: 'module.exports = globalThis.process;' },
  { id: /^node:child_process$/, in: commander, code: 'module.exports = {};' },
  // The native variant of the database driver is not used.
  { id: /^pg-native$/, in: /./, code: 'module.exports = undefined;' },
  // MCP's SDK would validate what users enter, for questions that Sachet does not ask. Its validator is large.
  {
    id: /^@modelcontextprotocol\/server\/_shims$/,
    in: /./,
    code: 'export class DefaultJsonSchemaValidator {}\nexport const process = globalThis.process;',
  },
  // Sachet does not use HTTP/2, and loading Node's module takes 5 ms at startup.
  { id: /^node:http2$/, in: /./, code: 'export class Http2ServerRequest {}\nexport const constants = {};' },
];

/** The binary has no files next to it, and its name is the one that the user typed. */
const binaryReplacements = () => [
  { id: /\/command-name\.ts$/, in: /./, code: typedName },
  { id: /\/shipped-files\.ts$/, in: /./, code: shippedFiles() },
];

/** Quoted for a shell if it needs that. */
const typedName = `import { shellWord } from ${JSON.stringify(`${import.meta.dirname}/src/contract/addresses.ts`)};
const { argv0 } = process;
export const commandName = /^[\\w./@:+-]+$/.test(argv0) ? argv0 : shellWord(argv0);`;

function shippedFiles() {
  const texts = ['fixtures', 'scenarios'].flatMap((folder) => {
    const names = readdirSync(folder).sort();
    return names.map((name) => [`shipped:${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]);
  });
  return `export const fixturesFolder = 'shipped:fixtures';
export const scenariosFolder = 'shipped:scenarios';
export const shippedTexts = ${JSON.stringify(Object.fromEntries(texts))};`;
}

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

/**
 * The database driver, node-forge and OpenTelemetry import Node's modules without the `node:` prefix. Resolve them with
 * it, and the packages' own modules as CommonJS if they are required.
 */
const unprefixed = {
  name: 'unprefixed',
  resolveId: {
    order: 'pre',
    handler(id, importer, { kind }) {
      if (!unprefixedModule.test(importer) || id.startsWith('node:')) return null;
      if (isBuiltin(id)) return this.resolve(`node:${id}`, importer, { kind });
      return kind === 'require-call' ? createRequire(importer).resolve(id) : null;
    },
  },
};
const unprefixedModule =
  /[\\/]node_modules[\\/](?:@opentelemetry|node-forge|pg|pg-[a-z-]+|pgpass|split2|postgres-[a-z]+)[\\/]/;

/**
 * Imports a file with the suffix `?raw` as text, as Vite does. With `?raw&packed` it is compressed, and imported as a
 * function that returns the text.
 */
const raw = /\?raw(&packed)?$/;
const rawText = {
  name: 'raw-text',
  async resolveId(source, importer) {
    const [suffix] = raw.exec(source) ?? [];
    if (!suffix) return null;
    const file = await this.resolve(source.replace(raw, ''), importer);
    return file && { id: `${file.id}${suffix}` };
  },
  load(id) {
    const [suffix, isPacked] = raw.exec(id) ?? [];
    if (!suffix) return null;
    const bytes = readFileSync(id.replace(raw, ''));
    return {
      code: `export default ${isPacked ? unpacking(bytes) : JSON.stringify(bytes.toString())};`,
      moduleType: 'js',
    };
  },
};

/**
 * A function that unpacks a text, with Web APIs only. Outside of functions, workerd refuses the work, and bundlers for
 * CommonJS an `await`.
 */
const unpacking = (bytes) => `() => new Response(
  new Blob([Uint8Array.from(atob('${gzipSync(bytes, { level: 9 }).toString('base64')}'), (char) => char.charCodeAt(0))])
    .stream()
    .pipeThrough(new DecompressionStream('gzip')),
).text()`;

/** Imports JSON through JSON.parse, which is faster than the same data as JavaScript. */
const parsedData = {
  name: 'parsed-data',
  load: (id) =>
    id.endsWith('.json')
      ? { code: `export default JSON.parse(${JSON.stringify(compact(id))});`, moduleType: 'js' }
      : null,
};
function compact(file) {
  const data = JSON.parse(readFileSync(file, 'utf8'));
  // Of the package file, only the version is used.
  return JSON.stringify(file.endsWith('package.json') ? { version: data.version } : data);
}

const browserFileOf = (name, file) => fileURLToPath(new URL(file, import.meta.resolve(name)));

const input = {
  cli: 'src/node/cli/main.ts',
  index: 'src/index.ts',
  node: 'src/node/index.ts',
  vitest: 'src/vitest/index.ts',
  'vitest-server': 'src/vitest/server.ts',
  msw: 'src/msw/index.ts',
  'server-thread': 'src/node/server-thread.ts',
};
const bundling = {
  platform: 'neutral',
  external: [/^vitest/, 'msw'],
  resolve: {
    mainFields: ['module', 'main'],
    conditionNames: ['module', 'import', 'default'],
    // The browser builds do not import Node's modules.
    alias: {
      nanoid: browserFileOf('nanoid', 'index.browser.js'),
      'lru-cache': browserFileOf('lru-cache', '../browser/index.js'),
    },
  },
  // Only the e-mail validation of @hapi/address is used. The rest imports code that needs Node's Buffer.
  treeshake: { moduleSideEffects: [{ test: /[\\/]@hapi[\\/]/, sideEffects: false }] },
  // The last plugin turns the require calls of CommonJS modules for Node's modules into imports.
  plugins: [replaced, unprefixed, rawText, parsedData, licenses, esmExternalRequirePlugin({ external: [/^node:/] })],
};

const base = [
  'client/printable',
  'contract/addresses',
  'contract/health',
  'contract/nearest',
  'system/command-name',
  'version',
];

const files = {
  dir: 'dist',
  // All files are in one folder, so relative paths do not depend on the file that code is bundled into.
  chunkFileNames: '[name].js',
  format: 'esm',
  // Each file adds to the startup time. So the health check, the server start and the engine have one file each, and `base` has
  // the code that they share, which does not import Node's modules.
  codeSplitting: {
    groups: [
      { name: 'base', test: (id) => base.some((file) => id.endsWith(`/src/${file}.ts`)), priority: 4 },
      { name: 'flags', test: /[\\/]src[\\/]node[\\/]cli[\\/]healthcheck\.ts$/, priority: 3 },
      { name: 'engine', test: /[\\/]src[\\/](?:app|sample-order|shipped)\.ts$/, priority: 2 },
      { name: 'start', test: /[\\/]src[\\/]node[\\/]cli[\\/]serve\.ts$/, priority: 1 },
    ],
  },
  // Without comments, the files load faster.
  comments: { legal: true, annotation: true, jsdoc: false },
  // Keep the names of functions and classes for readable stack traces.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true, toplevel: true },
    // Keep line breaks: for an uncaught error, Node prints the whole line.
    codegen: { removeWhitespace: false },
  },
};

const asModules = { format: 'esm', preserveModules: true };
const asOneFile = {
  ...files,
  format: 'cjs',
  codeSplitting: false,
  dynamicImportInCjs: false,
  entryFileNames: 'sachet.cjs',
};

// `node bundle.mjs --modules DIR` writes one file per source file, for tools that count or profile.
// `node bundle.mjs --binary DIR` writes the command as one file, for the binary.
const [option, dir] = process.argv.slice(2);
if (option === '--modules') {
  await build({ ...bundling, input: { node: input.node }, output: { ...asModules, dir } });
} else if (option === '--binary') {
  replacements.push(...binaryReplacements());
  await build({ ...bundling, input: input.cli, output: { ...asOneFile, dir } });
} else {
  rmSync('dist', { recursive: true, force: true });
  await build({ ...bundling, plugins: [...bundling.plugins, requireEntries], input, output: files });
  // npx links the command of a checkout once and does not set its permissions again.
  chmodSync('dist/cli.js', 0o755);
}
