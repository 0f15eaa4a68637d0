// One file's content against its schema: the data, or every fault with its place.
import type { z } from 'zod';
import { type FileFault, faultsOfFile } from './file-faults.ts';
import type { FixtureFile } from './fixtures.ts';

/** Read once, so compiling the schemas would cost more than it saves: 10 ms of the start. */
const parsing = { reportInput: true, jitless: true } as const;

export type ParsedFile<T> =
  | { readonly data: T; readonly faults?: never }
  | { readonly data?: never; readonly faults: readonly FileFault[] };

/** `at` is the place of the content in its file, for a part that is parsed alone. */
export function parseFile<S extends z.ZodType>(
  schema: S,
  { name, content }: FixtureFile,
  at = '$',
): ParsedFile<z.output<S>> {
  try {
    const parsed = schema.safeParse(content, parsing);
    return parsed.success ? { data: parsed.data } : { faults: faultsOfFile(name, parsed.error, schema, at) };
  } catch (error) {
    // zod hands faults on as arguments of a call, of which there is a largest number.
    if (!(error instanceof RangeError)) throw error;
    return {
      faults: [
        { file: name, path: at, found: 'more faults than can be told', expected: 'a file that follows its form' },
      ],
    };
  }
}
