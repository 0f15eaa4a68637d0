// What stands in a state folder, seen from outside.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Every path within it, those of folders too. */
const pathsOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

const unfinished = /\.tmp$|^\.new-|^\.gone-|^\.format-|^lock/;

/** What a server that has ended leaves none of. */
export const leftIn = (folder: string): string[] => pathsOf(folder).filter((path) => unfinished.test(basename(path)));

/** The generation of a sandbox: 1 until its log was folded. */
export function generationOf(folder: string, sandbox: string): number {
  return Math.max(...numbersIn(folder, sandbox, /^snapshot-(\d+)\.json$/));
}

/** The size of the log that is written to. */
export const logBytes = (folder: string, sandbox: string): number =>
  statSync(join(folder, 'sandboxes', sandbox, `changes-${logOf(folder, sandbox)}.log`)).size;

const logOf = (folder: string, sandbox: string): number =>
  Math.max(...numbersIn(folder, sandbox, /^changes-(\d+)\.log$/));

function numbersIn(folder: string, sandbox: string, name: RegExp): number[] {
  const names = readdirSync(join(folder, 'sandboxes', sandbox));
  return names.map((found) => Number(name.exec(found)?.[1] ?? 0));
}
