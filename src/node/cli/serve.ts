// `sachet [serve]`: the server.
import type { Command } from 'commander';
import { createEngine } from '../../app.ts';
import { FilesError } from '../../contract/file-errors.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import type { CollectionName, RecordOf } from '../../contract/records.ts';
import { UnknownChoiceError } from '../../contract/resolved-assumptions.ts';
import { UnknownScenarioError } from '../../contract/scenarios.ts';
import { UnknownInstantError } from '../../state/clock.ts';
import type { State } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { UsageError } from '../../stores/errors.ts';
import { hostOptions } from '../host-address.ts';
import { createLog, platform } from '../platform.ts';
import { startServer } from '../start-server.ts';
import { banner, readyRecord } from './ready.ts';
import { type ServeFlags, type SettingFlags, serveFlags, settingOf } from './serve-flags.ts';

/** Adds the command that runs without a name. `refuse` is asked first: words too many, such as an unknown command, end up here. */
export function addServe(program: Command, refuse: () => void | Promise<void>): Command {
  const command = program.command('serve', { isDefault: true }).allowExcessArguments();
  for (const option of serveFlags()) command.addOption(option);
  return command.description('start the server (the default command)').action(async (options: ServeFlags) => {
    await refuse();
    await serve(options);
  });
}

async function serve(options: ServeFlags): Promise<void> {
  if (options.store !== undefined && options.adminKey === undefined)
    throw new UsageError(
      'servers that share a database (--store) are controlled by one key: give it to each of them by --admin-key or SACHET_ADMIN_KEY',
    );
  const { fixtures, scenarios, options: chosen } = await settingOf(options);
  const { adminKey, publicUrl, loginSandboxes, maxSandboxes, maxRecords, debugHeaders } = options;
  const given = { adminKey, publicUrl, loginSandboxes, maxSandboxes, maxRecords, debugHeaders };
  const reach = hostOptions(options.host, options);
  const making = { ...platform, fixtures, scenarios, ...chosen, ...given, ...reach, log: createLog(options.log) };
  const engineOver = (store: Store | undefined) => createEngine({ ...making, store });
  const { url, engine, kept, close } = await startServer(options, engineOver, options);
  endOnSignal(close);
  const keyIsMade = adminKey === undefined;
  const shown = kept ? fixturesIn((await engine.sandboxes.stage()).state, fixtures) : fixtures;
  const ready = { url, fixtures: shown, pid: process.pid, adminKey: engine.adminKey, keyIsMade, kept };
  const words = heldFlags(options, kept?.sandboxes ?? 0);
  if (words !== undefined) process.stderr.write(`${words}\n`);
  process.stdout.write(options.json ? readyRecord(ready) : banner(ready));
}

/** The first signal ends the server, a second one the process. */
function endOnSignal(close: () => Promise<void>): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const end = () => {
    for (const signal of signals) process.removeListener(signal, end);
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`sachet: what is not written yet could not be written: ${(error as Error).message}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, end);
}

/** What the caller of a command can mend. */
export const usage = [UsageError, FilesError, UnknownChoiceError, UnknownInstantError, UnknownScenarioError];

/** The fixtures with the logins, and what can be ordered, as this sandbox has them now. */
function fixturesIn(state: State, fixtures: Fixtures): Fixtures {
  const rows = <Name extends CollectionName>(name: Name): RecordOf<Name>[] =>
    Array.from(state.table(name).entries(), ([, row]) => row as RecordOf<Name>);
  return {
    ...fixtures,
    accounts: rows('accounts'),
    brands: rows('brands'),
    users: rows('users'),
    products: rows('products'),
    operator_products: rows('operator_products'),
    administration_times: state.value('administration_times'),
  };
}

/** That flags do not hold for what is there; undefined where none was given that could. */
function heldFlags({ fixtures, scenario, assume, profile, clock, randomSeed }: SettingFlags, sandboxes: number) {
  const given = {
    '--fixtures': fixtures !== undefined,
    '--scenario': scenario !== undefined,
    '--assume': Object.keys(assume).length > 0,
    '--profile': profile !== 'default',
    '--clock': clock !== undefined,
    '--random-seed': randomSeed !== undefined,
  };
  const flags = Object.entries(given).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
  if (flags.length === 0 || sandboxes === 0) return undefined;
  return `state: ${flags.join(', ')}: for sandboxes that are made from now on; the ${sandboxes} from before stay as they are`;
}
