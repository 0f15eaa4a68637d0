// Loads fixtures and scenarios from folders: every *.json in them. Also loads config files.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { printable } from '../client/printable.ts';
import { ConfigError, type FileFault, FixturesError, ScenariosError } from '../contract/file-errors.ts';
import { type Fixtures, readFixtures } from '../contract/fixtures.ts';
import { readConfig, type SachetConfig } from '../contract/observations.ts';
import { readScenarios, type Scenario } from '../contract/scenarios.ts';
import { effectiveScenarios } from '../shipped.ts';
import { UsageError } from '../system/exit-errors.ts';
import { shippedTexts } from './shipped-files.ts';

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

/**
 * The config of a file, as `sachet learn` writes it.
 * @throws UsageError for a file that cannot be read; ConfigError with every fault of the file
 */
export function loadConfig(path: string): SachetConfig {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
    return readConfig({ name: path, content: JSON.parse(text) });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof SyntaxError) throw new ConfigError([invalidJson(path, text, error)]);
    throw unreadable('config file', path, error as Error);
  }
}

/** The shipped scenarios and those of the user's folder, which must fit the fixtures if these are given. */
export const scenariosWith = (own: string | undefined, fixtures?: Fixtures): Scenario[] =>
  own === undefined
    ? effectiveScenarios([], undefined)
    : effectiveScenarios(loadScenarios(own), fixtures, scenarioFileIn(own));

/** Returns the path of a scenario's file, for messages. */
export const scenarioFileIn = (folder: string) => (name: string) => join(folder, `${name}.json`);

/** The paths of the JSON files of a folder. */
export function jsonPaths(what: string, folder: string): string[] {
  const shipped = Object.keys(shippedTexts).filter((path) => dirname(path) === folder);
  if (shipped.length > 0) return shipped;
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    throw unreadable(`${what} folder`, folder, error as Error);
  }
  if (names.length === 0) throw new UsageError(`the ${what} folder "${folder}" has no .json file`);
  return names.sort().map((name) => join(folder, name));
}

/** The text of a file, shipped or not. */
export const textOf = (path: string): string => shippedTexts[path] ?? readFileSync(path, 'utf8');

function unreadable(what: string, path: string, { code, message }: NodeJS.ErrnoException): UsageError {
  const why = code === 'ENOENT' ? 'it does not exist' : message;
  const place = isAbsolute(path) ? '' : ` (${resolve(path)})`;
  return new UsageError(`cannot read the ${what} "${path}"${place}: ${why}`);
}

function jsonFiles(what: string, folder: string, Unusable: typeof FixturesError | typeof ScenariosError) {
  const faults: FileFault[] = [];
  const files = jsonPaths(what, folder).map((path) => {
    let text = '';
    try {
      text = textOf(path);
      return { name: path, content: JSON.parse(text) as unknown };
    } catch (error) {
      faults.push(invalidJson(path, text, error as Error));
      return { name: path, content: undefined };
    }
  });
  if (faults.length > 0) throw new Unusable(faults);
  return files;
}

const invalidJson = (file: string, text: string, error: Error): FileFault => ({
  file,
  path: '$',
  found: `invalid JSON (${jsonError(text, error)})`,
  expected: 'valid JSON',
});

/** The error of JSON.parse with the line and column, which older versions of Node do not give. */
function jsonError(text: string, { message }: Error): string {
  const offset = errorOffset(text, message);
  if (offset === undefined) return message;
  const lines = text.slice(0, offset).split('\n');
  const reason = message.replace(/ (?:in JSON )?at position .*|, (?:\.\.\.)?".*/s, '');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: ${printable(reason)}`;
}

const unexpectedToken = /^Unexpected token/;

/** Where the text stops being JSON; undefined for an error that is not about JSON. */
function errorOffset(text: string, message: string): number | undefined {
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (message === 'Unexpected end of JSON input') return text.length;
  if (!unexpectedToken.test(message)) return undefined;
  // This error has no position. It occurs in exactly those beginnings of the text that contain the token.
  let [before, after] = [0, text.length];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (unexpectedToken.test(parseError(text.slice(0, middle)))) after = middle;
    else before = middle;
  }
  return before;
}

/** The message of JSON.parse; empty for valid JSON. */
function parseError(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
