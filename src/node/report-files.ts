// Files that reports are written into: that they can be is tried before the work.
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

/**
 * Makes its folder, and leaves what is there as it is.
 * @param what how it is told, behind "cannot write"
 * @throws UsageError where it cannot be written.
 */
export const prepareFile = (path: string, what: string): void =>
  writing(what, () => {
    const former = statSync(path, { throwIfNoEntry: false });
    if (former?.isDirectory()) throw new Error('it is a folder');
    mkdirSync(dirname(path), { recursive: true });
    tryToOpen(path, former);
  });

/** Takes away what an earlier run has left there. @throws UsageError where it cannot. */
export const removeFormer = (path: string, what: string): void =>
  writing(what, () => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  });

/** Only opening tells all that may be in the way, such as a link to nowhere. A pipe would wait for whoever reads it. */
function tryToOpen(path: string, former: Stats | undefined): void {
  if (former && !former.isFile()) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'a'));
  if (!former) rmSync(realpathSync(path));
}

/** After the work: a file that cannot be written is no mistake of the command line any more. */
export class NotWrittenError extends Error {
  override readonly name = 'NotWrittenError';
}

/** @throws NotWrittenError where it cannot be written. */
export const writeReport = (path: string, what: string, text: string): void =>
  writing(what, () => writeFileSync(path, text), NotWrittenError);

function writing(what: string, write: () => void, Kind: typeof UsageError | typeof NotWrittenError = UsageError): void {
  try {
    write();
  } catch (error) {
    throw new Kind(`cannot write ${what}: ${(error as Error).message}`);
  }
}
