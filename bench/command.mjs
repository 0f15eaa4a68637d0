// How each command of the benchmark begins and ends: its help, its options, what it says of an error, and its exit code.
import { parseArgs } from 'node:util';

/** What was wrong with the command line: the usage is told, and the exit code is 2. */
export class UsageError extends Error {}

/** Runs `main(args)` of a command, or tells its usage where that is asked for. */
export async function runCommand(usage, main, args = process.argv.slice(2)) {
  if (args.includes('--help') || args.includes('-h')) return console.log(usage);
  try {
    await main(args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(`bench: ${error.message}${isUsage ? `\n${usage}` : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** `{ values, positionals }` of a command line, by the options of `parseArgs`. @throws UsageError */
export function readArguments(args, options = {}) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message.split(/\.\s/)[0]);
  }
}
