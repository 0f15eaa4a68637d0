// `sachet [serve]`: starts the server.
import type { Command } from 'commander';
import { createEngine } from '../../app.ts';
import { FilesError } from '../../contract/file-errors.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import type { CollectionName, RecordOf } from '../../contract/records.ts';
import { UnknownChoiceError } from '../../contract/resolved-assumptions.ts';
import { UnknownScenarioError } from '../../sandbox/scenarios.ts';
import { UnknownInstantError } from '../../state/clock.ts';
import type { State } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { UsageError } from '../../stores/errors.ts';
import { hostOptions } from '../host-address.ts';
import { createLog, platform } from '../platform.ts';
import { startServer } from '../start-server.ts';
import { banner, readyRecord } from './ready.ts';
import { type ServeFlags, type SettingFlags, serveFlags, settingOf } from './serve-flags.ts';

/** The errors that the caller can fix. */
export const usage = [UsageError, FilesError, UnknownChoiceError, UnknownInstantError, UnknownScenarioError];

/** The default command. `refuse` is called first, because an unknown command arrives here as an excess argument. */
export function addServe(program: Command, refuse: () => void | Promise<void>): Command {
  const command = program.command('serve', { isDefault: true }).allowExcessArguments();
  for (const option of serveFlags()) command.addOption(option);
  return command.description('start the server (the default command)').action(async (flags: ServeFlags) => {
    await refuse();
    await serve(flags);
  });
}

async function serve(flags: ServeFlags): Promise<void> {
  if (flags.store !== undefined && flags.adminKey === undefined)
    throw new UsageError(
      'servers that share a database (--store) are controlled by one key: give it to each of them by ' +
        '--admin-key or SACHET_ADMIN_KEY',
    );
  const { fixtures, scenarios, options } = await settingOf(flags);
  const { adminKey, publicUrl, loginSandboxes, maxSandboxes, maxRecords, debugHeaders } = flags;
  const engineOptions = {
    ...platform,
    fixtures,
    scenarios,
    ...options,
    adminKey,
    publicUrl,
    loginSandboxes,
    maxSandboxes,
    maxRecords,
    debugHeaders,
    ...hostOptions(flags.host, flags),
    log: createLog(flags.log),
  };
  const createEngineOver = (store: Store | undefined) => createEngine({ ...engineOptions, store });
  const { url, engine, storedState, close } = await startServer(flags, createEngineOver, flags);
  closeOnSignal(close);
  const note = storedState && describeIgnoredFlags(flags, storedState.sandboxes);
  if (note !== undefined) process.stderr.write(`${note}\n`);
  const ready = {
    url,
    fixtures: storedState ? currentFixtures((await engine.sandboxes.stage()).state, fixtures) : fixtures,
    pid: process.pid,
    adminKey: engine.adminKey,
    isNewKey: adminKey === undefined,
    storedState,
  };
  process.stdout.write(flags.json ? readyRecord(ready) : banner(ready));
}

/** The first signal closes the server, a second one ends the process. */
function closeOnSignal(close: () => Promise<void>): void {
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

/** The fixtures with the stored sandbox's logins and products, for the login and the order that the banner shows. */
function currentFixtures(state: State, fixtures: Fixtures): Fixtures {
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

/** A note that stored sandboxes ignore these flags; undefined if there is nothing to note. */
function describeIgnoredFlags(flags: SettingFlags, sandboxes: number): string | undefined {
  const { fixtures, scenario, assume, profile, clock, randomSeed } = flags;
  const isGiven = {
    '--fixtures': fixtures !== undefined,
    '--scenario': scenario !== undefined,
    '--assume': Object.keys(assume).length > 0,
    '--profile': profile !== 'default',
    '--clock': clock !== undefined,
    '--random-seed': randomSeed !== undefined,
  };
  const given = Object.entries(isGiven).flatMap(([name, is]) => (is ? [name] : []));
  if (given.length === 0 || sandboxes === 0) return undefined;
  return (
    `state: ${given.join(', ')}: for sandboxes that are made from now on; the ${sandboxes} from before stay as ` +
    'they are'
  );
}
