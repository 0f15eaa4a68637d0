// The command line of a health check alone.
import type { Command } from 'commander';
import { UsageError } from '../stores/errors.ts';
import { addHealthcheck } from './cli/healthcheck.ts';
import { heedEnvironment, program } from './flags.ts';

/** What the caller of the command can mend. */
export const usage = [UsageError];

/** `sachet healthcheck`, without the other commands. */
export function commandLine(): Command {
  const line = program();
  addHealthcheck(line);
  return line.hook('preSubcommand', (_, command) => heedEnvironment(command));
}
