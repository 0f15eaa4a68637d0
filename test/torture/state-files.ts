// What stands in a state folder, seen from outside.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Every path within it, those of folders too. */
const pathsOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

const unfinished = /\.tmp$|^\.new-|^\.gone-|^lock/;

/** What a server that has ended leaves none of. */
export const leftIn = (folder: string): string[] => pathsOf(folder).filter((path) => unfinished.test(basename(path)));

/** The version up to which a sandbox's log was folded into its document: 1 until it was. */
export function foldedTo(folder: string, sandbox: string): number {
  const [, version] =
    /"version": (\d+)/.exec(readFileSync(join(folder, 'sandboxes', sandbox, 'state.json'), 'utf8')) ?? [];
  return Number(version);
}

/** The size of the log. */
export const logBytes = (folder: string, sandbox: string): number =>
  statSync(join(folder, 'sandboxes', sandbox, 'changes.log')).size;
