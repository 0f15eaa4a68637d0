// The command line of `sachet compare`.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Credentials } from '../../fidelity/replay.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { absoluteUrl, addOptions, jsonFlag, names, nonEmpty, seconds, several } from './flags.ts';
import { baseUrlFlag } from './learn.ts';
import { junitFlag, type Outputs, prepareOutputs } from './results.ts';
import type { SettingFlags } from './serve-flags.ts';
import { settingFlags, settingOf } from './serve-flags.ts';

interface CompareFlags extends SettingFlags, Outputs {
  readonly target: string;
  readonly from: readonly string[];
  readonly baseUrl?: string;
  readonly username?: string;
  readonly passwordEnv?: string;
  readonly rate: number;
  readonly timeout: number;
  readonly allowWrites: boolean;
  readonly plan: boolean;
}

const defaultRate = 10;
const defaultTimeout = 30;

export const add = (line: Command): Command =>
  addOptions(line.command('compare'), compareFlags())
    .description(
      'send recorded calls to a service and to a sandbox, and compare the answers; exit with 1 if they differ',
    )
    .action(compareCommand);

const compareFlags = (): Option[] => [
  new Option('--target <url>', 'base URL of the service to compare with').argParser(absoluteUrl).makeOptionMandatory(),
  new Option('--from <file>', `HAR file with the calls to send; ${several}`).argParser(names).makeOptionMandatory(),
  baseUrlFlag(),
  new Option('--username <name>', 'user of the target; without it, the logins of the recording').argParser(nonEmpty),
  new Option('--password-env <variable>', 'environment variable with the password of that user').argParser(nonEmpty),
  new Option('--rate <number>', 'the most calls per second to the target').argParser(rate).default(defaultRate),
  new Option('--timeout <seconds>', 'time limit for a call to the target').argParser(seconds).default(defaultTimeout),
  new Option('--allow-writes', 'also send calls that may change data of the target').default(false),
  new Option('--plan', 'print the calls that would be sent, and send none').default(false),
  jsonFlag('print one JSON document'),
  junitFlag(),
  ...settingFlags(),
];

function rate(text: string): number {
  if (/^\d{1,4}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a number of calls per second. Use a number above 0.`);
}

async function compareCommand(flags: CompareFlags): Promise<void> {
  const given = credentialsOf(flags);
  const setting = await settingOf(flags);
  const print = prepareOutputs(flags);
  const { runCompareCommand } = await import('../fidelity/compare-command.ts');
  if (!(await runCompareCommand({ ...flags, given, setting, print }))) process.exitCode = 1;
}

/** @throws UsageError */
function credentialsOf({ username, passwordEnv }: CompareFlags): Credentials | undefined {
  if (username === undefined && passwordEnv === undefined) return undefined;
  if (username === undefined) throw new UsageError('--password-env needs --username');
  if (passwordEnv === undefined)
    throw new UsageError('--username needs --password-env with the name of the variable that has the password');
  const password = process.env[passwordEnv];
  if (password) return { username, password };
  throw new UsageError(
    `the variable ${passwordEnv} of --password-env is not set; set it to the password of "${username}"`,
  );
}
