// Fixture files from a folder: every *.json in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFixtures } from '../contract/files.ts';
import type { FixtureFile, Fixtures } from '../contract/fixtures.ts';
import { UsageError } from './usage-error.ts';

/**
 * The fixtures of a folder.
 * @throws UsageError for a folder or file that cannot be read or is no JSON; FixturesError for what stands in them.
 */
export function loadFixtures(folder: string): Fixtures {
  const names = listed(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (names.length === 0) throw new UsageError(`the fixtures folder "${folder}" has no .json file`);
  return readFixtures(names.map((name) => read(folder, name)));
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'there is none' : (error as Error).message;
    throw new UsageError(`cannot read the fixtures folder "${folder}" (${resolve(folder)}): ${why}`);
  }
}

function read(folder: string, name: string): FixtureFile {
  const path = join(folder, name);
  try {
    return { name: path, content: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`);
  }
}
