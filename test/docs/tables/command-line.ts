// The tables of the command line: its commands, the flags of `serve`, and the flags of the other commands.
import { constants } from 'node:os';
import type { Command, Option } from 'commander';
import { commandLine } from '../../../src/node/cli/command-line.ts';
import { serveFlags } from '../../../src/node/cli/serve-flags.ts';
import { exitCodes } from '../../../src/system/exit-errors.ts';
import { code, codes, table } from './table.ts';

/** The value without the flag. */
function defaultOf({ defaultValue, defaultValueDescription, required, optional }: Option): string {
  if (!required && !optional) return 'off';
  return defaultValueDescription ?? (defaultValue === undefined ? 'none' : code(defaultValue));
}

const effectOf = ({ description, argChoices }: Option): string =>
  argChoices ? `${description}: ${codes(argChoices)}` : description;

const flagRow = (flag: Option): string[] => [
  code(flag.flags),
  flag.envVar ? code(flag.envVar) : '',
  defaultOf(flag),
  effectOf(flag),
];

export const serveFlagsTable = (): string =>
  table(['Flag', 'Variable', 'Default', 'Effect'], serveFlags().map(flagRow));

const { commands } = await commandLine(['--help']);

const nested = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(nested)];
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** The commands of a group instead of the group. */
export function commandsTable(): string {
  const all = commands.flatMap(nested).filter((command) => command.commands.length === 0);
  const rows = all.map((command) => {
    const words = command.usage().replace(/\[options\] ?/, '');
    return [code(`sachet ${nameOf(command)} ${words}`.trim()), command.description()];
  });
  return table(['Command', 'Effect'], rows);
}

/** The groups that control a running server have the same flags. */
const isControlGroup = (command: Command): boolean => command.commands.length > 0 && command.options.length > 0;

export function commandFlagsTable(): string {
  const groups = commands.filter(isControlGroup);
  const others = commands.filter((command) => command.name() !== 'serve').flatMap(nested);
  const rows = others
    .filter((command) => !groups.slice(1).includes(command))
    .flatMap((command) => {
      const names = isControlGroup(command) ? groups.map(nameOf) : [nameOf(command)];
      return command.options.map((flag) => [codes(names), ...flagRow(flag)]);
    });
  return table(['Command', 'Flag', 'Variable', 'Default', 'Effect'], rows);
}

const exitMeanings = {
  cannotCreate: 'Another process holds the [state folder](state-folder.md)',
  configuration: 'The state folder or the database cannot be used',
} satisfies Record<keyof typeof exitCodes, string>;

export function exitCodesTable(): string {
  const signals = (['SIGHUP', 'SIGINT', 'SIGTERM'] as const).map((signal) => 128 + constants.signals[signal]);
  return table(
    ['Code', 'Meaning'],
    [
      ['0', 'Success'],
      [
        '1',
        'Failure at run time. `report`, `certify`, `matrix`: a rule, scenario or run failed. `compare`: an answer differs. `learn`, `calibrate`: the answers ' +
          'contradict the contract, or a file is not a complete HAR. `healthcheck`: not ready',
      ],
      ['2', 'Usage: a wrong flag, a port in use, or an error in the fixtures, scenarios, config or assumptions'],
      ...Object.entries(exitMeanings).map(([name, meaning]) => [
        String(exitCodes[name as keyof typeof exitCodes]),
        meaning,
      ]),
      [signals.join(', '), '`certify` and `matrix` ended by SIGHUP, SIGINT or SIGTERM'],
    ],
  );
}
