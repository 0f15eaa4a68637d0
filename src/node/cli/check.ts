// `sachet check`: checks fixture and scenario files, and prints every fault.
import type { Command } from 'commander';
import { type FileFault, FilesError, faultLine } from '../../contract/file-errors.ts';
import { collectionNames } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { chooseScenarios, scenarioFaults } from '../../sandbox/scenarios.ts';
import { shippedScenarios } from '../../shipped.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { fixturesFolder, loadFixtures, loadScenarios, scenarioFileIn, scenariosFolder } from '../load-files.ts';
import { fixturesFlag, scenarioFlag, scenariosFlag, several } from './flags.ts';

interface CheckOptions {
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly scenario?: readonly string[];
}

export const add = (line: Command): Command =>
  line
    .command('check')
    .description('check fixture and scenario files; without a folder, the shipped ones')
    .addOption(fixturesFlag())
    .addOption(scenariosFlag('folder of scenario files'))
    .addOption(scenarioFlag(`scenario to check together with the others of this flag; ${several}`))
    .action(check);

/** @throws UsageError if there are faults, after each is printed on a line; UnknownScenarioError */
function check({ fixtures: base = fixturesFolder, scenarios: folder = scenariosFolder, scenario }: CheckOptions): void {
  const isOwn = folder !== scenariosFolder;
  const fixtures = tryToLoad(() => loadFixtures(base));
  const scenarios = tryToLoad(() => loadScenarios(folder));
  const { data } = fixtures;
  const own = new Set(scenarios.data?.map(({ name }) => name));
  const fileOf = (name: string) => scenarioFileIn(own.has(name) ? folder : scenariosFolder)(name);
  const tried = (some: readonly Scenario[], together: boolean): FileFault[] =>
    data ? scenarioFaults(some, { fixtures: data, together, fileOf }) : [];
  const unfit = tried(scenarios.data ?? [], false);
  const shipped = isOwn ? shippedScenarios() : [];
  const chosen = scenarios.data ? chooseScenarios([...scenarios.data, ...shipped], scenario) : [];
  // Own scenarios that do not fit are errors anyway; shipped ones only if they are chosen.
  const conflicts = isOwn && unfit.length > 0 ? [] : tried(chosen, true);
  if (data) {
    const counts = collectionNames.map((name) => `${data[name].length} ${name}`);
    print(`ok fixtures in ${base}: ${counts.join(', ')}`);
  }
  if (scenarios.data && unfit.length === 0) {
    const names = scenarios.data.map(({ name }) => name);
    print(`ok scenarios in ${folder}: ${names.length} (${names.join(', ')})`);
    if (chosen.length > 1 && conflicts.length === 0) print(`ok together: ${scenario?.join(', ')}`);
  }
  // The user's own fixtures need not fit the shipped scenarios.
  if (unfit.length > 0 && !isOwn)
    print(
      'note: these shipped scenarios do not fit the fixtures and cannot be applied: ' +
        `${[...new Set(unfit.map(({ file }) => file))].join(', ')}`,
    );
  const faults = [...fixtures.faults, ...scenarios.faults, ...(isOwn ? unfit : []), ...conflicts];
  if (faults.length === 0) return;
  process.stderr.write(faults.map((fault) => `${faultLine(fault)}\n`).join(''));
  const files = new Set(faults.map(({ file }) => file)).size;
  throw new UsageError(`${counted(faults.length, 'error')} in ${counted(files, 'file')}`);
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

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
