// The layers of docs/explanation/architecture.md: who may import whom, no cycles, and no folder too large to look through.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What the files of each folder of `src` may import from `src`, besides their own folder. `top` is the files of `src` itself. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  openapi: ['contract'],
  system: [],
  domain: ['contract'],
  state: ['contract', 'system', 'domain'],
  stores: ['contract', 'system', 'state'],
  journal: ['contract', 'system', 'domain', 'state'],
  conduct: ['contract', 'domain', 'journal'],
  fidelity: ['contract', 'domain', 'journal'],
  sandbox: ['contract', 'system', 'domain', 'state', 'journal', 'conduct'],
  http: ['contract', 'openapi', 'system', 'domain', 'state', 'journal', 'sandbox', 'fidelity'],
  console: ['contract', 'system', 'domain', 'state', 'journal', 'sandbox', 'fidelity', 'http'],
  client: ['contract', 'system'],
  mcp: ['contract', 'client'],
  top: ['contract', 'openapi', 'system', 'domain', 'state', 'journal', 'sandbox', 'http', 'console', 'client', 'mcp'],
  node: [
    'contract',
    'system',
    'domain',
    'state',
    'journal',
    'sandbox',
    'fidelity',
    'http',
    'client',
    'mcp',
    'stores',
    'top',
  ],
  vitest: ['client', 'node', 'system'],
  msw: ['client', 'contract'],
};
/** Only these import `node:` modules and use the process. */
const onNode = ['node', 'stores', 'vitest'];
const maxFilesOfFolder = 25;

const root = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => posix.join(entry.parentPath, entry.name).slice(root.length + 1));
const imports = new Map(files.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, importsOf(file)]));

/** The specifiers of a file's imports and re-exports, type-only and dynamic ones, too; relative ones as paths in `src`. */
function importsOf(file: string): string[] {
  const text = readFileSync(posix.join(root, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const specifiers = text.matchAll(/(?:\bfrom |\bimport\(|\bimport )'([^']+)'/g);
  return Array.from(specifiers, ([, specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier).replace(/\?raw$/, '') : specifier,
  );
}

const layerOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : 'top');

test('each file imports only from the layers that its own may import', () => {
  const isWrong = (file: string, target: string): boolean => {
    const layer = layerOf(file);
    if (target.startsWith('node:')) return !onNode.includes(layer);
    if (files.includes(target)) return layerOf(target) !== layer && !arrows[layer]?.includes(layerOf(target));
    return target.startsWith('../') && !['shipped.ts', 'version.ts'].includes(file);
  };
  const wrong = [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => isWrong(file, target)).map((target) => `${file} imports ${target}`),
  );
  expect(imports.size).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test('no file imports itself, directly or through others', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

test('responses are built in one place for the app, one for broken connections and one for the port', () => {
  const builds = (file: string) =>
    /\bnew Response\(|\bResponse\.\w+\(/.test(readFileSync(posix.join(root, file), 'utf8'));
  const building = [...imports.keys()].filter(builds).sort();
  expect(building).toEqual(['http/in-process.ts', 'http/response.ts', 'node/listen.ts']);
});

test(`no folder has more than ${maxFilesOfFolder} files`, () => {
  const sizes = new Map<string, number>();
  for (const folder of files.map(posix.dirname)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  const large = [...sizes].filter(([, size]) => size > maxFilesOfFolder);
  expect(large).toEqual([]);
});
