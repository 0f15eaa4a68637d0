// The flags of a server that is process 1, as in a container: what was given to it there is nowhere else to be read.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { givenFlags, hostFlag, portFlag } from './flags.ts';

/** Its port and host, where it was given them by flags; nothing where process 1 does not run this very command. */
export function serverFlags(): Record<string, unknown> {
  const args = serverArguments();
  const command = new Command().addOption(portFlag()).addOption(hostFlag());
  command.allowUnknownOption().allowExcessArguments().exitOverride();
  command.parse(args, { from: 'user' });
  return givenFlags(command);
}

function serverArguments(): string[] {
  const [, script = ''] = process.argv;
  const words = firstProcess().split('\0').slice(0, -1);
  const at = words.indexOf(script);
  return at < 0 ? [] : words.slice(at + 1);
}

/** Its words, each with a NUL behind it; none where there is no /proc. */
function firstProcess(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}
