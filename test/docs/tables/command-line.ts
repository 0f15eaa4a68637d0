// The tables of the command line: its commands, and the flags of `serve`.
import type { Option } from 'commander';
import { commandLine } from '../../../src/node/cli/command-line.ts';
import { serveFlags } from '../../../src/node/cli/serve-flags.ts';
import { code, codes, table } from './table.ts';

/** What holds without the flag. */
function defaultOf({ defaultValue, defaultValueDescription, required }: Option): string {
  if (!required) return 'off';
  return defaultValueDescription ?? String(defaultValue ?? 'none');
}

const told = ({ description, argChoices }: Option): string =>
  argChoices ? `${description}: ${codes(argChoices)}` : description;

export function flagsTable(): string {
  const rows = serveFlags().map((flag) => [code(flag.flags), code(flag.envVar), defaultOf(flag), told(flag)]);
  return table(['flag', 'variable', 'default', 'what it does'], rows);
}

const { commands } = await commandLine(['--help']);

export function commandsTable(): string {
  const rows = commands.map((command) => {
    const words = command.usage().replace(/\[options\] ?/, '');
    return [code(`sachet ${command.name()} ${words}`.trim()), command.description()];
  });
  return table(['command', 'what it does'], rows);
}
