// `sachet check`: whether fixture and scenario files are good, and if not, every place where they are not.
import type { Command } from 'commander';
import { type FileFault, FilesError, faultLine } from '../../contract/file-errors.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { collectionNames } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { misfits } from '../../sandbox/scenarios.ts';
import { UsageError } from '../../stores/errors.ts';
import { fixturesFolder, loadFixtures, loadScenarios, scenarioFileIn, scenariosFolder } from '../load-files.ts';
import { fixturesFlag, scenariosFlag } from './flags.ts';

interface CheckOptions {
  readonly fixtures?: string;
  readonly scenarios?: string;
}

export function addCheck(program: Command): void {
  program
    .command('check')
    .description('check fixture and scenario files; the shipped ones where no folder is given')
    .addOption(fixturesFlag())
    .addOption(scenariosFlag('folder of scenario files'))
    .action(check);
}

function check({ fixtures: base = fixturesFolder, scenarios: folder = scenariosFolder }: CheckOptions): void {
  const isOwn = folder !== scenariosFolder;
  const fixtures = loaded(() => loadFixtures(base));
  const scenarios = loaded(() => loadScenarios(folder));
  const unfit = fixtures.data && scenarios.data ? misfits(scenarios.data, fixtures.data, scenarioFileIn(folder)) : [];
  if (fixtures.data) tell(`ok fixtures in ${base}: ${counts(fixtures.data)}`);
  if (scenarios.data && unfit.length === 0) tell(`ok scenarios in ${folder}: ${namesOf(scenarios.data)}`);
  if (unfit.length > 0 && !isOwn) tell(note(unfit));
  refuse([...fixtures.faults, ...scenarios.faults, ...(isOwn ? unfit : [])]);
}

function loaded<T>(load: () => T): { readonly data?: T; readonly faults: readonly FileFault[] } {
  try {
    return { data: load(), faults: [] };
  } catch (error) {
    if (error instanceof FilesError) return { faults: error.faults };
    throw error;
  }
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

const counts = (fixtures: Fixtures): string =>
  collectionNames.map((name) => `${fixtures[name].length} ${name}`).join(', ');

const namesOf = (scenarios: readonly Scenario[]): string =>
  `${scenarios.length} (${scenarios.map(({ name }) => name).join(', ')})`;

/** Fixtures of one's own need not hold what the shipped scenarios change. */
const note = (misfits: readonly FileFault[]): string =>
  `note: these shipped scenarios do not fit the fixtures, and are refused when applied: ${[...new Set(misfits.map(({ file }) => file))].join(', ')}`;

/** @throws UsageError when there are faults, after each was told on a line of its own. */
function refuse(faults: readonly FileFault[]): void {
  if (faults.length === 0) return;
  process.stderr.write(faults.map((fault) => `${faultLine(fault)}\n`).join(''));
  const files = new Set(faults.map(({ file }) => file)).size;
  throw new UsageError(`${counted(faults.length, 'fault')} in ${counted(files, 'file')}`);
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
