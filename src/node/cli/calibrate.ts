// The command line of `sachet calibrate`.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { namesIn } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../contract/assumptions.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { CalibrateFlags } from '../fidelity/calibrate.ts';
import {
  absoluteUrl,
  addOptions,
  configFlag,
  integerFrom,
  jsonFlag,
  listOf,
  nonEmpty,
  seconds,
  several,
} from './flags.ts';
import { outFlag } from './learn.ts';
import { junitFlag } from './results.ts';

export const add = (line: Command): Command =>
  addOptions(line.command('calibrate'), calibrateFlags())
    .description('ask a service the requests that settle the open assumptions, and write sachet.config.json')
    .addHelpText('after', examples)
    .action(calibrate);

const examples = `
Without --allow-writes it reads, and sends orders that the service must refuse: it changes nothing.

Examples:
  sachet calibrate --target https://api.example.com --username me --password-env API_PASSWORD --plan
  sachet calibrate --target https://api.example.com --username me --password-env API_PASSWORD
  sachet calibrate --target https://api.example.com --username me --password-env API_PASSWORD --only pack_id --allow-writes`;

const calibrateFlags = (): Option[] => [
  new Option('--target <url>', 'base URL of the service, before /v2').argParser(targetUrl).makeOptionMandatory(),
  new Option('--username <name>', 'username for the login').argParser(nonEmpty).makeOptionMandatory(),
  new Option('--password-env <name>', 'environment variable that has the password')
    .argParser(nonEmpty)
    .makeOptionMandatory(),
  new Option('--allow-writes', 'also create orders where only that decides, then cancel them').default(false),
  new Option('--plan', 'print the requests, and send none').default(false),
  new Option('--only <id>', `ask about this assumption only; ${several}`)
    .argParser(listOf(assumptionId))
    .default([], 'all'),
  new Option('--known <name=value>', 'value for a request, such as foreign_product=ID; repeat the flag for several')
    .argParser(knownValue)
    .default({}, 'none'),
  new Option('--max-requests <number>', 'stop after this number of requests').argParser(integerFrom(1)).default(300),
  new Option('--rate <number>', 'requests per second').argParser(integerFrom(1)).default(2),
  new Option('--timeout <seconds>', 'time limit for an answer').argParser(seconds).default(30),
  configFlag('config file to start from; its choices stay unless an answer contradicts them'),
  outFlag(),
  jsonFlag('print the report as one line of JSON'),
  junitFlag(),
];

/** Imports the code only now: no other command needs it. */
async function calibrate(flags: CalibrateFlags): Promise<void> {
  const { runCalibrateCommand } = await import('../fidelity/calibrate.ts');
  if (!(await runCalibrateCommand(flags))) process.exitCode = 1;
}

function targetUrl(text: string): string {
  const url = absoluteUrl(text);
  if (!url.endsWith('/v2')) return url;
  throw new InvalidArgumentError(`"${text}" ends with /v2. Use the URL before it: ${url.slice(0, -3)}`);
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
  const names = Object.values(assumptionRegister).flatMap(({ probe }) =>
    'unobservable' in probe
      ? []
      : probe.calls.flatMap(({ path, body }) => namesIn(path + JSON.stringify(body ?? null))),
  );
  return [...new Set(names)].filter((name) => !ownNames.includes(name));
};

function knownValue(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const names = givableNames();
  if (names.includes(name)) return { ...previous, [name]: value };
  throw new InvalidArgumentError(`"${text}" is not of the form name=value. The names are: ${names.join(', ')}.`);
}
