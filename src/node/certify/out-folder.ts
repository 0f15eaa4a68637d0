// The folder that the reports are written into.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../usage-error.ts';

const files = { markdown: 'certification.md', json: 'certification.json' } as const;

/** Makes the folder, before anything is done. @throws UsageError where the reports cannot be written there. */
export function prepareOut(folder: string): void {
  writing(folder, () => {
    mkdirSync(folder, { recursive: true });
    for (const name of Object.values(files)) tryToWrite(join(folder, name));
  });
}

/** Leaves what is there as it is. */
function tryToWrite(path: string): void {
  const isNew = !existsSync(path);
  closeSync(openSync(path, 'a'));
  if (isNew) rmSync(path);
}

export function writeOut(folder: string, texts: Readonly<Record<keyof typeof files, string>>): void {
  writing(folder, () => {
    for (const kind of ['markdown', 'json'] as const) writeFileSync(join(folder, files[kind]), texts[kind]);
  });
}

function writing(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UsageError(`cannot write into the folder "${folder}": ${(error as Error).message}`);
  }
}
