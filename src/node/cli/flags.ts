// Flags: how one is declared with its variable, those that several commands share, and what the environment may hold.
import { Command, Option } from 'commander';
import { sandboxName, stage } from '../../contract/addresses.ts';
import { UsageError } from '../../stores/errors.ts';
import { version } from '../../version.ts';
import type { Remote } from '../ask.ts';
import { absoluteUrl, adminKey, nonEmpty, port, sandbox } from './flag-values.ts';

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

const defaultPort = 4010;
/** Where a server is that was started without flags. */
export const defaultUrl = `http://localhost:${defaultPort}`;

export const portFlag = (description = 'port to listen on; 0 takes a free one'): Option =>
  flag('--port <number>', description).argParser(port).default(defaultPort);

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
export function checkEnvironment({ options }: Command): void {
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
export function wordsAfterDashes(
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

export interface RemoteFlags {
  /** What none is named by is the URL's, or else `stage`. */
  readonly sandbox?: string;
  readonly url: string;
  readonly adminKey?: string;
}

/** The flags of commands that speak to a sandbox of a running server. */
export const sandboxFlag = (): Option =>
  flag('--sandbox <name>', 'which sandbox').argParser(sandbox).default(undefined, stage);

export const urlFlag = (description = 'where the server is'): Option =>
  flag('--url <url>', description).argParser(absoluteUrl);

export const remoteKeyFlag = (): Option => adminKeyFlag('the admin key that the start of the server printed');

/** Which sandbox, where, and the key. */
export const remoteFlags = (): Option[] => [sandboxFlag(), urlFlag().default(defaultUrl), remoteKeyFlag()];

/** @throws UsageError where no key was given, or two sandboxes. */
export function remoteOf({ sandbox: name, url: given, adminKey }: RemoteFlags): Remote {
  const { url, sandbox: named } = takenApart(given);
  if (name !== undefined && named !== undefined && name !== named)
    throw new UsageError(`--url names the sandbox "${named}", and --sandbox "${name}": give one of them`);
  if (adminKey !== undefined) return { url, sandbox: name ?? named ?? stage, adminKey };
  throw new UsageError(
    'there is no admin key; give the one that the start of the server printed by --admin-key or SACHET_ADMIN_KEY',
  );
}

/** Whoever has a sandbox was given its base URL: that is the server's with the sandbox's path. */
function takenApart(given: string): { readonly url: string; readonly sandbox?: string } {
  const [, url, name] = /^(.*)\/sandboxes\/([^/]+)\/*$/.exec(given) ?? [];
  return url !== undefined && name !== undefined && sandboxName.test(name) ? { url, sandbox: name } : { url: given };
}

/** To be made before its commands, which inherit it: an error is one sentence, thrown to whoever chooses the exit code. */
export const program = (): Command =>
  new Command('sachet')
    .description('A sandbox of the Order and Fulfillment Service')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(asSentence(text)) });

const asSentence = (text: string): string =>
  `sachet: ${text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')} (\`--help\` tells the flags)\n`;
