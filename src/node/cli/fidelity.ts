// The command lines of `sachet learn`, `sachet calibrate` and `sachet compare`. Each imports its code only when it
// runs.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { namesIn } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../contract/assumptions.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { Credentials } from '../../fidelity/replay.ts';
import { UsageError } from '../../system/exit-errors.ts';
import type { CalibrateFlags } from '../fidelity/calibrate.ts';
import type { LearnFlags } from '../fidelity/learn.ts';
import {
  absoluteUrl,
  addOptions,
  configFlag,
  integerFrom,
  jsonFlag,
  listOf,
  names,
  nonEmpty,
  several,
} from './flags.ts';
import { junitFlag, type Outputs, prepareOutputs } from './results.ts';
import { type SettingFlags, settingFlags, settingOf } from './serve-flags.ts';
import { passwordIn, type TargetFlags, targetFlags } from './target-flags.ts';

export const addLearn = (line: Command): Command =>
  addOptions(line.command('learn'), [baseUrlFlag(), ...reportFlags()])
    .description('find the choices of the service in recordings; exit with 1 if its answers contradict the contract')
    .argument('<har...>', 'HAR files of calls to the service')
    .addHelpText('after', learnExamples)
    .action(learn);

/** Of commands that write a config. */
const reportFlags = (): Option[] => [
  configFlag('config file to start from; its choices stay unless an answer contradicts them'),
  new Option('--out <file>', 'file to write the config to, for --config')
    .argParser(nonEmpty)
    .default('sachet.config.json'),
  jsonFlag('print the report as one line of JSON'),
  junitFlag(),
];

const baseUrlFlag = (): Option =>
  new Option('--base-url <url>', 'base URL of the service, if the recordings have calls of several')
    .argParser(absoluteUrl)
    .default(undefined, 'the only one');

const learnExamples = `
Examples:
  sachet learn real.har
  sachet learn monday.har tuesday.har --config sachet.config.json
  sachet serve --config sachet.config.json`;

async function learn(files: readonly string[], flags: LearnFlags): Promise<void> {
  const { runLearnCommand } = await import('../fidelity/learn.ts');
  if (!(await runLearnCommand(files, flags))) process.exitCode = 1;
}

export const addCalibrate = (line: Command): Command =>
  addOptions(line.command('calibrate'), calibrateFlags())
    .description('ask a service the requests that settle the open assumptions, and write sachet.config.json')
    .addHelpText('after', calibrateExamples)
    .action(calibrate);

const calibrateExamples = `
Without --allow-writes it reads, and sends orders that the service must refuse: it changes nothing.

Examples:
  sachet calibrate --target https://api.example.com --username me --password-env API_PASSWORD --plan
  sachet calibrate --target https://api.example.com --username me --password-env API_PASSWORD
  sachet calibrate --target https://api.example.com --username me --password-env API_PASSWORD \\
    --only pack_id --allow-writes`;

const calibrateFlags = (): Option[] => [
  ...targetFlags(2, true, {
    username: 'username for the login',
    allowWrites: 'also create orders where only that decides, then cancel them',
  }),
  new Option('--only <id>', `ask about this assumption only; ${several}`)
    .argParser(listOf(assumptionId))
    .default([], 'all'),
  new Option('--known <name=value>', 'value for a request, such as foreign_product=ID; repeat the flag for several')
    .argParser(knownValue)
    .default({}, 'none'),
  new Option('--max-requests <number>', 'stop after this number of requests').argParser(integerFrom(1)).default(300),
  ...reportFlags(),
];

async function calibrate(flags: CalibrateFlags): Promise<void> {
  const { runCalibrateCommand } = await import('../fidelity/calibrate.ts');
  if (!(await runCalibrateCommand(flags))) process.exitCode = 1;
}

function assumptionId(text: string): AssumptionId {
  const id = assumptionIds.find((one) => one === text);
  if (id === undefined)
    throw new InvalidArgumentError(`There is no assumption "${text}".${didYouMean(text, assumptionIds)}`);
  const { probe } = assumptionRegister[id];
  if (!('unobservable' in probe)) return id;
  throw new InvalidArgumentError(`No request decides ${id}: ${probe.unobservable}.`);
}

/** Names that the command itself has values for. */
const ownNames = ['username', 'password', 'refresh_token', 'unknown', 'email'];

/** The names of values that a user can give. */
const givableNames = (): string[] => {
  const givable = Object.values(assumptionRegister).flatMap(({ probe }) =>
    'unobservable' in probe
      ? []
      : probe.calls.flatMap(({ path, body }) => namesIn(path + JSON.stringify(body ?? null))),
  );
  return [...new Set(givable)].filter((name) => !ownNames.includes(name));
};

function knownValue(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const givable = givableNames();
  if (givable.includes(name)) return { ...previous, [name]: value };
  const problem = name === '' ? `"${text}" is not of the form name=value` : `No request has a value "${name}"`;
  throw new InvalidArgumentError(`${problem}. The names are: ${givable.join(', ')}.${didYouMean(name, givable)}`);
}

interface CompareFlags extends SettingFlags, Outputs, TargetFlags {
  readonly from: readonly string[];
  readonly baseUrl?: string;
}

export const addCompare = (line: Command): Command =>
  addOptions(line.command('compare'), compareFlags())
    .description(
      'send recorded calls to a service and to a sandbox, and compare the answers; exit with 1 if they differ',
    )
    .action(compare);

const compareFlags = (): Option[] => [
  ...targetFlags(10, false, {
    username: 'username for the login; without it, the logins of the recording',
    allowWrites: 'also send calls that may change data of the service',
  }),
  new Option('--from <file>', `HAR file with the calls to send; ${several}`).argParser(names).makeOptionMandatory(),
  baseUrlFlag(),
  jsonFlag('print one JSON document'),
  junitFlag(),
  ...settingFlags(),
];

async function compare(flags: CompareFlags): Promise<void> {
  const given = credentialsOf(flags);
  const setting = await settingOf(flags);
  const print = prepareOutputs(flags);
  const { runCompareCommand } = await import('../fidelity/compare.ts');
  if (!(await runCompareCommand({ ...flags, given, setting, print }))) process.exitCode = 1;
}

/** @throws UsageError */
function credentialsOf({ username, passwordEnv }: CompareFlags): Credentials | undefined {
  if (username === undefined && passwordEnv === undefined) return undefined;
  if (username === undefined) throw new UsageError('--password-env needs --username');
  if (passwordEnv !== undefined) return { username, password: passwordIn(passwordEnv) };
  throw new UsageError('--username needs --password-env with the name of the variable that has the password');
}
