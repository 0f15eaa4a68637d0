// Temporary folders, removed behind their use; what is left is removed at the end, also where the benchmark fails or is interrupted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const paths = new Set();
process.on('exit', () => paths.forEach(remove));

/**
 * Gives `use` a new folder that `make(folder)` has filled, and removes it however that ends.
 * @returns what `use` gives
 */
export async function withFolder(make, use) {
  const folder = mkdtempSync(join(tmpdir(), 'sachet-bench-'));
  removeAtEnd(folder);
  try {
    await make(folder);
    return await use(folder);
  } finally {
    remove(folder);
  }
}

/** For a folder that is to be empty. */
export const empty = () => {};

/** Has a path removed when this process ends, if it is there by then. */
export function removeAtEnd(path) {
  paths.add(path);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
  paths.delete(path);
}
