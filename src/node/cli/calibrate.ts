// The command line of `sachet calibrate`.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { namesIn } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../contract/assumptions.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { CalibrateFlags } from '../fidelity/calibrate.ts';
import { addOptions, integerFrom, listOf, several } from './flags.ts';
import { reportFlags } from './learn.ts';
import { targetFlags } from './target-flags.ts';

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

/** Imports the code only now: no other command needs it. */
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
  const problem = name === '' ? `"${text}" is not of the form name=value` : `No request has a value "${name}"`;
  throw new InvalidArgumentError(`${problem}. The names are: ${names.join(', ')}.${didYouMean(name, names)}`);
}
