// Flags: how one is declared with its variable, how its text is parsed, and those that several commands share. A health
// check loads this file, so it imports nothing of the contract but addresses.
import { isIP } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
import { bareUrl, requireSandboxName, sandboxName, stage } from '../../contract/addresses.ts';
import { nearestName } from '../../contract/nearest.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { version } from '../../version.ts';
import type { Remote } from '../remote-sandbox.ts';

/** Create it before its commands, which inherit its settings. Errors are thrown, and printed as one sentence. */
export function program(): Command {
  const line = new Command('sachet')
    .description('A sandbox of the Order and Fulfillment Service')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(asSentence(text, line)) });
  return line;
}

/** Adds several options. */
export const addOptions = (command: Command, options: readonly Option[]): Command =>
  options.reduce((one, option) => one.addOption(option), command);

function asSentence(text: string, line: Command): string {
  const sentence = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')
    .replace(/^unknown option '(--.+)'$/s, (words, flag) => `${words}${nearFlag(flag, optionsOf(line))}`);
  return `sachet: ${sentence} (\`--help\` lists the flags)\n`;
}

/** Of the command and all commands below it. */
export const optionsOf = ({ options, commands }: Command): readonly Option[] => [
  ...options,
  ...commands.flatMap(optionsOf),
];

/** A question with the flag that the unknown one begins with, such as --junit for --junit-xml; else with a similar one. */
function nearFlag(unknown: string, options: readonly Option[]): string {
  const known = options.flatMap(({ long }) => long ?? []);
  const [longest] = known.filter((flag) => unknown.startsWith(flag)).sort((a, b) => b.length - a.length);
  const near = longest ?? nearestName(unknown, known);
  return near ? ` (Did you mean ${near}?)` : '';
}

/**
 * A flag with a variable SACHET_…, which it overrides. For the settings or the address of a server, so that the
 * variable means the same to every command; a flag about one run is a plain `Option`. It refuses empty values,
 * unless it gets another parser. `.default(undefined, words)` sets no value: the words are for the table in the README.
 */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  if (option.required) option.argParser(nonEmpty);
  return option.env(`SACHET_${option.name().replace(/^no-/, 'no_').replaceAll('-', '_').toUpperCase()}`);
}

/** The flags that the command line gave, without those from the environment. */
export const givenFlags = (command: Command): Record<string, unknown> =>
  Object.fromEntries(Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'));

/** The first of these flags that the command line gave, such as `--url`. */
export function firstGiven(command: Command, flags: readonly (string | undefined)[]): string | undefined {
  const given = givenFlags(command);
  return command.options.find((option) => flags.includes(option.long) && option.attributeName() in given)?.long;
}

/**
 * Whether Kubernetes sets the variable in every pod, for a Service named `sachet` or `sachet-…`.
 * @example isServiceLink('SACHET_PORT', 'tcp://10.0.0.1:4010') // true
 */
export const isServiceLink = (variable: string, value = ''): boolean =>
  /^SACHET_(?:.+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/.test(
    variable,
  ) ||
  (/^SACHET_(?:.+_)?PORT$/.test(variable) && /^(?:tcp|udp|sctp):\/\//.test(value));

/**
 * Removes variables that commander would misread: empty ones, Kubernetes' own, and switches turned off (it reads any
 * value as on).
 * @throws UsageError for a switch that is neither on nor off
 */
export function checkEnvironment({ options }: Command): void {
  for (const option of options) {
    const { envVar: variable = '' } = option;
    const value = process.env[variable]?.toLowerCase();
    if (value === undefined) continue;
    const isSwitch = option.isBoolean() || option.negate;
    const isOff = isSwitch && ['0', 'false', 'no', 'off'].includes(value);
    if (value === '' || isOff || isServiceLink(variable, value)) delete process.env[variable];
    else if (isSwitch && !['1', 'true', 'yes', 'on'].includes(value))
      throw new UsageError(`${variable}="${value}" is not valid; use true or false`);
  }
}

/**
 * The words after `--`; empty without it.
 * @param form the correct form, for messages
 * @param options of the command: `--` is not the value of one
 * @throws UsageError for a word before `--`
 */
export function wordsAfterDashes(words: readonly string[], form: string, options: readonly Option[]): string[] {
  const at = process.argv.indexOf('--');
  const before = process.argv[at - 1] ?? '';
  if (options.some((option) => option.required && [option.short, option.long].includes(before)))
    throw new UsageError(`option '${before}' needs a value before --; ${form}`);
  const command = at < 0 ? [] : process.argv.slice(at + 1);
  const [stray] = words.slice(0, words.length - command.length);
  if (stray?.startsWith('-')) throw new UsageError(`unknown option '${stray}'${nearFlag(stray, options)}; ${form}`);
  if (stray !== undefined) throw new UsageError(`unexpected "${stray}" before --; ${form}`);
  return command;
}

// Parsers of a flag's value, also from its variable.

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port. Use a number from 0 (any free port) to 65535.`);
}

export const integerFrom = (least: number) => (text: string) => {
  if (/^\d+$/.test(text) && Number(text) >= least && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number of at least ${least}.`);
};

const maxSeconds = 86_400;

/** Seconds, with fractions. */
export function seconds(text: string): number {
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= maxSeconds) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a number of seconds. Use a number above 0, at most ${maxSeconds}.`);
}

/** Runs a check; commander reports its error with the name of the flag. */
export function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

export function nonEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('The value is empty.');
}

/** The words of a description for a flag that can be repeated. */
export const several = 'separate several with commas, or repeat the flag';

/** A parser of comma-separated values, for a flag that can be repeated. */
export const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string, previous: readonly T[] = []) => [...previous, ...text.split(',').map((one) => parse(one.trim()))];

export const names = listOf(nonEmpty);

/** Host names as in a request's Host, without port; IPv6 addresses with or without brackets. */
export const hosts = listOf((text) => host(text.toLowerCase()));

function host(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  // As in the Host of a request: in brackets, in its shortest form, without a zone.
  if (isIP(bare) === 6 && !bare.includes('%')) return new URL(`http://[${bare}]`).hostname;
  if (isIP(text) === 4) return text;
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  // A name that ends in digits alone would be read as an IPv4 address.
  if (text.length <= 253 && new RegExp(`^(?:${label}\\.)*${label}$`).test(text) && !/(?:^|\.)\d+$/.test(text))
    return text;
  throw new InvalidArgumentError(`"${text}" is not a host name or address. Use one without scheme, port and path.`);
}

export const absoluteUrl = (text: string): string => checked(() => bareUrl(text));

/** Throws a UsageError, because commander would print the value, which is a secret. */
export function adminKey(text: string): string {
  if (/^[\x21-\x7e]{8,}$/.test(text)) return text;
  throw new UsageError(
    `the value of --admin-key or SACHET_ADMIN_KEY (${text.length} character${text.length === 1 ? '' : 's'}, ` +
      'not shown) is not a valid key; use at least 8 visible ASCII characters without spaces',
  );
}

// Flags that several commands share.

const defaultPort = 4010;
/** The URL of a server that was started without flags. */
export const defaultUrl = `http://localhost:${defaultPort}`;

export const portFlag = (description = 'port to listen on; 0 picks a free one'): Option =>
  flag('--port <number>', description).argParser(port).default(defaultPort);

export const hostFlag = (description = 'address to listen on'): Option =>
  flag('--host <address>', description).default('127.0.0.1');

export const tlsFlag = (description = 'speak HTTPS, with a certificate made at the start'): Option =>
  flag('--tls <how>', description).choices(['self-signed']);

export const tlsCertFlag = (description = 'PEM file with the certificate for HTTPS, and its chain'): Option =>
  flag('--tls-cert <file>', description);

export const fixturesFlag = (): Option =>
  flag('--fixtures <dir>', 'folder of fixture files to use instead of the shipped ones').default(
    undefined,
    'the shipped ones',
  );

export const scenariosFlag = (
  description = 'folder of your own scenario files, in addition to the shipped ones',
): Option => flag('--scenarios <dir>', description);

export const scenarioFlag = (description = `scenario that every sandbox starts with; ${several}`): Option =>
  flag('--scenario <name>', description).argParser(names);

export const configFlag = (
  description = 'config file of the service, as sachet learn writes it; --assume overrides its choices',
): Option => flag('--config <file>', description);

export const storeFlag = (): Option =>
  flag(
    '--store <url>',
    'PostgreSQL database for the state, such as postgres://user:password@host:5432/sachet; several servers can ' +
      'share it',
  ).default(undefined, 'in memory');

/** For commands that print once; the server's own `--json` has a variable. */
export const jsonFlag = (description: string): Option => new Option('--json', description).default(false);

// Flags of commands that talk to a sandbox of a running server.

export interface RemoteFlags {
  /** Default: the sandbox of the URL, else `stage`. */
  readonly sandbox?: string;
  /** Default: SACHET_BASE_URL, which tests read, too; else `defaultUrl`. */
  readonly url?: string;
  readonly adminKey?: string;
}

export const sandboxFlag = (description = 'name of the sandbox'): Option =>
  flag('--sandbox <name>', description).argParser((text) => checked(() => requireSandboxName(text)));

export const urlFlag = (description: string): Option => flag('--url <url>', description).argParser(absoluteUrl);

export const keyFlag = (): Option =>
  flag(
    '--key, --admin-key <key>',
    "admin key, which the server prints when it starts, or the sandbox's own key",
  ).argParser(adminKey);

export const remoteFlags = (): Option[] => [
  sandboxFlag().default(undefined, stage),
  urlFlag(`URL of the server; without it, SACHET_BASE_URL or ${defaultUrl}`).default(undefined, defaultUrl),
  keyFlag(),
];

/**
 * The sandbox that the flags select. `--url` may be a sandbox's base URL: the server's URL with `/sandboxes/{name}`.
 * @throws UsageError without a key, or for two different sandboxes
 */
export function remoteOf({ sandbox: name, url, adminKey }: RemoteFlags): Remote {
  const given = url ?? baseUrlVariable() ?? defaultUrl;
  const [, base = '', last = ''] = /^(.*)\/sandboxes\/([^/]+)\/*$/.exec(given) ?? [];
  const isOfSandbox = sandboxName.test(last);
  if (name !== undefined && isOfSandbox && name !== last)
    throw new UsageError(`--url names the sandbox "${last}", but --sandbox names "${name}"; use only one of them`);
  const sandbox = name ?? (isOfSandbox ? last : stage);
  if (adminKey !== undefined) return { url: isOfSandbox ? base : given, sandbox, adminKey };
  throw new UsageError(
    "no key; pass the admin key that the server printed when it started, or the sandbox's own key, with --key, " +
      '--admin-key or SACHET_ADMIN_KEY',
  );
}

/** The value of SACHET_BASE_URL, which tests read, too; undefined if it is not set. @throws UsageError */
export function baseUrlVariable(): string | undefined {
  const { SACHET_BASE_URL: url } = process.env;
  if (!url) return undefined;
  try {
    return bareUrl(url);
  } catch (error) {
    throw new UsageError(`SACHET_BASE_URL: ${(error as Error).message}`);
  }
}
