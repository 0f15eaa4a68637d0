// The folder that the reports of a certification are written into.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { prepareFile, writeReport } from '../report-files.ts';

const files = { markdown: 'certification.md', json: 'certification.json' } as const;
const kinds = ['markdown', 'json'] as const;

const into = (folder: string): string => `into the folder "${folder}"`;

/**
 * Makes the folder, before anything is done, and takes away the reports that an earlier walk has left there.
 * @throws UsageError where the reports cannot be written there.
 */
export function prepareOut(folder: string): void {
  const paths = kinds.map((kind) => join(folder, files[kind]));
  for (const path of paths) prepareFile(path, into(folder));
  for (const path of paths) if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
}

/** @throws UsageError where they cannot be written there. */
export function writeOut(folder: string, texts: Readonly<Record<keyof typeof files, string>>): void {
  for (const kind of kinds) writeReport(join(folder, files[kind]), into(folder), texts[kind]);
}
