// Fixtures and scenarios from folders: every *.json in one.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type FileFault, FilesError, ScenariosError } from '../contract/file-faults.ts';
import { readFixtures } from '../contract/files.ts';
import type { FixtureFile, Fixtures } from '../contract/fixtures.ts';
import { readScenarios, type Scenario } from '../contract/scenarios.ts';
import { scenarioFaults } from '../control/scenario-fit.ts';
import { shippedScenarios } from './shipped.ts';
import { UsageError } from './usage-error.ts';

/**
 * The fixtures of a folder.
 * @throws UsageError for a folder that cannot be read; FilesError for what stands in its files.
 */
export function loadFixtures(folder: string): Fixtures {
  return readFixtures(jsonFiles('fixtures', folder));
}

/** The scenarios of a folder; throws as loadFixtures. */
export function loadScenarios(folder: string): Scenario[] {
  return readScenarios(jsonFiles('scenarios', folder));
}

/**
 * The shipped scenarios and those of a folder of one's own, by name; one of the same name replaces the shipped one. One's own must
 * fit the fixtures. A shipped one need not, since the fixtures may be one's own, too: it is refused where it is applied.
 */
export function offeredScenarios(own: string | undefined, fixtures?: Fixtures): Scenario[] {
  const ofFolder = own === undefined ? [] : loadScenarios(own);
  const faults = own === undefined || !fixtures ? [] : unfit(ofFolder, fixtures, own);
  if (faults.length > 0) throw new ScenariosError(faults);
  const byName = new Map(
    [...loadScenarios(shippedScenarios), ...ofFolder].map((scenario) => [scenario.name, scenario]),
  );
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Why scenarios of a folder do not fit the fixtures. */
export const unfit = (scenarios: readonly Scenario[], fixtures: Fixtures, folder: string): FileFault[] =>
  scenarios.flatMap((scenario) => scenarioFaults(scenario, fixtures, join(folder, `${scenario.name}.json`)));

/** The names of the JSON files of a folder. */
export function jsonNames(what: string, folder: string): string[] {
  const names = listed(what, folder).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new UsageError(`the ${what} folder "${folder}" has no .json file`);
  return names.sort();
}

function jsonFiles(what: string, folder: string): FixtureFile[] {
  const faults: FileFault[] = [];
  const files = jsonNames(what, folder).map((name) => {
    const path = join(folder, name);
    try {
      return { name: path, content: JSON.parse(readFileSync(path, 'utf8')) as unknown };
    } catch (error) {
      faults.push({ file: path, path: '$', found: (error as Error).message, expected: 'JSON' });
      return { name: path, content: undefined };
    }
  });
  if (faults.length > 0) throw new FilesError(faults);
  return files;
}

function listed(what: string, folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'there is none' : (error as Error).message;
    throw new UsageError(`cannot read the ${what} folder "${folder}" (${resolve(folder)}): ${why}`);
  }
}
