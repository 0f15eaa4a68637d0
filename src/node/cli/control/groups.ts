// The commands that control a running server, by group. To add one, add it to its group.
import { readFileSync, writeFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Input, Result } from '../../../client/sandbox-control.ts';
import { requireSandboxName, stage } from '../../../contract/addresses.ts';
import { sandboxOperations } from '../../../contract/control/sandboxes.ts';
import { switchNames } from '../../../contract/control/switch-names.ts';
import { fault, switches } from '../../../contract/control/switches.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import { shippedScenarios } from '../../../shipped.ts';
import { UsageError } from '../../../system/exit-errors.ts';
import { addOptions, checked, jsonFlag, nonEmpty, remoteFlags } from '../flags.ts';
import { tryToWrite } from '../results.ts';
import { printableTable } from '../table.ts';
import {
  addControlCommand,
  type ControlCommand,
  controlCommand,
  exampleLines,
  fields,
  type Target,
  table,
} from './control-command.ts';
import { orderCommands } from './orders.ts';
import { readDuration, readSettings, settingsArgument, settingWords } from './settings.ts';

const settingsHelp = `
Settings: a dot leads into a nested object: match.operation=orders.create. A value that is valid JSON is read as JSON,
such as a number, true, null or a list; quote a list for your shell: 'permissions=["orders:write"]'.
`;
const settingsOf = (what: string, { shape }: { readonly shape: object }): string =>
  `  ${what}: ${Object.keys(shape).join(', ')}\n`;

const sandboxArgument = (): Argument =>
  new Argument('[name]', 'name of the sandbox; default: that of --sandbox').argParser((text) =>
    checked(() => requireSandboxName(text)),
  );
const controlOf = ({ server, sandbox }: Target, name: string) => (name ? server.sandbox(name) : sandbox);

const sandboxCommands = [
  controlCommand({
    name: 'list',
    description: 'list all sandboxes; needs the admin key',
    examples: ['', '--json'],
    run: ({ server }) => server.list(),
    print: ({ sandboxes }) => table(sandboxes, ['name', 'environment', 'base_url', 'last_used_at']),
  }),
  controlCommand({
    name: 'create',
    description: 'create a sandbox, and print its base URL and a login; needs the admin key',
    examples: ['w7', 'w7 scenario=rate-limit-burst clock=2026-01-01T00:00:00Z', 'own_key=true ttl_seconds=3600'],
    arguments: [
      new Argument('[name]', 'name of the sandbox; default: that of --sandbox, else a random one').argParser(nonEmpty),
      settingsArgument(),
    ],
    help: settingsHelp + settingsOf('settings', sandboxOperations['sandboxes.create'].body),
    run: ({ server, name: selected }, word, words) => {
      const isSetting = /[={]/.test(word);
      const settings = readSettings(isSetting ? [word, ...words] : words);
      const fallback = selected === stage ? {} : { name: selected };
      return server.create({ ...fallback, ...settings, ...(word && !isSetting && { name: word }) });
    },
    print: ({ name, base_url, logins: [login], key }) =>
      fields({ name, base_url, ...login, ...(key === null ? {} : { key }) }),
  }),
  controlCommand({
    name: 'reset',
    description: 'reset a sandbox to its initial state; its snapshots stay',
    examples: ['', 'w7'],
    arguments: [sandboxArgument()],
    run: (target, name) => controlOf(target, name).reset(),
    print: ({ name }) => `Reset the sandbox "${name}".\n`,
  }),
  controlCommand({
    name: 'delete',
    description: 'delete a sandbox; stage and production cannot be deleted',
    examples: ['w7'],
    arguments: [sandboxArgument()],
    run: (target, name) => controlOf(target, name).delete(),
    print: (_, target, name) => `Deleted the sandbox "${name || target.name}".\n`,
  }),
];

const switchArgument = (flags: string, description: string): Argument =>
  new Argument(flags, description).choices(switchNames).argParser((text) => {
    if (Object.hasOwn(switches, text)) return text;
    throw new InvalidArgumentError(`The switches are ${switchNames.join(', ')}.${didYouMean(text, switchNames)}`);
  });
const switchTable = (all: Awaited<Result<'switches.get'>>, only = ''): string => {
  const shown = Object.entries(all).filter(([name]) => only === '' || name === only);
  return printableTable(shown.map(([name, settings]) => [name, settings ? settingWords(settings) : 'off']));
};

const switchCommands = [
  controlCommand({
    name: 'list',
    description: 'list all switches with their settings and progress',
    run: ({ sandbox }) => sandbox.switches.get(),
    print: (all) => switchTable(all),
  }),
  controlCommand({
    name: 'set',
    description: 'turn a switch on; replaces its previous settings',
    examples: [
      'token_expiry expire_issued=true',
      'rate_limit burst=3 retry_after=1',
      'server_error burst=1 match.operation=orders.create',
      `latency '{"min": 100, "max": 300}'`,
    ],
    arguments: [switchArgument('<name>', 'name of the switch'), settingsArgument()],
    help: settingsHelp + switchNames.map((name) => settingsOf(name, switches[name])).join(''),
    run: ({ sandbox }, name, words) => sandbox.switches.set({ [name]: readSettings(words) }),
    print: (all, _, name) => switchTable(all, name),
  }),
  controlCommand({
    name: 'clear',
    description: 'turn a switch off; without a name, all of them',
    examples: ['rate_limit', ''],
    arguments: [switchArgument('[name]', 'name of the switch; default: all')],
    run: async ({ sandbox }, name) => {
      if (name) return sandbox.switches.set({ [name]: null });
      return sandbox.switches.clear();
    },
    print: (_, __, name) => (name ? `Turned the switch "${name}" off.\n` : 'Turned all switches off.\n'),
  }),
];

const faultCells = ({ id, ...settings }: Awaited<Result<'faults.get'>>): readonly string[] => [
  id,
  settingWords(settings),
];

const faultCommands = [
  controlCommand({
    name: 'list',
    description: 'list the faults with their settings and progress',
    run: ({ sandbox }) => sandbox.faults.list(),
    print: ({ faults }) =>
      faults.length > 0 ? printableTable(faults.map(faultCells)) : 'The sandbox has no faults.\n',
  }),
  controlCommand({
    name: 'add',
    description: 'add a fault: matching requests get a status, a delay or a broken connection',
    examples: [
      'status=503 match.operation=orders.create times=1',
      'id=lost-orders drop=after_processing match.operation=orders.create times=1',
      'delay.milliseconds=2000 probability=0.1',
    ],
    arguments: [settingsArgument()],
    help: settingsHelp + settingsOf('settings', fault),
    run: ({ sandbox }, _, words) => sandbox.faults.create(readSettings(words)),
    print: (added) => printableTable([faultCells(added)]),
  }),
  controlCommand({
    name: 'remove',
    description: 'remove a fault',
    examples: ['fault-1'],
    arguments: [new Argument('<id>', 'id of the fault').argParser(nonEmpty)],
    run: ({ sandbox }, id) => sandbox.faults.delete(id),
    print: (_, __, id) => `Removed the fault "${id}".\n`,
  }),
];

/** The server may have other scenarios; the shipped ones are for help and completion. */
const scenarioArgument = (flags: string, description: string): Argument =>
  new Argument(flags, description).choices(shippedScenarios().map(({ name }) => name)).argParser(nonEmpty);

const scenarioCommands = [
  controlCommand({
    name: 'list',
    description: 'list the scenarios of the server, and when each was applied',
    run: ({ sandbox }) => sandbox.scenarios.list(),
    print: ({ scenarios }) => table(scenarios, ['name', 'applied_at', 'intent']),
  }),
  controlCommand({
    name: 'apply',
    description: 'apply a scenario: a set of switches, faults, assumptions and data',
    examples: ['rate-limit-burst', 'lost-answer --sandbox w7'],
    arguments: [scenarioArgument('<name>', 'name of the scenario')],
    run: ({ sandbox }, name) => sandbox.scenarios.apply(name),
    print: ({ name, intent, right_client }) => fields({ name, intent, 'a correct client': right_client }),
  }),
  controlCommand({
    name: 'clear',
    description: 'remove a scenario and undo its changes; without a name, all that are applied',
    examples: ['rate-limit-burst', ''],
    arguments: [scenarioArgument('[name]', 'name of the scenario; default: all that are applied')],
    run: async ({ sandbox }, name) => {
      if (name) return sandbox.scenarios.take_back(name);
      const { scenarios } = await sandbox.scenarios.list();
      for (const one of scenarios) if (one.applied_at !== null) await sandbox.scenarios.take_back(one.name);
    },
    print: (_, __, name) => (name ? `Removed the scenario "${name}".\n` : 'Removed all scenarios.\n'),
  }),
];

const clockCommands = [
  controlCommand({
    name: 'show',
    description: 'print the time of the sandbox',
    run: ({ sandbox }) => sandbox.clock.get(),
  }),
  controlCommand({
    name: 'advance',
    description: 'advance the clock; takes the steps of orders and packages that become due',
    examples: ['15m', '1d', 'PT1H30M'],
    arguments: [new Argument('<duration>', 'such as 90s, 15m, 2h, 1d, 1h30m or PT15M').argParser(readDuration)],
    run: ({ sandbox }, by) => sandbox.clock.advance({ by }),
  }),
  controlCommand({
    name: 'freeze',
    description: 'stop the clock, at the current time or another one',
    examples: ['', '2026-01-01T00:00:00Z'],
    arguments: [new Argument('[time]', 'ISO 8601 time; default: the current one')],
    run: ({ sandbox }, now) => sandbox.clock.set({ frozen: true, ...(now && { now }) }),
  }),
  controlCommand({
    name: 'set',
    description: 'set the time; a running clock runs on from there, a frozen one stays frozen',
    examples: ['2026-01-01T00:00:00Z'],
    arguments: [new Argument('<time>', 'ISO 8601 time')],
    run: ({ sandbox }, now) => sandbox.clock.set({ now }),
  }),
  controlCommand({
    name: 'run',
    description: 'let a frozen clock run on from its time',
    run: ({ sandbox }) => sandbox.clock.set({ frozen: false }),
  }),
  controlCommand({
    name: 'reset',
    description: 'return to real time',
    run: ({ sandbox }) => sandbox.clock.set({ now: null }),
  }),
];

const asText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

const stateCommands = [
  controlCommand({
    name: 'export',
    description: 'print the state as one JSON document, with the passwords of the users',
    examples: ['--out state.json', '> state.json'],
    option: new Option('--out <file>', 'write the document to this file; - is standard output').argParser(nonEmpty),
    run: async ({ sandbox, option: file = '-' }) => {
      const document = await sandbox.state.get();
      // It has passwords.
      const write = () => writeFileSync(file, asText(document), { mode: 0o600 });
      if (file !== '-') tryToWrite(`the file ${file}`, write, Error);
      return document;
    },
    print: (document, { name, option: file = '-' }) =>
      file === '-' ? asText(document) : `Wrote the state of the sandbox "${name}" to ${file}.\n`,
  }),
  controlCommand({
    name: 'import',
    description: 'replace the state of the sandbox with an exported document',
    examples: ['state.json', '- < state.json'],
    arguments: [new Argument('<file>', 'the document; - is standard input')],
    run: async ({ sandbox }, file) => sandbox.state.put(await readDocument(file)),
    print: ({ name }) => `Imported the state into the sandbox "${name}".\n`,
  }),
];

/** @throws UsageError */
async function readDocument(file: string): Promise<Input<'state.put'>> {
  try {
    return JSON.parse(file === '-' ? await textOf(process.stdin) : readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `cannot read ${file === '-' ? 'standard input' : file} as JSON: ${(error as Error).message}; pass a document ` +
        'that `sachet state export` wrote',
    );
  }
}

/** The description and the commands of each group, such as `sachet clock`. */
const groups = {
  sandbox: ['create, list, reset and delete sandboxes of a running server', sandboxCommands],
  switch: ['turn switches on and off, such as rate_limit', switchCommands],
  fault: ['make requests fail, wait or lose their response', faultCommands],
  scenario: ['apply and remove scenarios', scenarioCommands],
  clock: ['advance, set or freeze the clock of a sandbox', clockCommands],
  order: ['act on orders as the operator: accept, ship, deliver and more', orderCommands],
  state: ['export and import the whole state of a sandbox', stateCommands],
} as const satisfies Record<string, readonly [string, readonly ControlCommand<unknown>[]]>;

export type GroupName = keyof typeof groups;

/** Adds the group with its commands and the flags that they share. */
export function addGroup(line: Command, name: GroupName): Command {
  const [description, commands] = groups[name];
  const group = addOptions(line.command(name), [...remoteFlags(), jsonFlag('print the response as one line of JSON')])
    .description(description)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true });
  for (const command of commands) addControlCommand(group, command);
  return group.addHelpText('after', exampleLines(group, commands));
}
