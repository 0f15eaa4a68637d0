// Where the state folders of the suite stand: in one folder that goes when the suite is over. A worker that is ended cannot remove its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): () => void {
  const path = mkdtempSync(join(tmpdir(), 'sachet-states-'));
  process.env.TEST_STATES = path;
  return () => rmSync(path, { recursive: true, force: true });
}
