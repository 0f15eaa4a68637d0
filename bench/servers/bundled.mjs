// A file of the benchmark that imports Sachet's sources, made into one that Node runs.
import { join } from 'node:path';
import { build } from 'rolldown';

/** What is loaded only when it is asked for stays outside: pages, documents, labels. */
const notYet = {
  name: 'not-yet',
  resolveId: (id, _, { kind }) => (kind === 'dynamic-import' ? { id, external: true } : null),
};

/** Bundles it into a folder; gives the path of what it is there. */
export async function bundled(input, folder) {
  const file = join(folder, 'bundled.mjs');
  await build({ input, platform: 'node', plugins: [notYet], output: { file, format: 'esm' }, logLevel: 'warn' });
  return file;
}
