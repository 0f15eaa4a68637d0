// The flags of a server that is process 1, as in a container: what was given to it there is nowhere else to be read.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { givenFlags, hostFlag, portFlag } from './flags.ts';

/**
 * Its port and host, where it was given them by flags; nothing where process 1 does not run this very command.
 * @param commandLine the words of process 1, each with a NUL behind it
 * @param script the file that this command runs
 */
export function serverFlags(commandLine = firstProcess(), script = process.argv[1] ?? ''): Record<string, unknown> {
  const words = commandLine.split('\0').slice(0, -1);
  const at = words.indexOf(script);
  const command = new Command().addOption(portFlag()).addOption(hostFlag());
  command.allowUnknownOption().allowExcessArguments().exitOverride();
  command.parse(at < 0 ? [] : words.slice(at + 1), { from: 'user' });
  return givenFlags(command);
}

/** None where there is no /proc. */
function firstProcess(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}
