// A bundler plugin that lets `require` load the library: `dist/index.cjs`, `dist/node.cjs`, `dist/msw.cjs` and their
// types.

/** The entries, with the file of their types. */
const entries = { index: 'types/index', node: 'types/node/index', msw: 'types/msw/index' };

/**
 * Jest runs files in a context of its own, which cannot load ES modules without a flag. `runInThisContext` reaches the
 * process outside of it, whose `require` can, since Node 20.19. So there is one copy of the library for both forms.
 */
const loader = (entry) => `'use strict';
const { runInThisContext } = require('node:vm');
const { createRequire } = runInThisContext('process').getBuiltinModule('node:module');
module.exports = createRequire(__filename)('./${entry}.js');
`;

const mode = `with { 'resolution-mode': 'import' }`;
/** `export type *` leaves out values, and the names that are declared here; of those, classes are types, too. */
const typesOf = (names) =>
  [
    `import type * as library from './index.js' ${mode};`,
    `export type * from './index.js' ${mode};`,
    ...names.map((name) => `export declare const ${name}: typeof library.${name};`),
    ...names.filter((name) => /^[A-Z]/.test(name)).map((name) => `export type ${name} = library.${name};`),
    '',
  ].join('\n');

/** msw declares its classes once per form, with private fields. So the handlers must be of its CommonJS types here. */
const mswTypes = `import type { HttpHandler } from 'msw';
import type * as library from './index.js' ${mode};
export declare function handlers(...args: Parameters<typeof library.handlers>): HttpHandler[];
`;

export const requireEntries = {
  name: 'require-entries',
  generateBundle(_, bundle) {
    for (const [entry, types] of Object.entries(entries)) {
      this.emitFile({ type: 'asset', fileName: `${entry}.cjs`, source: loader(entry) });
      const source = entry === 'msw' ? mswTypes : typesOf(bundle[`${entry}.js`].exports);
      this.emitFile({ type: 'asset', fileName: `${types}.d.cts`, source });
    }
  },
};
