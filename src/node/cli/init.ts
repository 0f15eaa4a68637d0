// `sachet init DIR`: writes the shipped fixtures and scenarios into a folder. Overwrites nothing.
import { constants, copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { shellWord } from '../../contract/addresses.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { fixturesFolder, jsonNames, scenariosFolder } from '../load-files.ts';
import { tryToWrite } from './results.ts';

export const add = (line: Command): Command =>
  line
    .command('init')
    .description('write the shipped fixtures and scenarios into a folder')
    .argument('<dir>', 'folder to create fixtures/ and scenarios/ in')
    .action(init);

function init(folder: string): void {
  if (folder === '') throw new UsageError('the folder name is empty; pass a path, such as .');
  const fixtures = copies(fixturesFolder, join(folder, 'fixtures'));
  const scenarios = copies(scenariosFolder, join(folder, 'scenarios'));
  const all = [...fixtures, ...scenarios];
  // lstat also finds a broken link.
  const exists = (path: string) => tryToWrite(path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  const existing = all.map(({ to }) => to).filter(exists);
  if (existing.length > 0)
    throw new UsageError(`nothing was written because these files already exist: ${existing.join(', ')}`);
  // Folders first: if one cannot be made, no file is written.
  for (const path of new Set(all.map(({ to }) => dirname(to))))
    tryToWrite(path, () => mkdirSync(path, { recursive: true }));
  for (const { from, to } of all) tryToWrite(to, () => copyFileSync(from, to, constants.COPYFILE_EXCL));
  const flags = `--fixtures ${shellWord(join(folder, 'fixtures'))} --scenarios ${shellWord(join(folder, 'scenarios'))}`;
  process.stdout.write(
    `Wrote ${fixtures.length} fixture files and ${scenarios.length} scenario files. Start a server with them:\n\n` +
      `npx --no -- sachet ${flags}\n`,
  );
}

const copies = (shipped: string, folder: string) =>
  jsonNames('shipped', shipped).map((name) => ({ from: join(shipped, name), to: join(folder, name) }));
