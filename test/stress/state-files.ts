// What stands in a state folder, seen from outside.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Every path within it, those of folders too. */
const pathsOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

const unfinished = /\.tmp$|^lock/;

/** What a server that has ended leaves none of. */
export const leftIn = (folder: string): string[] => pathsOf(folder).filter((path) => unfinished.test(basename(path)));

/** The version up to which the document of a sandbox has its changes: 0 if it has none. */
export function compactedTo(folder: string, sandbox: string): number {
  const file = join(folder, 'sandboxes', `${sandbox}.json`);
  if (!existsSync(file)) return 0;
  const [, version] = /"version": (\d+)/.exec(readFileSync(file, 'utf8')) ?? [];
  return Number(version);
}

/** The size of the log. */
export const logBytes = (folder: string): number => statSync(join(folder, 'changes.log')).size;
