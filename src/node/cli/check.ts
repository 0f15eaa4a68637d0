// `sachet check`: checks fixture and scenario files, and prints every fault.
import type { Command } from 'commander';
import { type FileFault, FilesError, faultLine } from '../../contract/file-errors.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { collectionNames } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { scenarioFaults } from '../../sandbox/scenarios.ts';
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
  const fixtures = tryToLoad(() => loadFixtures(base));
  const scenarios = tryToLoad(() => loadScenarios(folder));
  const unfit =
    fixtures.data && scenarios.data ? scenarioFaults(scenarios.data, fixtures.data, scenarioFileIn(folder)) : [];
  if (fixtures.data) print(`ok fixtures in ${base}: ${counts(fixtures.data)}`);
  if (scenarios.data && unfit.length === 0) print(`ok scenarios in ${folder}: ${namesOf(scenarios.data)}`);
  if (unfit.length > 0 && !isOwn) print(misfitNote(unfit));
  refuseFaults([...fixtures.faults, ...scenarios.faults, ...(isOwn ? unfit : [])]);
}

function tryToLoad<T>(load: () => T): { readonly data?: T; readonly faults: readonly FileFault[] } {
  try {
    return { data: load(), faults: [] };
  } catch (error) {
    if (error instanceof FilesError) return { faults: error.faults };
    throw error;
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const counts = (fixtures: Fixtures): string =>
  collectionNames.map((name) => `${fixtures[name].length} ${name}`).join(', ');

const namesOf = (scenarios: readonly Scenario[]): string =>
  `${scenarios.length} (${scenarios.map(({ name }) => name).join(', ')})`;

/** The user's own fixtures need not fit the shipped scenarios. */
const misfitNote = (scenarioFaults: readonly FileFault[]): string =>
  `note: these shipped scenarios do not fit the fixtures, and are refused when applied: ${[...new Set(scenarioFaults.map(({ file }) => file))].join(', ')}`;

/** Prints each fault on a line. @throws UsageError if there are any */
function refuseFaults(faults: readonly FileFault[]): void {
  if (faults.length === 0) return;
  process.stderr.write(faults.map((fault) => `${faultLine(fault)}\n`).join(''));
  const files = new Set(faults.map(({ file }) => file)).size;
  throw new UsageError(`${counted(faults.length, 'fault')} in ${counted(files, 'file')}`);
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
