#!/usr/bin/env node
// The entry of the command. Exit codes: 0, 1 at run time, 2 usage; the state folder's own are in stores/errors.ts.

import { ExitError } from '../../stores/errors.ts';

// A closed pipe on either stream is no reason to end. Any other loss of output, such as a full disk, is reported once.
process.stderr.on('error', () => undefined);
let isLossReported = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isLossReported) return;
  isLossReported = true;
  process.stderr.write(`sachet: standard output cannot be written: ${message}\n`);
  process.exitCode = 1;
});

const { commandLine, usage } = await loadCommandLine(process.argv.slice(2));

try {
  await commandLine().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error) || process.exitCode;
}

/** Also prints the error, unless commander has printed it. Help and the version are no errors. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`sachet: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof ExitError) return error.exitStatus;
  return usage.some((kind) => error instanceof kind) ? 2 : 1;
}

/**
 * Loads only what these words need: a health check runs every few seconds, and a start of the server is waited for.
 * Help and the version need all commands.
 */
function loadCommandLine([first = 'serve', ...others]: readonly string[]) {
  if (first === 'healthcheck') return import('./healthcheck.ts');
  const needsAll = [first, ...others].some((word) => ['-h', '--help', '-V', '--version'].includes(word));
  const isStart = (first === 'serve' || first.startsWith('-')) && !needsAll;
  return isStart ? import('./serve-line.ts') : import('./command-line.ts');
}
