// The house stands as architecture.md draws it, and the check that says so bites.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { architectureFaults, rules } from './support/architecture.ts';
import { factsOf, type Source } from './support/source-facts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources: Source[] = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }));

test.each(Object.entries(rules))('in src %s', (_, rule) => {
  expect(sources.length).toBeGreaterThan(50);
  expect(rule(sources.map(factsOf))).toEqual([]);
});

/** The faults of one small source. */
const faultsIn = (path: string, text: string): string[] => architectureFaults([{ path, text }]);

describe('the check finds', () => {
  test.each([
    ['contract/a', "import { b } from '../domain/b.ts';", 'contract → domain'],
    ['contract/a', "import { isEmailValid } from '@hapi/address';", 'imported only by src/contract/schema.ts'],
    ['contract/a', "import { createDocument } from 'zod-openapi';", 'imported only by src/contract/openapi/'],
    ['domain/a', "import { z } from 'zod';", 'domain → zod'],
    ['domain/a', "import { b } from '../state/b.ts';", 'domain → state'],
    ['state/a', "import { b } from '../domain/orders.ts';", 'state → domain'],
    ['state/a', "import { b } from '../control/b.ts';", 'state → control'],
    ['state/a', "import TinyQueue from 'tinyqueue';", 'imported only by src/state/state.ts'],
    ['control/a', "import { b } from '../http/b.ts';", 'control → http'],
    ['control/a', "import * as ids from 'nanoid';", 'nanoid is imported only by src/control/ids.ts'],
    ['http/a', "import { b } from '../node/b.ts';", 'http → node'],
    ['http/a', "import { b } from '../engine.ts';", 'http → top'],
    ['http/a', "import { SignJWT } from 'jose/jwt/sign';", 'imported only by src/http/tokens.ts'],
    ['http/a', "import { b } from '../../test/b.ts';", 'src imports nothing beside it'],
    ['http/a', "import a from '../../fixtures/a.json' with { type: 'json' };", 'src imports nothing beside it'],
    ['shipped', "import a from '../package.json' with { type: 'json' };", 'src imports nothing beside it'],
    ['http/a', "import { b } from '../console/b.ts';", 'http → console'],
    ['console/a', "import { b } from '../engine.ts';", 'console → top'],
    ['console/a', "import { b } from '../node/b.ts';", 'console → node'],
    ['console/a', "import htmx from 'htmx.org';", 'imported only by src/console/asset-texts.ts'],
    ['client/a', "import { b } from '../node/b.ts';", 'client → node'],
    ['vitest/a', "import { b } from '../engine.ts';", 'vitest → top'],
    ['engine', "import { b } from './node/b.ts';", 'top → node'],
    ['engine', "import { b } from 'jose';", 'top → jose'],
    ['index', "export { sha256 } from '@noble/hashes/sha2.js';", 'imported only by src/engine.ts'],
    ['domain/a', "import { hash } from 'node:crypto';", 'node: imports stand only in src/node'],
    ['domain/a', "import { hash } from 'crypto';", 'domain → crypto'],
    ['utils/a', "import { b } from '../domain/b.ts';", 'src/utils is no layer'],
  ])('an import that %s may not have: %s', (file, text, fault) => {
    expect(faultsIn(`src/${file}.ts`, text)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    ['type-only', "import type { B } from '../http/b.ts';"],
    ['type-only by name', "import { type B } from '../http/b.ts';"],
    ['bare', "import '../http/b.ts';"],
    ['dynamic', "const b = await import('../http/b.ts');"],
    ['in a type', "type B = import('../http/b.ts').B;"],
    ['re-exported', "export { b } from '../http/b.ts';"],
    ['re-exported whole', "export * from '../http/b.ts';"],
    ['re-exported as a type', "export type { B } from '../http/b.ts';"],
  ])('an import that is %s, on its line', (_, text) => {
    expect(faultsIn('src/domain/a.ts', `// “quotes” 😀\n\n${text}\n`)).toEqual([
      'src/domain/a.ts:3 domain → http (src/http/b.ts) is no arrow of the house',
    ]);
  });

  test('an import whose target is computed', () => {
    expect(faultsIn('src/domain/a.ts', 'await import(name);')).toHaveLength(1);
  });

  test.each([
    ['process.exit(1);', 'process stands only in src/node'],
    ['const { env } = globalThis.process;', 'process stands only in src/node'],
    ['const now = Date.now();', 'Date.now stands only in src/control/clock.ts'],
    ['const now = globalThis.Date.now;', 'Date.now stands only in src/control/clock.ts'],
    ['const now = performance\n  .now();', 'performance.now stands only in src/control/clock.ts'],
    ['const now = new Date();', 'Date() stands only in src/control/clock.ts'],
    ['const now = +new Date;', 'Date() stands only in src/control/clock.ts'],
    ['const now = Date();', 'Date() stands only in src/control/clock.ts'],
    ['const dice = Math.random();', 'Math.random stands only in src/control/ids.ts'],
    ['const id = crypto.randomUUID();', 'randomUUID stands only in src/control/ids.ts'],
    ['const { getRandomValues } = crypto;', 'getRandomValues stands only in src/control/ids.ts'],
    ["const path = '/v2/orders';", '"/v2/orders" is a path'],
    [`const path = \`\${base}/v2/orders/\${id}\`;`, '"/v2/orders/" is a path'],
  ])('in its wrong place: %s', (text, fault) => {
    expect(faultsIn('src/http/a.ts', text).join('\n')).toContain(fault);
  });

  test('a file of more than 400 lines, and none of 400', () => {
    expect(faultsIn('src/http/a.ts', 'let a = 1;\n'.repeat(401))).toEqual([
      'src/http/a.ts:401 a file has at most 400 lines',
    ]);
    expect(faultsIn('src/http/a.ts', 'let a = 1;\n'.repeat(400))).toEqual([]);
  });

  test('the import that closes a cycle, also over three files and by a type', () => {
    const cycle = [
      { path: 'src/http/a.ts', text: "import { b } from './b.ts';" },
      { path: 'src/http/b.ts', text: "\nimport { c } from './api/c.ts';" },
      { path: 'src/http/api/c.ts', text: "\n\nimport type { A } from '../a.ts';" },
    ];
    expect(architectureFaults(cycle)).toEqual([
      'src/http/api/c.ts:3 closes a cycle: http/a.ts → http/b.ts → http/api/c.ts → http/a.ts',
    ]);
    expect(architectureFaults(cycle.slice(1))).toEqual([]);
    expect(faultsIn('src/http/a.ts', "import { b } from './a.ts';")).toHaveLength(1);
  });
});

describe('the check lets pass', () => {
  test.each([
    ['contract/schema', "import { z } from 'zod/v4'; import { isEmailValid } from '@hapi/address';"],
    ['contract/openapi/a', "import { createDocument } from 'zod-openapi/api';"],
    ['domain/a', "import { z } from '../contract/a.ts'; import { b } from './b.ts';"],
    ['state/a', "import type { World } from '../domain/world.ts'; import { a } from '../contract/a.ts';"],
    ['state/state', "import loaded from 'tinyqueue';"],
    ['control/ids', 'crypto.getRandomValues(new Uint8Array(1)); crypto.randomUUID();'],
    ['control/clock', 'Date.now(); performance.now(); new Date();'],
    ['http/api/a', "import { Hono } from 'hono/tiny'; import { b } from '../../control/b.ts';"],
    ['http/tokens', "import { SignJWT } from 'jose';"],
    ['engine', "import { hmac } from '@noble/hashes/hmac.js'; import { a } from './http/a.ts';"],
    ['shipped', "import a from '../fixtures/a.json' with { type: 'json' };"],
    [
      'vitest/a',
      "import { test } from 'vitest'; import { b } from '../node/b.ts'; import { c } from '../client/c.ts';",
    ],
    ['node/a', "import { once } from 'node:events'; import { b } from '../http/b.ts'; process.exit();"],
    ['contract/a', "const path = '/v2/orders';"],
    ['http/a', "// Date.now() of '/v2/orders'\nconst time = new Date(now); const all = '/v2/*';"],
  ])('%s: %s', (file, text) => {
    expect(faultsIn(`src/${file}.ts`, text)).toEqual([]);
  });
});
