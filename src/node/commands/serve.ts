// `sachet [serve]`: the server.
import type { Command } from 'commander';
import { createEngine } from '../../engine.ts';
import type { EngineOptions } from '../../engine-options.ts';
import { UsageError } from '../../stores/errors.ts';
import { fixturesIn, heldFlags } from '../kept-beginning.ts';
import { listenOver } from '../listen-over.ts';
import { createLog } from '../log.ts';
import { platform } from '../platform.ts';
import { reachOf } from '../reach.ts';
import { readyRecord } from '../ready-record.ts';
import { type ServeFlags, serveFlags, settingOf } from '../serve-flags.ts';

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
  const making = { ...platform, fixtures, scenarios, ...chosen, ...servingOptions(options) };
  const { url, engine, kept, close } = await listenOver(
    options,
    (store) => createEngine({ ...making, store }),
    options,
  );
  endOnSignal(close);
  const keyIsMade = options.adminKey === undefined;
  const shown = kept ? fixturesIn((await engine.sandboxes.stage()).state, fixtures) : fixtures;
  const ready = { url, fixtures: shown, pid: process.pid, adminKey: engine.adminKey, keyIsMade, kept };
  const words = heldFlags(options, kept?.sandboxes ?? 0);
  if (words !== undefined) process.stderr.write(`${words}\n`);
  process.stdout.write(options.json ? readyRecord(ready) : (await import('../banner.ts')).banner(ready));
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

/** What the server is beside its setting. */
function servingOptions(options: ServeFlags): Omit<EngineOptions, 'fixtures' | 'scenarios'> {
  const { adminKey, publicUrl, host } = options;
  return {
    adminKey,
    publicUrl,
    ...reachOf(host, options),
    loginSandboxes: options.loginSandboxes,
    maxSandboxes: options.maxSandboxes,
    maxRecords: options.maxRecords,
    debugHeaders: options.debugHeaders,
    log: createLog(options.log),
  };
}
