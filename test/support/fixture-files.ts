// The shipped fixture files with changes.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FixturesError } from '../../src/contract/file-errors.ts';
import { type FixtureFile, readFixtures } from '../../src/contract/fixtures.ts';
import { folder } from './command.ts';

/** One change of a file: the value at this path; undefined removes it. */
export interface Change {
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly to: unknown;
}

/** All shipped files, parsed anew, after these changes. */
export function fixtureFiles(...changes: readonly Change[]): FixtureFile[] {
  const files = shippedFiles('fixtures').map(({ name, content }) => ({ name: basename(name), content }));
  for (const { file, path, to } of changes) {
    const found = files.find(({ name }) => name === file);
    if (!found) files.push({ name: file, content: to });
    else if (path.length === 0) found.content = to;
    else put(found.content, path, to);
  }
  return files;
}

function put(content: unknown, path: readonly (string | number)[], to: unknown): void {
  const place = path.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], content) as object;
  const key = path.at(-1) ?? '';
  if (to === undefined) Reflect.deleteProperty(place, key);
  else Reflect.set(place, key, to);
}

/** A folder of the shipped files with these changes. */
export const changedFolder = (...changes: readonly Change[]): string =>
  folder(Object.fromEntries(fixtureFiles(...changes).map(({ name, content }) => [name, JSON.stringify(content)])));

/** A folder of the shipped files in which the user `demo` has another name. */
export const fixturesWithUser = (username: string): string =>
  changedFolder({ file: 'accounts.json', path: ['users', 0, 'username'], to: username });

/** The faults after these changes, or of these files. */
export function faultsOf(files: readonly FixtureFile[]): FixturesError['faults'] {
  try {
    readFixtures(files);
  } catch (error) {
    if (error instanceof FixturesError) return error.faults;
    throw error;
  }
  return [];
}

/** `$.users[1].role` of a path. */
export const written = (path: readonly (string | number)[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).reduce((text, part) => text + part, '$');

/** Every JSON file of a shipped folder, named as a path from the repository's root. */
export function shippedFiles(folder: 'fixtures' | 'scenarios'): { name: string; content: unknown }[] {
  const path = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  return readdirSync(path)
    .sort()
    .map((name) => ({
      name: `${folder}/${name}`,
      content: JSON.parse(readFileSync(`${path}/${name}`, 'utf8')) as unknown,
    }));
}
