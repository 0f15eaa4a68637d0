// `sachet init DIR`: writes the shipped fixtures and scenarios into a folder. Overwrites nothing.
import { lstatSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { shellWord } from '../../contract/addresses.ts';
import { commandName } from '../../system/command-name.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { jsonPaths, textOf } from '../load-files.ts';
import { fixturesFolder, scenariosFolder } from '../shipped-files.ts';
import { makeFolder, tryToWrite } from './results.ts';
import { marks, table } from './table.ts';

/** Folders of files, and the scenarios that every sandbox starts with. */
interface CheckedFiles {
  readonly fixtures: string;
  readonly scenarios: string;
  readonly config?: string | undefined;
  readonly scenario?: readonly string[] | undefined;
}

export const add = (line: Command): Command =>
  line
    .command('init')
    .description('write the shipped fixtures and scenarios into a folder')
    .argument('<dir>', 'folder to create fixtures/ and scenarios/ in')
    .action(init);

/** The most existing files that the message names. */
const maxNamed = 3;

function init(folder: string): void {
  if (folder === '') throw new UsageError('the folder name is empty; pass a path, such as .');
  tryToWrite(folder, () => makeFolder(folder));
  const [toFixtures, toScenarios] = [join(folder, 'fixtures'), join(folder, 'scenarios')];
  const fixtures = copies(fixturesFolder, toFixtures);
  const scenarios = copies(scenariosFolder, toScenarios);
  const all = [...fixtures, ...scenarios];
  // lstat also finds a broken link.
  const exists = (path: string) => tryToWrite(path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  const existing = all.map(({ to }) => to).filter(exists);
  const more = existing.length - maxNamed;
  if (existing.length > 0)
    throw new UsageError(
      `nothing was written because these files already exist: ${existing.slice(0, maxNamed).join(', ')}` +
        `${more > 0 ? `, and ${more} more` : ''}; move them away, or pass another folder`,
    );
  // Folders first: if one cannot be made, no file is written.
  for (const path of new Set(all.map(({ to }) => dirname(to)))) tryToWrite(path, () => makeFolder(path));
  for (const { from, to } of all) tryToWrite(to, () => writeFileSync(to, textOf(from), { flag: 'wx' }));
  const rows = table([
    [marks.pass(), 'fixtures', toFixtures, `${fixtures.length} files`],
    [marks.pass(), 'scenarios', toScenarios, `${scenarios.length} files`],
  ]);
  const next = startCommand({ fixtures: toFixtures, scenarios: toScenarios });
  process.stdout.write([...rows, '', next, ''].join('\n'));
}

/** The next step: how to start a server with these folders and scenarios. */
export function startCommand({ fixtures, scenarios, scenario = [], config = '' }: CheckedFiles): string {
  const given = {
    '--fixtures': fixtures,
    '--scenarios': scenarios,
    '--scenario': scenario.join(','),
    '--config': config,
  };
  const flags = Object.entries(given).flatMap(([flag, value]) => (value ? [flag, shellWord(value)] : []));
  return `Start a server with them:\n\n${[commandName, ...flags].join(' ')}`;
}

const copies = (shipped: string, folder: string) =>
  jsonPaths('shipped', shipped).map((from) => ({ from, to: join(folder, basename(from)) }));
