// `sachet certify`: a client walked through the scenarios, and whether it is ready.
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { behindDashes } from '../behind-dashes.ts';
import { envFlag, type GivenVariable } from '../client-environment.ts';
import { names, nonEmpty } from '../flag-values.ts';
import { flag, givenFlags, jsonFlag, usualUrl } from '../flags.ts';
import { type Junit, junitFlag } from '../junit.ts';
import { type RemoteFlags, remoteKeyFlag, remoteOf, sandboxFlag, urlFlag } from '../remote-flags.ts';
import { UsageError } from '../usage-error.ts';
import { type WorldFlags, worldFlags } from '../world-flags.ts';

interface CertifyOptions extends WorldFlags, Omit<RemoteFlags, 'url'> {
  readonly url?: string;
  readonly env: readonly GivenVariable[];
  readonly only?: readonly string[];
  readonly timeout: number;
  readonly quiet: number;
  readonly out?: string;
  readonly json: boolean;
  readonly junit?: Junit;
  readonly randomSeed: string;
}

const usualSeed = 'certify';

export function addCertify(program: Command): void {
  const command = program
    .command('certify')
    .description('walk a client through the scenarios and report whether it is ready; exit with 1 where it is not')
    .usage('[options] [-- <command>]')
    .argument('[command...]', 'a client that makes a round per line; without one the client calls by itself');
  for (const option of certifyFlags()) command.addOption(option);
  command.action(certify);
}

const certifyFlags = (): Option[] => [
  urlFlag('where the server is; a command has one of its own without it').default(undefined, usualUrl),
  sandboxFlag(),
  remoteKeyFlag(),
  envFlag(),
  flag('--only <names>', 'scenarios to walk, not all; several by commas, or by repeating it').argParser(names),
  flag('--timeout <seconds>', 'how long the calls of a scenario, or a round, may take').argParser(seconds).default(60),
  flag('--quiet <seconds>', 'how long a client that calls by itself must be quiet until it is judged')
    .argParser(seconds)
    .default(2),
  flag('--out <dir>', 'write certification.md and certification.json there').argParser(nonEmpty),
  jsonFlag('print the report as one line of JSON, not as Markdown'),
  junitFlag(),
  ...worldFlags().map((option) => (option.long === '--random-seed' ? option.default(usualSeed) : option)),
];

const mostSeconds = 86_400;

function seconds(text: string): number {
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= mostSeconds) return Number(text);
  throw new InvalidArgumentError(`"${text}" is no number of seconds; give one above 0, at most ${mostSeconds}.`);
}

const form = 'give a command behind --, such as: sachet certify -- node client.js';

/** The walk is loaded when there is one: no other command waits for it. */
async function certify(words: readonly string[], options: CertifyOptions, command: Command): Promise<void> {
  const client = behindDashes(words, form);
  const { timeout, quiet, ...others } = options;
  const url = urlFor(client, options, command);
  const { runCertify } = await import('../certify/run-certify.ts');
  const certified = await runCertify({
    ...others,
    command: client,
    remote: url === undefined ? undefined : remoteOf({ ...options, url }),
    timeoutMilliseconds: 1000 * timeout,
    quietMilliseconds: 1000 * quiet,
  });
  if (!certified) process.exitCode = 1;
}

/** The server that runs already; undefined where the client gets one of its own. */
function urlFor(words: readonly string[], { url }: CertifyOptions, command: Command): string | undefined {
  const given = givenFlags(command);
  const making = worldFlags().find((option) => option.attributeName() in given)?.long;
  if (making && words.length === 0)
    throw new UsageError(
      `${making} says how a server is made, and there is no command that it is made for: leave it out, or give one behind --`,
    );
  if (making && 'url' in given)
    throw new UsageError(`${making} says how a server is made, and --url names one that runs: give one of them`);
  if (words.length === 0) return url ?? usualUrl;
  // What a flag says beats the environment's SACHET_URL.
  return making ? undefined : url;
}
