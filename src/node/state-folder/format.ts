// The format of the state: every file names it first, so that what another version wrote is known for it.
import type { Change } from '../../state/root.ts';
import { Unreadable } from './unreadable.ts';

/** What a file begins with. */
export interface Heading {
  readonly sachet_state_folder: number;
  readonly sandbox: string;
  /** A snapshot's number; the change log of the same number goes on from there. */
  readonly generation: number;
}

/** The heading of a file that is written now, and of one that is read, whatever its format. */
export const headingOf = ({ current }: Formats, sandbox: string, generation: number): Heading => ({
  sachet_state_folder: current,
  sandbox,
  generation,
});

/** The format that is written, and what makes the changes of each older one into those of the next. */
export interface Formats {
  readonly current: number;
  readonly upgrades: Readonly<Record<number, (changes: Iterable<Change>) => Iterable<Change>>>;
}

/** The first format: there is none to upgrade from. */
export const formats: Formats = { current: 1, upgrades: {} };

/** Changes of a format as those of the current one. */
export function upgraded(changes: Iterable<Change>, from: number, { current, upgrades }: Formats): Iterable<Change> {
  let now = changes;
  for (let format = from; format < current; format += 1) {
    const upgrade = upgrades[format];
    if (!upgrade) throw new Error(`nothing makes state of format ${format} into that of format ${format + 1}`);
    now = upgrade(now);
  }
  return now;
}

/** A newer version wrote it. */
export class NewerFormat extends Unreadable {}

/** @throws NewerFormat */
export function requireKnown(format: number, latest: number): void {
  if (format > latest)
    throw new NewerFormat(
      `it was written by a newer Sachet, in format ${format}; this one reads formats up to ${latest}`,
    );
}

/** Why this heading is not that of this file; undefined where it is. @throws NewerFormat */
export function headingFault(found: unknown, expected: Heading): string | undefined {
  const { sachet_state_folder: format, sandbox, generation } = (found ?? {}) as Partial<Heading>;
  if (!Number.isInteger(format) || Number(format) < 1) return 'it does not say that it is state of Sachet';
  requireKnown(Number(format), expected.sachet_state_folder);
  if (sandbox !== expected.sandbox) return `it is of the sandbox "${sandbox}"`;
  return generation === expected.generation ? undefined : `it is number ${generation}`;
}
