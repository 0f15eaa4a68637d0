// Temporary folders, removed at the end, also where the benchmark fails or is interrupted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set();
process.on('exit', () => folders.forEach(removeFolder));

/** The path of a new empty folder. */
export function makeFolder(purpose) {
  const folder = mkdtempSync(join(tmpdir(), `sachet-bench-${purpose}-`));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}
