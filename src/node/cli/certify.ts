// The command line of `sachet certify`.
import { type Command, Option } from 'commander';
import { stage } from '../../contract/addresses.ts';
import { UsageError } from '../../system/exit-errors.ts';
import type { CertifyFlags } from '../certify/certify.ts';
import { envFlag } from '../client-server.ts';
import {
  addOptions,
  adminKeyFlag,
  defaultUrl,
  firstGiven,
  jsonFlag,
  names,
  nonEmpty,
  remoteOf,
  sandboxFlag,
  seconds,
  several,
  urlFlag,
  wordsAfterDashes,
} from './flags.ts';
import { junitFlag } from './results.ts';
import { settingFlags } from './serve-flags.ts';

const defaultSeed = 'certify';
const roundSeconds = 60;
/** Three waits of a minute, as Retry-After demands, and the calls between them. */
const scenarioSeconds = 240;

export const add = (line: Command): Command =>
  addOptions(line.command('certify'), certifyFlags())
    .description('walk a client through the scenarios and report whether it is ready; exit with 1 where it is not')
    .usage('[options] [-- <command>]')
    .argument('[command...]', 'a client that makes a round per line; without one the client calls by itself')
    .action(certify);

const certifyFlags = (): Option[] => [
  urlFlag('where the server is; a command has one of its own without it').default(undefined, defaultUrl),
  sandboxFlag().default(undefined, stage),
  adminKeyFlag('the admin key that the start of the server printed'),
  envFlag(),
  new Option('--only <names>', `scenarios to walk, not all; ${several}`).argParser(names),
  new Option('--timeout <seconds>', 'how long a round, or the calls of a scenario, may take')
    .argParser(seconds)
    .default(undefined, `${roundSeconds}; ${scenarioSeconds} for a client that calls by itself`),
  new Option('--settle <seconds>', 'how long no call of a client that calls by itself must come until it is judged')
    .argParser(seconds)
    .default(2),
  new Option('--out <dir>', 'write certification.md and certification.json there').argParser(nonEmpty),
  jsonFlag('print the report as one line of JSON, not as Markdown'),
  junitFlag(),
  ...settingFlags().map((option) => (option.long === '--random-seed' ? option.default(defaultSeed) : option)),
];

const form = 'give a command behind --, such as: sachet certify -- node client.js';

/** Loads the walk only now: no other command needs it. */
async function certify(words: readonly string[], options: CertifyFlags, command: Command): Promise<void> {
  const client = wordsAfterDashes(words, form, command.options);
  const url = remoteUrl(client, options, command);
  const { runCertifyCommand } = await import('../certify/certify.ts');
  const certified = await runCertifyCommand({
    ...options,
    sandbox: options.sandbox ?? stage,
    command: client,
    remote: url === undefined ? undefined : remoteOf({ ...options, url }),
    timeout: options.timeout ?? (client.length > 0 ? roundSeconds : scenarioSeconds),
  });
  if (!certified) process.exitCode = 1;
}

/** The URL of the running server; undefined if the command gets a server of its own. */
function remoteUrl(words: readonly string[], { url }: CertifyFlags, command: Command): string | undefined {
  const settingNames = settingFlags().map(({ long }) => long);
  const settingFlag = firstGiven(command, settingNames);
  if (settingFlag && words.length === 0)
    throw new UsageError(
      `${settingFlag} says how a server is made, and there is no command that it is made for: leave it out, or ` +
        'give one behind --',
    );
  if (settingFlag && firstGiven(command, ['--url']))
    throw new UsageError(`${settingFlag} says how a server is made, and --url names one that runs: give one of them`);
  if (words.length === 0) return url ?? defaultUrl;
  // Flags beat the variable SACHET_URL.
  return settingFlag ? undefined : url;
}
