// `sachet init DIR`: the shipped fixtures and scenarios as files of one's own. Overwrites nothing.
import { constants, copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { shellWord } from '../../contract/addresses.ts';
import { UsageError } from '../../stores/errors.ts';
import { fixturesFolder, jsonNames, scenariosFolder } from '../load-files.ts';

interface Copy {
  readonly from: string;
  readonly to: string;
}

export function addInit(program: Command): void {
  program
    .command('init')
    .description('write the shipped fixtures and scenarios into a folder')
    .argument('<dir>', 'where fixtures/ and scenarios/ are to stand')
    .action(init);
}

function init(folder: string): void {
  if (folder === '') throw new UsageError('the folder to write into has no name; give a path, such as .');
  const fixtures = copies(fixturesFolder, join(folder, 'fixtures'));
  const scenarios = copies(scenariosFolder, join(folder, 'scenarios'));
  const all = [...fixtures, ...scenarios];
  const taken = all.filter(({ to }) => isThere(to)).map(({ to }) => to);
  if (taken.length > 0)
    throw new UsageError(`nothing was written, as these files are there already: ${taken.join(', ')}`);
  // All folders before the first file: where one cannot be made, nothing is written.
  for (const path of new Set(all.map(({ to }) => dirname(to))))
    written(path, () => mkdirSync(path, { recursive: true }));
  for (const { from, to } of all) written(to, () => copyFileSync(from, to, constants.COPYFILE_EXCL));
  const flags = `--fixtures ${shellWord(join(folder, 'fixtures'))} --scenarios ${shellWord(join(folder, 'scenarios'))}`;
  process.stdout.write(
    `Wrote ${fixtures.length} fixture files and ${scenarios.length} scenario files. Start with them:\n\nsachet ${flags}\n`,
  );
}

const copies = (shipped: string, folder: string): Copy[] =>
  jsonNames('shipped', shipped).map((name) => ({ from: join(shipped, name), to: join(folder, name) }));

/** Also for a link that leads nowhere. */
const isThere = (path: string): boolean =>
  written(path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);

/** What cannot be done with a file or folder is told with its path. */
function written<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${(error as Error).message}`);
  }
}
