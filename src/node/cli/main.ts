#!/usr/bin/env node

// The entry of the command. Exit codes: 0, 1 at run time, 2 usage; the state folder's own are in system/exit-errors.ts.

import { printable } from '../../client/printable.ts';
import { ExitError, UsageError } from '../../system/exit-errors.ts';
import { commandLine } from './command-line.ts';

// A closed pipe on either stream does not end the command. Any other error, such as a full disk, is reported once.
process.stderr.on('error', () => undefined);
let isLossReported = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isLossReported) return;
  isLossReported = true;
  process.stderr.write(`sachet: cannot write to standard output: ${message}\n`);
  process.exitCode = 1;
});

const words = process.argv.slice(2);

/** Fulfilled when the command has run. Nothing awaits it here: the binary is CommonJS, without a top-level await. */
export const ended = commandLine(words)
  .then((line) => line.parseAsync())
  .catch(async (error) => {
    process.exitCode = (await exitCodeOf(error)) || process.exitCode;
  });

/** Also prints the error, unless commander has printed it. Help and the version are not errors. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  // A message may quote what a file or a server has.
  process.stderr.write(`sachet: ${message.split('\n').map(printable).join('\n')}\n`);
  if (error instanceof ExitError) return error.exitStatus;
  if (error instanceof UsageError) return 2;
  // A health check, which fails often, loads nothing of the server.
  if (words[0] === 'healthcheck') return 1;
  return (await import('./serve.ts')).usageErrors.some((kind) => error instanceof kind) ? 2 : 1;
}
