#!/usr/bin/env node
// The entry of the command. Exit codes: 0, 1 at run time, 2 usage; those of the state folder stand in exit-error.ts.

import { ExitError } from '../stores/errors.ts';

// Whoever read the log may have gone; that is no reason to end. What was lost otherwise, as on a full disk, is told once.
process.stderr.on('error', () => undefined);
let isLossTold = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isLossTold) return;
  isLossTold = true;
  process.stderr.write(`sachet: standard output cannot be written: ${message}\n`);
  process.exitCode = 1;
});

// Each way loads what it needs: a health check runs every few seconds beside the server, and whoever starts a server waits for it.
const { commandLine, usage } = await lineFor(process.argv.slice(2));

try {
  await commandLine().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error) || process.exitCode;
}

/** commander has told its own errors already; help and version are no errors. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`sachet: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof ExitError) return error.exitStatus;
  return usage.some((kind) => error instanceof kind) ? 2 : 1;
}

/** Help and the version are told of all commands together. */
function lineFor([first = 'serve', ...others]: readonly string[]) {
  if (first === 'healthcheck') return import('./healthcheck-line.ts');
  const asksForAll = [first, ...others].some((word) => ['-h', '--help', '-V', '--version'].includes(word));
  const isStart = (first === 'serve' || first.startsWith('-')) && !asksForAll;
  return isStart ? import('./serve-line.ts') : import('./command-line.ts');
}
