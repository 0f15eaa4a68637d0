// `sachet check`: checks fixture, scenario and config files, and prints every fault.
import type { Command } from 'commander';
import { counted } from '../../client/printable.ts';
import { type FileFault, FilesError, faultLine } from '../../contract/file-errors.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { collectionNames } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { chooseScenarios, scenarioFaults } from '../../sandbox/scenarios.ts';
import { shippedScenarios } from '../../shipped.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { loadConfig, loadFixtures, loadScenarios, scenarioFileIn } from '../load-files.ts';
import { fixturesFolder, scenariosFolder } from '../shipped-files.ts';
import { configFlag, fixturesFlag, scenarioFlag, scenariosFlag, several } from './flags.ts';
import { startCommand } from './init.ts';
import { marks, styled, table } from './table.ts';

interface CheckOptions {
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly config?: string;
  readonly scenario?: readonly string[];
}

export const add = (line: Command): Command =>
  line
    .command('check')
    .description('check fixture, scenario and config files; without a folder, the shipped fixtures and scenarios')
    .addOption(fixturesFlag())
    .addOption(scenariosFlag('folder of scenario files'))
    .addOption(configFlag('config file, as sachet learn writes it'))
    .addOption(scenarioFlag(`scenario to check together with the others of this flag; ${several}`))
    .action(check);

/** @throws UsageError if there are faults; UnknownScenarioError */
function check(options: CheckOptions): void {
  const { fixtures: base = fixturesFolder, scenarios: folder = scenariosFolder, scenario } = options;
  const isOwn = folder !== scenariosFolder;
  const fixtures = tryToLoad(() => loadFixtures(base));
  const scenarios = tryToLoad(() => loadScenarios(folder));
  const config = checkConfig(options);
  const { data } = fixtures;
  const ownNames = new Set(scenarios.data?.map(({ name }) => name));
  const fileOf = (name: string) => scenarioFileIn(ownNames.has(name) ? folder : scenariosFolder)(name);
  const tried = (some: readonly Scenario[], together: boolean): FileFault[] =>
    data ? scenarioFaults(some, { fixtures: data, together, fileOf }) : [];
  const unfit = tried(scenarios.data ?? [], false);
  const shipped = isOwn ? shippedScenarios() : [];
  const chosen = scenarios.data ? chooseScenarios([...scenarios.data, ...shipped], scenario) : [];
  // Own scenarios that do not fit are errors anyway; shipped ones only if they are chosen.
  const areTried = data !== undefined && !(isOwn && unfit.length > 0);
  const conflicts = areTried ? tried(chosen, true) : [];
  const scenarioErrors = [...scenarios.faults, ...(isOwn ? unfit : [])];
  const rows = [
    row('fixtures', base, fixtures.faults, data && countsOf(data)),
    row('scenarios', folder, scenarioErrors, scenarios.data && `${ownNames.size} (${[...ownNames].join(', ')})`),
    ...config.rows,
    ...(areTried ? rowsTogether(chosen, conflicts) : []),
  ];
  for (const line of table(rows)) print(line);
  // The user's own fixtures need not fit the shipped scenarios.
  if (unfit.length > 0 && !isOwn) print(unfitNote(unfit));
  endWith([...fixtures.faults, ...scenarioErrors, ...config.faults, ...conflicts]);
  printNextStep(base, folder, options);
}

/** With files of the user's own: how to start a server with them. */
function printNextStep(base: string, folder: string, { scenario, config }: CheckOptions): void {
  const fixtures = base === fixturesFolder ? '' : base;
  const scenarios = folder === scenariosFolder ? '' : folder;
  if (fixtures || scenarios || config) print(`\n${startCommand({ fixtures, scenarios, scenario, config })}`);
}

const countsOf = (fixtures: Fixtures): string =>
  collectionNames.map((name) => `${fixtures[name].length} ${name}`).join(', ');

/** The row of the config file, if one is given, and its faults. */
function checkConfig({ config: file }: CheckOptions): { rows: string[][]; faults: readonly FileFault[] } {
  if (file === undefined) return { rows: [], faults: [] };
  const { data, faults } = tryToLoad(() => loadConfig(file));
  const sizes = [data?.assumptions, data?.facts].map((part) => Object.keys(part ?? {}).length);
  const content = `${counted(sizes[0] ?? 0, 'choice')}, ${counted(sizes[1] ?? 0, 'fact')}`;
  return { rows: [row('config', file, faults, content)], faults };
}

const unfitNote = (unfit: readonly FileFault[]): string =>
  `${marks.warn()} these shipped scenarios do not fit the fixtures and cannot be applied: ` +
  [...new Set(unfit.map(({ file }) => file))].join(', ');

/** @throws UsageError if there are faults, after each is printed on a line */
function endWith(faults: readonly FileFault[]): void {
  if (faults.length === 0) return;
  process.stderr.write(faults.map((fault) => `${faultLine(fault)}\n`).join(''));
  const files = new Set(faults.map(({ file }) => file)).size;
  throw new UsageError(`${counted(faults.length, 'error')} in ${counted(files, 'file')}`);
}

/** A row of the printed table. */
const row = (what: string, where: string, faults: readonly FileFault[], content = ''): string[] =>
  faults.length === 0
    ? [marks.pass(), what, where, content]
    : [marks.fail(), what, where, styled('red', counted(faults.length, 'error'))];

/** Whether the chosen scenarios can be applied together, and what each replaces of the others. */
function rowsTogether(chosen: readonly Scenario[], conflicts: readonly FileFault[]): string[][] {
  if (chosen.length < 2) return [];
  const names = chosen.map(({ name }) => name).join(', ');
  const replaced = replacements(chosen).map((sentence) => [marks.warn(), 'together', sentence]);
  return [row('together', names, conflicts), ...replaced];
}

/** A sentence for each switch, choice and clock of a scenario that a later one replaces. */
function replacements(chosen: readonly Scenario[]): string[] {
  const setBy = new Map<string, string>();
  return chosen.flatMap(({ name, switches = {}, assumptions = {}, clock }) =>
    [
      ...Object.keys(switches).map((id) => `the switch ${id}`),
      ...Object.keys(assumptions).map((id) => `the choice of ${id}`),
      ...(clock ? ['the clock'] : []),
    ].flatMap((what) => {
      const earlier = setBy.get(what);
      setBy.set(what, name);
      return earlier === undefined ? [] : [`${name} replaces ${what} of ${earlier}`];
    }),
  );
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
