#!/usr/bin/env node
// The entry of the command. Exit codes: 0, 1 at run time, 2 usage; those of the state folder stand in exit-error.ts.

import { ExitError } from './exit-error.ts';

// Whoever read the log may have gone; that is no reason to end. What was lost otherwise, as on a full disk, is told once.
process.stderr.on('error', () => undefined);
let isLossTold = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isLossTold) return;
  isLossTold = true;
  process.stderr.write(`sachet: standard output cannot be written: ${message}\n`);
  process.exitCode = 1;
});

// A health check runs every few seconds beside the server: it loads nothing of it.
const isHealthCheck = process.argv[2] === 'healthcheck';
const { commandLine, usage } = isHealthCheck
  ? await import('./healthcheck-line.ts')
  : await import('./command-line.ts');

try {
  await commandLine().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error) || process.exitCode;
}

/** commander has told its own errors already; help and version are no errors. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`sachet: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof ExitError) return error.endsWith;
  return usage.some((kind) => error instanceof kind) ? 2 : 1;
}
