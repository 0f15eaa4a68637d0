// The flags of `sachet serve`, each also as SACHET_…; a flag beats the environment.
import { Command, InvalidArgumentError, Option } from 'commander';
import { profiles } from '../contract/assumptions.ts';
import { chooseReadings } from '../contract/readings.ts';
import { readClock } from '../control/clock.ts';
import { version } from '../version.ts';
import { UsageError } from './usage-error.ts';

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly fixtures?: string;
  readonly assume: Readonly<Record<string, string>>;
  readonly profile: string;
  readonly clock?: string;
  readonly randomSeed?: string;
  readonly publicUrl?: string;
  readonly loginSandboxes: boolean;
  readonly json: boolean;
  readonly log: 'text' | 'json' | 'off';
}

const wholePort = /^\d{1,5}$/;

function port(text: string): number {
  if (wholePort.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is no port; give a number from 0 (any free port) to 65535.`);
}

/** What the check throws is told as the fault of the flag it came by. */
function told<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** `id=reading`, several by repeating the flag or by commas. */
function assume(text: string, former: Readonly<Record<string, string>>): Record<string, string> {
  const choices = text.split(',').map((choice) => {
    const [, id, reading] = /^([^=]+)=(.+)$/.exec(choice.trim()) ?? [];
    if (id === undefined || reading === undefined)
      throw new InvalidArgumentError(`"${choice}" is not of the form id=reading.`);
    return [id, reading];
  });
  const chosen = Object.fromEntries(choices);
  told(() => chooseReadings(chosen));
  return { ...former, ...chosen };
}

function clock(text: string): string {
  told(() => readClock(text));
  return text;
}

function nonEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It is empty.');
}

function absoluteUrl(text: string): string {
  const url = URL.canParse(text) && /^https?:\/\//.test(text) ? new URL(text) : undefined;
  if (url && !url.search && !url.hash && !url.username && !url.password) return text;
  throw new InvalidArgumentError(`"${text}" is no absolute http or https URL without query and credentials.`);
}

const flag = (flags: string, description: string) => {
  const option = new Option(flags, description);
  return option.env(`SACHET_${option.name().replace(/^no-/, 'no_').replaceAll('-', '_').toUpperCase()}`);
};

/**
 * An empty variable is none. Of a switch's variable commander takes any value for yes, so one that says no is taken out of its
 * sight.
 */
function heedEmpty(variable: string, isSwitch: boolean): void {
  const value = process.env[variable]?.toLowerCase();
  if (value === undefined) return;
  const saysNo = isSwitch && ['0', 'false', 'no', 'off'].includes(value);
  if (value === '' || saysNo) delete process.env[variable];
  else if (isSwitch && !['1', 'true', 'yes', 'on'].includes(value))
    throw new UsageError(`${variable}="${value}" is neither true nor false`);
}

/** A command that there is none of is told by its name: commander would only count it as an argument too many. */
function refuseCommand({ args: [command] }: Command): void {
  if (command !== undefined) throw new UsageError(`unknown command "${command}"; there is: serve`);
}

/** The command line; `run` is called with the options of `serve`, which is what `sachet` alone does. */
export function commandLine(run: (options: ServeOptions) => Promise<void>): Command {
  const program = new Command('sachet').description('A sandbox of the Order and Fulfillment Service').version(version);
  // Set before the commands are added, which inherit it: an error is one sentence, thrown to whoever chooses the exit code.
  program.exitOverride().configureOutput({
    outputError: (text, write) =>
      write(
        `sachet: ${text
          .replace(/^error: /, '')
          .trim()
          .replaceAll('\n', ' ')} (\`sachet --help\` tells the flags)\n`,
      ),
  });
  const serve = program.command('serve', { isDefault: true }).allowExcessArguments();
  for (const option of serveFlags()) {
    if (option.envVar) heedEmpty(option.envVar, option.isBoolean() || option.negate);
    serve.addOption(option);
  }
  serve
    .description('start the server (the default command)')
    .action(async (options: ServeOptions, command: Command) => {
      refuseCommand(command);
      await run(options);
    });
  // Whoever asks for help wants the flags of the command that runs without a name.
  program.addHelpText('after', () => `\n${serve.helpInformation()}`);
  return program;
}

function serveFlags(): Option[] {
  return [
    flag('--port <number>', 'port to listen on; 0 takes a free one').argParser(port).default(4010),
    flag('--host <address>', 'address to listen on').argParser(nonEmpty).default('127.0.0.1'),
    flag('--fixtures <dir>', 'folder of fixture files that replaces the shipped ones'),
    flag('--assume <id=reading>', 'turn an assumption; may be repeated').argParser(assume).default({}, 'none'),
    flag('--profile <name>', 'a named set of readings').choices(Object.keys(profiles)).default('default'),
    flag('--clock <instant>', 'stand at this ISO 8601 instant, or run on from it with a + at its end').argParser(clock),
    flag('--random-seed <text>', 'the same seed gives the same ids and keys').argParser(nonEmpty),
    flag('--public-url <url>', 'what absolute URLs in answers begin with').argParser(absoluteUrl),
    flag('--no-login-sandboxes', 'a login with user+tag makes no sandbox'),
    flag('--json', 'print one line of JSON when ready').default(false),
    flag('--log <format>', 'one line per call on standard error').choices(['text', 'json', 'off']).default('text'),
  ];
}
