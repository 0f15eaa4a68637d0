#!/usr/bin/env node
// The entry of the command. Exit codes: 0, 1 at run time, 2 usage.
import { UnknownScenarioError } from '../contract/choose-scenarios.ts';
import { FilesError } from '../contract/file-faults.ts';
import { UnknownReadingError } from '../contract/readings.ts';
import { UnknownInstantError } from '../control/clock.ts';
import { commandLine } from './command-line.ts';
import { UsageError } from './usage-error.ts';

/** What the caller of the command can mend. */
const usage = [UsageError, FilesError, UnknownReadingError, UnknownInstantError, UnknownScenarioError];

// Whoever read the log may have gone; that is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await commandLine().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** commander has told its own errors already; help and version are no errors. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`sachet: ${error instanceof Error ? error.message : String(error)}\n`);
  return usage.some((kind) => error instanceof kind) ? 2 : 1;
}
