// Loads fixtures and scenarios from folders: every *.json in them.
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileFault, FixturesError, ScenariosError } from '../contract/file-errors.ts';
import { type Fixtures, readFixtures } from '../contract/fixtures.ts';
import { readScenarios, type Scenario } from '../contract/scenarios.ts';
import { effectiveScenarios } from '../shipped.ts';
import { UsageError } from '../system/exit-errors.ts';

/**
 * The fixtures of a folder: every `*.json` in it, as `sachet init` writes them.
 * @throws Error for a folder that cannot be read; FixturesError with every fault of its files
 * @example const server = await serve({ fixtures: loadFixtures('./fixtures') });
 */
export function loadFixtures(folder: string): Fixtures {
  return readFixtures(jsonFiles('fixtures', folder, FixturesError));
}

/**
 * The scenarios of a folder.
 * @throws Error for a folder that cannot be read; ScenariosError with every fault of its files
 * @example await serve({ scenarios: loadScenarios('./scenarios') });
 */
export function loadScenarios(folder: string): Scenario[] {
  return readScenarios(jsonFiles('scenarios', folder, ScenariosError));
}

/** The shipped scenarios and those of the user's folder, which must fit the fixtures if these are given. */
export const scenariosWith = (own: string | undefined, fixtures?: Fixtures): Scenario[] =>
  own === undefined
    ? effectiveScenarios([], undefined)
    : effectiveScenarios(loadScenarios(own), fixtures, scenarioFileIn(own));

/** Returns the path of a scenario's file, for messages. */
export const scenarioFileIn = (folder: string) => (name: string) => join(folder, `${name}.json`);

/** The names of the JSON files of a folder. */
export function jsonNames(what: string, folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'it does not exist' : message;
    const place = isAbsolute(folder) ? '' : ` (${resolve(folder)})`;
    throw new UsageError(`cannot read the ${what} folder "${folder}"${place}: ${why}`);
  }
  if (names.length === 0) throw new UsageError(`the ${what} folder "${folder}" has no .json file`);
  return names.sort();
}

function jsonFiles(what: string, folder: string, Unusable: typeof FixturesError | typeof ScenariosError) {
  const faults: FileFault[] = [];
  const files = jsonNames(what, folder).map((name) => {
    const path = join(folder, name);
    try {
      return { name: path, content: JSON.parse(readFileSync(path, 'utf8')) as unknown };
    } catch (error) {
      faults.push({
        file: path,
        path: '$',
        found: `invalid JSON (${(error as Error).message})`,
        expected: 'valid JSON',
      });
      return { name: path, content: undefined };
    }
  });
  if (faults.length > 0) throw new Unusable(faults);
  return files;
}

const packageFolder = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));

/** The shipped files, next to the folder of the built command. */
export const fixturesFolder = packageFolder('fixtures');
export const scenariosFolder = packageFolder('scenarios');
