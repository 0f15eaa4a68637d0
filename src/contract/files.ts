// Fixture files: an object of collections each; together they must be whole and agree with one another.
import { z } from 'zod';
import { type FileFault, FixturesError, faultsOfFile } from './file-faults.ts';
import type { FixtureFile, Fixtures } from './fixtures.ts';
import { collectionNames, collections, singleNames, singles } from './records.ts';
import { faultyReferences } from './references.ts';

const knownNames = [...collectionNames, ...singleNames];
const fileSchema = z.strictObject({
  ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name]).optional()])),
  ...Object.fromEntries(singleNames.map((name) => [name, singles[name].optional()])),
});

/** Read once, so compiling the schemas would cost more than it saves: 10 ms of the start. */
const parsing = { reportInput: true, jitless: true } as const;

/**
 * Fixtures from files: checked by schema, merged, then checked for unique ids and references.
 * @throws FixturesError with every fault of the first check that fails.
 * @example readFixtures([{ name: 'fixtures/accounts.json', content: JSON.parse(text) }, …])
 */
export function readFixtures(files: readonly FixtureFile[]): Fixtures {
  const merge = new Merge();
  const faults = files.flatMap(({ name, content }) => {
    const parsed = parse(content);
    if (!parsed) return [{ file: name, path: '$', found: 'more faults than can be told', expected: 'a fixture file' }];
    return parsed.success ? merge.add(name, parsed.data) : faultsOfFile(name, parsed.error, knownNames);
  });
  if (faults.length > 0) throw new FixturesError(faults);
  const unsound = [...merge.missing(), ...faultyReferences(merge.fixtures, merge.origins)];
  if (unsound.length > 0) throw new FixturesError(unsound);
  return merge.fixtures;
}

/** zod hands faults on as arguments of a call, of which there is a largest number. */
function parse(content: unknown) {
  try {
    return fileSchema.safeParse(content, parsing);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
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
