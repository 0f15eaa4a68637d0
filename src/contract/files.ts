// Fixture files: an object of collections each; together they must be whole and agree with one another.
import { z } from 'zod';
import {
  type CollectionName,
  collectionNames,
  collections,
  type RecordOf,
  type SingleName,
  type SingleOf,
  singleNames,
  singles,
} from './records.ts';
import { faultyReferences } from './references.ts';

/** All data a sandbox is born from. */
export type Fixtures = { readonly [Name in CollectionName]: readonly RecordOf<Name>[] } & {
  readonly [Name in SingleName]: SingleOf<Name>;
};

/** A parsed JSON file and the name to say in a fault. */
export interface FixtureFile {
  readonly name: string;
  readonly content: unknown;
}

/** A fault of a fixture file: where, what was found, what was expected. */
export interface FileFault {
  readonly file: string;
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/** The fixtures are not usable. The message has one line per fault. */
export class FixturesError extends Error {
  readonly faults: readonly FileFault[];
  constructor(faults: readonly FileFault[]) {
    super(
      faults
        .map(({ file, path, found, expected }) => `${file} ${path}: found ${found}, expected ${expected}`)
        .join('\n'),
    );
    this.faults = faults;
  }
}

const fileSchema = z.strictObject({
  ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name]).optional()])),
  ...Object.fromEntries(singleNames.map((name) => [name, singles[name].optional()])),
});

/**
 * Fixtures from files: checked by schema, merged, then checked for unique ids and references.
 * @throws FixturesError with every fault of the first check that fails.
 */
export function readFixtures(files: readonly FixtureFile[]): Fixtures {
  const faults = files.flatMap(({ name, content }) => schemaFaults(name, content));
  if (faults.length > 0) throw new FixturesError(faults);
  const { fixtures, origins } = merge(files);
  const missing = singleNames.filter((name) => !(name in fixtures));
  const unsound = [...missing.map(missingSingle), ...faultyReferences(fixtures, origins)];
  if (unsound.length > 0) throw new FixturesError(unsound);
  return fixtures;
}

function schemaFaults(file: string, content: unknown): FileFault[] {
  const parsed = fileSchema.safeParse(content, { reportInput: true });
  return (parsed.error?.issues ?? []).map((issue) => ({
    file,
    path: jsonPath(issue.path),
    found: issue.code === 'unrecognized_keys' ? `the unknown key ${quoted(issue.keys[0])}` : quoted(issue.input),
    expected: expectation(issue),
  }));
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.path.length === 0 ? `one of ${knownNames()}` : 'only known keys';
  return issue.message.replace(/^Invalid (?:input|string|option): (?:expected )?/, '').replace(/, received .*$/, '');
}

const knownNames = () => [...collectionNames, ...singleNames].join(', ');

/** `$.orders[3].status`: a path a reader can follow in the file. */
export function jsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => `${text}${typeof part === 'number' ? `[${part}]` : `.${String(part)}`}`,
    '$',
  );
}

/** A value in at most 80 characters of JSON. */
export function quoted(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

const missingSingle = (name: SingleName): FileFault => ({
  file: '(all files)',
  path: `$.${name}`,
  found: 'nothing',
  expected: 'it to stand in one file',
});

/** Where each record came from, for faults found after the merge. */
export type Origins = ReadonlyMap<object, { readonly file: string; readonly path: string }>;

function merge(files: readonly FixtureFile[]): { fixtures: Fixtures; origins: Origins } {
  const merged: Record<string, unknown> = Object.fromEntries(collectionNames.map((name) => [name, []]));
  const origins = new Map<object, { file: string; path: string }>();
  for (const { name: file, content } of files) {
    for (const [key, value] of Object.entries(fileSchema.parse(content))) {
      if (!Array.isArray(value)) merged[key] = value;
      else
        for (const [index, record] of value.entries()) {
          (merged[key] as unknown[]).push(record);
          origins.set(record, { file, path: `$.${key}[${index}]` });
        }
    }
  }
  return { fixtures: merged as unknown as Fixtures, origins };
}
