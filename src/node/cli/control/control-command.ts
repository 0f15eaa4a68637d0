// Runs a command that controls a running server: reads the flags, calls the typed client, prints the result.
import type { Argument, Command, Option } from 'commander';
import { type ControlClient, controlClient } from '../../../client/control-client.ts';
import type { SandboxControl } from '../../../client/sandbox-control.ts';
import { commandError } from '../../remote-sandbox.ts';
import { addOptions, type RemoteFlags, remoteOf } from '../flags.ts';
import { printableTable } from '../table.ts';

/** What a command acts on. */
export interface Target {
  readonly server: ControlClient;
  /** The sandbox of the flags. */
  readonly sandbox: SandboxControl;
  /** Its name. */
  readonly name: string;
  /** The value of the command's own option; undefined without it. */
  readonly option: string | undefined;
}

/** A command of a group: `sachet <group> <name>`. */
export interface ControlCommand<T> {
  readonly name: string;
  readonly description: string;
  /** What follows `sachet <group> <name>`, one text per example. Default: one without words. */
  readonly examples?: readonly string[];
  /** At most one word, then at most one list of words. */
  readonly arguments?: readonly Argument[];
  readonly option?: Option;
  /** More for `--help`. */
  readonly help?: string;
  /** @param word empty if it is missing @returns the response of the control API */
  run(target: Target, word: string, words: readonly string[]): Promise<T>;
  /** The response for people; default: its fields. `--json` prints the response itself, or nothing without a body. */
  print?(result: T, target: Target, word: string): string;
}

export const controlCommand = <T>(command: ControlCommand<T>): ControlCommand<unknown> => command;

/** Adds the command to its group, which has the flags that all of them share. */
export function addControlCommand(group: Command, command: ControlCommand<unknown>): void {
  const { name, description, option, help = '' } = command;
  const line = addOptions(group.command(name), option ? [option] : [])
    .description(description)
    .addHelpText('after', `${help}${exampleLines(group, [command])}`)
    .action((...parameters: unknown[]) => run(command, line, parameters));
  for (const argument of command.arguments ?? []) line.addArgument(argument);
}

/** For `--help`. */
export function exampleLines(group: Command, commands: readonly ControlCommand<unknown>[]): string {
  const lines = commands.flatMap(({ name, examples = [''] }) =>
    examples.map((words) => `  sachet ${group.name()} ${name} ${words}`.trimEnd()),
  );
  return ['', 'Examples:', ...lines].join('\n');
}

interface Flags extends RemoteFlags {
  readonly json: boolean;
}

async function run(command: ControlCommand<unknown>, line: Command, parameters: readonly unknown[]): Promise<void> {
  const { json, ...flags } = line.optsWithGlobals<Flags>();
  const remote = remoteOf(flags);
  const server = controlClient(remote);
  const option = command.option && (line.opts()[command.option.attributeName()] as string | undefined);
  const target = { server, sandbox: server.sandbox(remote.sandbox), name: remote.sandbox, option };
  const [word = '', words = []] = wordsOf(command, parameters);
  const result = await command.run(target, word, words).catch((error: unknown) => {
    throw commandError(error, remote, line.parent?.name());
  });
  if (!json) process.stdout.write(command.print?.(result, target, word) ?? fields(result));
  else if (result !== undefined) process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** The word, and the list of words, which may be the only argument. */
function wordsOf({ arguments: known = [] }: ControlCommand<unknown>, parameters: readonly unknown[]) {
  const values = parameters.slice(0, known.length);
  return (known[0]?.variadic ? ['', ...values] : values) as [word?: string, words?: readonly string[]];
}

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A line per record, with these fields. */
export const table = <T extends object>(records: readonly T[], columns: readonly (keyof T & string)[]): string =>
  printableTable([columns, ...records.map((record) => columns.map((column) => cell(record[column])))]);

/** A line per field. */
export const fields = (record: unknown): string =>
  printableTable(Object.entries(record ?? {}).map(([name, value]) => [name, cell(value)]));
