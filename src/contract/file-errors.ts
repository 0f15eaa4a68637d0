// Faults of fixture and scenario files: the file, the JSON path in it, the value found and the value expected.
import { z } from 'zod';
import { withNearest } from './nearest.ts';

/**
 * One fault of a file.
 * @example const { file, path, found, expected }: FileFault = error.faults[0];
 * // pags.json, $.pags[0].status, nothing, a text
 */
export interface FileFault {
  readonly file: string;
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/** A fault of a request's body, by its JSON path. */
export const bodyFault = (path: string, found: string, expected: string): FileFault => ({
  file: '',
  path,
  found,
  expected,
});

const maxLines = 20;

export const faultLine = ({ file, path, found, expected }: FileFault): string =>
  `${file} ${path}: found ${found}, expected ${expected}`;

/** Files with faults. The message has a line for each of the first twenty; `faults` has all. */
export class FilesError extends Error {
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    const lines = faults.slice(0, maxLines).map(faultLine);
    const more = faults.length > maxLines ? [`… and ${faults.length - maxLines} more`] : [];
    super([...lines, ...more].join('\n'));
    this.faults = faults;
  }
}

/**
 * Fixtures with faults.
 * @example
 * try { createSachet({ fixtures }); }
 * catch (error) { if (error instanceof FixturesError) console.error(error.faults); }
 */
export class FixturesError extends FilesError {
  override readonly name = 'FixturesError';
}

/**
 * Scenarios with faults, or that do not fit the fixtures.
 * @example
 * try { createSachet({ scenarios }); }
 * catch (error) { if (error instanceof ScenariosError) console.error(error.faults); }
 */
export class ScenariosError extends FilesError {
  override readonly name = 'ScenariosError';
}

/**
 * A config with faults.
 * @example
 * try { createSachet({ config }); }
 * catch (error) { if (error instanceof ConfigError) console.error(error.faults); }
 */
export class ConfigError extends FilesError {
  override readonly name = 'ConfigError';
}

/** The faults of a failed parse of `content`. `at` is its place in the file. */
export function faultsOfFile(
  file: string,
  content: unknown,
  error: z.ZodError,
  schema: z.core.$ZodType,
  at = '$',
): FileFault[] {
  return error.issues.flatMap((issue) => {
    const path = jsonPath(issue.path, at);
    if (issue.code !== 'unrecognized_keys') {
      // The issue's own input may be the parent, if a refinement of the parent names the field.
      const value = issue.path.reduce<unknown>((parent, key) => Object(parent)[key], content);
      return [{ file, path, found: quoted(value), expected: expectation(issue, value) }];
    }
    const keys = keysAt(schema, issue.path);
    const expected = keys.length > 0 ? `one of ${keys.join(', ')}` : 'no keys';
    const what = file === 'query' ? 'parameter' : 'key';
    return issue.keys.map((key) => {
      const found = `the unknown ${what} ${quoted(key)}`;
      return { file, path, found, expected: withNearest(expected, key, keys) };
    });
  });
}

/** Schemas that allow the keys of the schema inside. */
const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodPrefault];

/** The keys that the schema allows at this path. */
function keysAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  if (wrappers.some((wrapper) => schema instanceof wrapper)) return keysAt((schema as z.ZodOptional).unwrap(), path);
  if (schema instanceof z.ZodPipe) return keysAt(schema.in, path);
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option: z.core.$ZodType) => keysAt(option, path)))];
  const [key, ...rest] = path;
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return key === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(key)], rest);
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const formatWords: Readonly<Record<string, string>> = {
  guid: 'a UUID',
  lowercase: 'a string in lowercase',
  datetime: 'an ISO 8601 instant such as 2030-01-01T00:00:00.000Z',
};

/** The schema's own message, or words for zod's. Read after "expected". */
function expectation(issue: z.core.$ZodIssue, value: unknown): string {
  if (!/^(?:Invalid|Too) /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? issue.expected;
    case 'invalid_value': {
      const allowed = `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(quoted).join(', ')}`;
      const names = issue.values.filter((name) => typeof name === 'string');
      return withNearest(allowed, String(value), names);
    }
    case 'too_small':
      return bounded(issue.origin, issue.inclusive ? 'of at least' : 'above', Number(issue.minimum));
    case 'too_big':
      return bounded(issue.origin, issue.inclusive ? 'of at most' : 'below', Number(issue.maximum));
    case 'invalid_format':
      return formatWords[issue.format] ?? issue.format;
    default:
      return 'a valid value';
  }
}

function bounded(origin: string, bound: string, limit: number): string {
  const unit = { string: 'character', array: 'item' }[origin];
  const size = `${bound} ${limit}`;
  return `${typeWords[origin]} ${unit ? `${size.replace('of', 'with')} ${unit}${limit === 1 ? '' : 's'}` : size}`;
}

/** A path such as `$.orders[3].status`. */
export const jsonPath = (path: readonly PropertyKey[], from = '$'): string =>
  path.reduce<string>((text, part) => text + step(part), from);

function step(part: PropertyKey): string {
  if (typeof part === 'string' && /^[\w-]+$/.test(part)) return `.${part}`;
  return `[${typeof part === 'number' ? part : quoted(String(part))}]`;
}

/** A value as at most 80 characters of JSON. */
export function quoted(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** @returns a function that returns true if it was called with this value before */
export function repetitions(): (value: string) => boolean {
  const seen = new Set<string>();
  return (value) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  };
}
