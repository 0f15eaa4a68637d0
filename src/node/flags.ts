// Flags: how one is declared with its variable, those that several commands share, and what the environment may hold.
import { type Command, Option } from 'commander';
import { UsageError } from '../stores/errors.ts';
import { adminKey, nonEmpty, port } from './flag-values.ts';

/**
 * A flag that is also SACHET_…; the flag beats the environment. It says what a server is like, or which one is meant, so that it means the
 * same to every command; what only one run is about is a plain `Option`. What its absence means stands in `.default(undefined, words)`,
 * for the table of the README: it sets nothing.
 */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`SACHET_${option.name().replace(/^no-/, 'no_').replaceAll('-', '_').toUpperCase()}`);
}

export const storeFlag = (): Option =>
  flag(
    '--store <url>',
    'database of PostgreSQL that keeps the state, which several servers may share, such as postgres://user:password@host:5432/sachet',
  )
    .argParser(nonEmpty)
    .default(undefined, 'in memory');

/** How a flag that can be given more than once tells it. */
export const several = 'several by commas, or by repeating it';

const usualPort = 4010;
/** Where a server is that was started without flags. */
export const usualUrl = `http://localhost:${usualPort}`;

export const portFlag = (description = 'port to listen on; 0 takes a free one'): Option =>
  flag('--port <number>', description).argParser(port).default(usualPort);

export const hostFlag = (description = 'address to listen on'): Option =>
  flag('--host <address>', description).argParser(nonEmpty).default('127.0.0.1');

export const fixturesFlag = (): Option =>
  flag('--fixtures <dir>', 'folder of fixture files, in place of the shipped ones')
    .argParser(nonEmpty)
    .default(undefined, 'the shipped ones');

export const scenariosFlag = (description = 'folder of scenario files of your own, beside the shipped ones'): Option =>
  flag('--scenarios <dir>', description).argParser(nonEmpty);

export const adminKeyFlag = (description: string): Option => flag('--admin-key <key>', description).argParser(adminKey);

/** Of commands that print once; that of the server has a variable. */
export const jsonFlag = (description: string): Option => new Option('--json', description).default(false);

/** What was given to a command by flags, and not by the environment. */
export const givenFlags = (command: Command): Record<string, unknown> =>
  Object.fromEntries(Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'));

/**
 * An empty variable is none. Of a switch's variable commander takes any value for yes, so one that says no is taken out of its
 * sight.
 */
export function heedEnvironment({ options }: Command): void {
  for (const option of options) if (option.envVar) heed(option.envVar, option.isBoolean() || option.negate);
}

function heed(variable: string, isSwitch: boolean): void {
  const value = process.env[variable]?.toLowerCase();
  if (value === undefined) return;
  const saysNo = isSwitch && ['0', 'false', 'no', 'off'].includes(value);
  if (value === '' || saysNo) delete process.env[variable];
  else if (isSwitch && !['1', 'true', 'yes', 'on'].includes(value))
    throw new UsageError(`${variable}="${value}" is neither true nor false`);
}

/**
 * The words behind `--`; none where there is none.
 * @param words what a command of Sachet was given as arguments
 * @param form how it is given rightly, in words
 * @param options those of the command: of one that needs a value, `--` is none
 * @throws UsageError for a word before it
 */
export function behindDashes(
  words: readonly string[],
  form: string,
  options: readonly Option[] = [],
): readonly string[] {
  const at = process.argv.indexOf('--');
  const before = process.argv[at - 1] ?? '';
  if (options.some((option) => option.required && [option.short, option.long].includes(before)))
    throw new UsageError(`option '${before}' needs a value before --; ${form}`);
  const command = at < 0 ? [] : process.argv.slice(at + 1);
  const [stray] = words.slice(0, words.length - command.length);
  if (stray?.startsWith('-')) throw new UsageError(`unknown option '${stray}'; ${form}`);
  if (stray !== undefined) throw new UsageError(`"${stray}" stands before --; ${form}`);
  return command;
}
