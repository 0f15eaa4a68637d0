// Fixture files: an object of collections each; together they must be whole and agree with one another.
import { z } from 'zod';
import { type FileFault, FixturesError } from './file-faults.ts';
import type { FixtureFile, Fixtures } from './fixtures.ts';
import { parseFile } from './parse-file.ts';
import { collectionNames, collections, singleNames, singles } from './records.ts';
import { faultyReferences } from './references.ts';

/** Made where files are read: a start without any does without it. */
const fileSchema = () =>
  z.strictObject({
    ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name]).optional()])),
    ...Object.fromEntries(singleNames.map((name) => [name, singles[name].optional()])),
  });

/**
 * Fixtures from files: checked by schema, merged, then checked for unique ids and references.
 * @throws FixturesError with every fault of the first check that fails.
 * @example readFixtures([{ name: 'fixtures/accounts.json', content: JSON.parse(text) }, …])
 */
export function readFixtures(files: readonly FixtureFile[]): Fixtures {
  const merge = new Merge();
  const schema = fileSchema();
  const faults = files.flatMap((file) => {
    const { data, faults } = parseFile(schema, file);
    return faults ?? merge.add(file.name, data);
  });
  if (faults.length > 0) throw new FixturesError(faults);
  const unsound = [...merge.missing(), ...faultyReferences(merge.fixtures, merge.origins)];
  if (unsound.length > 0) throw new FixturesError(unsound);
  return merge.fixtures;
}

class Merge {
  readonly #merged: Record<string, unknown> = Object.fromEntries(collectionNames.map((name) => [name, []]));
  readonly #singleFiles = new Map<string, string>();
  readonly origins = new Map<object, { file: string; path: string }>();

  get fixtures(): Fixtures {
    return this.#merged as unknown as Fixtures;
  }

  /** Adds a file's content; a resource that there is one of, and that stood in a file before, is a fault. */
  add(file: string, content: object): FileFault[] {
    return Object.entries(content).flatMap(([key, value]) => {
      if (Array.isArray(value)) return this.#addRecords(file, key, value);
      const former = this.#singleFiles.get(key);
      this.#singleFiles.set(key, file);
      this.#merged[key] = value;
      return former
        ? [{ file, path: `$.${key}`, found: `another one in ${former}`, expected: 'it in one file only' }]
        : [];
    });
  }

  #addRecords(file: string, key: string, records: readonly object[]): FileFault[] {
    for (const [index, record] of records.entries()) this.origins.set(record, { file, path: `$.${key}[${index}]` });
    this.#merged[key] = [...(this.#merged[key] as object[]), ...records];
    return [];
  }

  missing(): FileFault[] {
    const absent = singleNames.filter((name) => !(name in this.#merged));
    return absent.map((name) => ({
      file: '(all files)',
      path: `$.${name}`,
      found: 'nothing',
      expected: 'it in one file',
    }));
  }
}
