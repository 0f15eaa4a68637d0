// The command line of `sachet certify`.
import { type Command, Option } from 'commander';
import { stage } from '../../contract/addresses.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { randomSecret } from '../../system/random.ts';
import type { CertifyFlags } from '../certify/certify.ts';
import { envFlag } from '../client-server.ts';
import {
  addOptions,
  defaultUrl,
  firstGiven,
  jsonFlag,
  keyFlag,
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

const seedCharacters = 8;
const roundSeconds = 60;
/** A maintenance of five minutes, and the calls after it. */
const scenarioSeconds = 360;

export const add = (line: Command): Command =>
  addOptions(line.command('certify'), certifyFlags())
    .description('run a client through the scenarios and report whether it is ready; exit with 1 if it is not')
    .usage('[options] [-- <command>]')
    .argument(
      '[command...]',
      'a client that runs one round per line of its input; without it, run your client yourself',
    )
    .action(certify);

const certifyFlags = (): Option[] => [
  urlFlag('URL of the server; without it, a command gets its own server').default(undefined, defaultUrl),
  sandboxFlag().default(undefined, stage),
  keyFlag(),
  envFlag(),
  new Option('--only <names>', `run only these scenarios; ${several}`).argParser(names),
  new Option('--seed <text>', 'the same seed gives the same order of scenarios, data and ids; the report shows it')
    .argParser(nonEmpty)
    .default(undefined, 'random'),
  new Option('--timeout <seconds>', 'time limit for a round, or for the calls of a scenario')
    .argParser(seconds)
    .default(undefined, `${roundSeconds}; ${scenarioSeconds} without a command`),
  new Option('--settle <seconds>', 'without a command: time without a call after which a scenario is judged')
    .argParser(seconds)
    .default(2),
  new Option('--out <dir>', 'folder to write certification.md and certification.json to').argParser(nonEmpty),
  jsonFlag('print the report as one line of JSON instead of the table'),
  junitFlag(),
  ...settingFlags().map((option) =>
    option.long === '--random-seed' ? option.default(undefined, 'that of --seed') : option,
  ),
];

const form = 'put the command after --, for example: sachet certify -- node client.js';

/** Imports the code only now: no other command needs it. */
async function certify(words: readonly string[], options: CertifyFlags, command: Command): Promise<void> {
  const client = wordsAfterDashes(words, form, command.options);
  const url = remoteUrl(client, options, command);
  const { seed = randomSecret().slice(0, seedCharacters) } = options;
  const { runCertifyCommand } = await import('../certify/certify.ts');
  const certified = await runCertifyCommand({
    ...options,
    seed,
    randomSeed: options.randomSeed ?? seed,
    sandbox: options.sandbox ?? stage,
    command: client,
    remote: url === undefined ? undefined : remoteOf({ ...options, url }),
    timeout: options.timeout ?? (client.length > 0 ? roundSeconds : scenarioSeconds),
  });
  if (!certified) process.exitCode = 1;
}

/** The URL of the running server; undefined if the command gets a server of its own. */
function remoteUrl(words: readonly string[], { url, adminKey }: CertifyFlags, command: Command): string | undefined {
  const settingNames = settingFlags().map(({ long }) => long);
  const settingFlag = firstGiven(command, settingNames);
  if (settingFlag && words.length === 0)
    throw new UsageError(
      `${settingFlag} configures a new server, but only a command gets one; omit the flag, or put a command after --`,
    );
  if (settingFlag && firstGiven(command, ['--url']))
    throw new UsageError(`${settingFlag} configures a new server, but --url names a running one; use only one of them`);
  if (words.length === 0 && url === undefined && adminKey === undefined)
    throw new UsageError(`no client; ${form}; or pass --admin-key, to wait for a client that runs elsewhere`);
  if (words.length === 0) return url ?? defaultUrl;
  // Flags beat the variable SACHET_URL.
  return settingFlag ? undefined : url;
}
