// Faults of fixture files, told so that a reader can go to the place: file, JSON path, what was found, what was expected.
import type { z } from 'zod';

export interface FileFault {
  readonly file: string;
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

const maxLines = 20;

/** The fixtures are not usable. The message has one line per fault, the first twenty; `faults` has all. */
export class FixturesError extends Error {
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    const lines = faults.map(
      ({ file, path, found, expected }) => `${file} ${path}: found ${found}, expected ${expected}`,
    );
    const more = lines.length > maxLines ? [`… and ${lines.length - maxLines} more`] : [];
    super([...lines.slice(0, maxLines), ...more].join('\n'));
    this.faults = faults;
  }
}

/** The faults of a failed parse. `known` are the names that may stand at the top of a file. */
export function faultsOfFile(file: string, error: z.ZodError, known: readonly string[]): FileFault[] {
  return error.issues.flatMap((issue) => {
    const path = jsonPath(issue.path);
    if (issue.code !== 'unrecognized_keys')
      return [{ file, path, found: quoted(issue.input), expected: expectation(issue) }];
    const expected = issue.path.length === 0 ? `one of ${known.join(', ')}` : 'only known keys';
    return issue.keys.map((key) => ({ file, path, found: `the unknown key ${quoted(key)}`, expected }));
  });
}

/** zod's words, so that they can be read after "expected". */
function expectation({ message }: z.core.$ZodIssue): string {
  const [, , words] = /^(Invalid|Too)[^:]*: (?:expected )?(.*)$/.exec(message) ?? [];
  return (words ?? message.replace(/^Invalid /, 'a valid ')).replace(/, received .*$/, '');
}

/** `$.orders[3].status`: a path a reader can follow in the file. */
function jsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => `${text}${typeof part === 'number' ? `[${part}]` : `.${String(part)}`}`,
    '$',
  );
}

/** A value in at most 80 characters of JSON. */
function quoted(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
