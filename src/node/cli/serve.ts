// `sachet [serve]`: starts the server.
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { createEngine } from '../../app.ts';
import { FilesError } from '../../contract/file-errors.ts';
import { UnknownChoiceError } from '../../contract/resolved-assumptions.ts';
import { UnknownScenarioError } from '../../sandbox/scenarios.ts';
import { UnknownInstantError } from '../../state/clock.ts';
import type { Store } from '../../state/store.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { hostOptions } from '../host-address.ts';
import { createLog, platform } from '../platform.ts';
import { startServer } from '../start-server.ts';
import { addOptions } from './flags.ts';
import { banner, readyRecord } from './ready.ts';
import { type ServeFlags, type SettingFlags, serveFlags, settingFlags, settingOf } from './serve-flags.ts';
import { readTlsFlags, writeCa } from './serve-tls.ts';

/** The errors that the caller can fix, besides UsageError. */
export const usageErrors = [FilesError, UnknownChoiceError, UnknownInstantError, UnknownScenarioError];

/** The default command. */
export const add = (line: Command): Command =>
  addOptions(line.command('serve', { isDefault: true }), serveFlags())
    .description('start the server (the default command)')
    .allowExcessArguments()
    .action(serve);

async function serve(flags: ServeFlags): Promise<void> {
  if (flags.store !== undefined && flags.adminKey === undefined)
    throw new UsageError(
      '--store needs an admin key, the same on every server that shares the database; pass it with --admin-key or ' +
        'SACHET_ADMIN_KEY',
    );
  const log = createLog(flags.log);
  const reach = hostOptions(flags.host, flags);
  const engineOptions = { ...flags, ...platform, ...(await settingOf(flags)), ...reach, log };
  const { tls, ca } = await readTlsFlags(flags, reach.allowedHosts);
  const telemetry = await loadTelemetry(tls ? 'https' : 'http');
  const { onCompleted } = telemetry ?? {};
  const createEngineOver = (store: Store | undefined) => createEngine({ ...engineOptions, store, onCompleted });
  const { url, engine, storedState, ...server } = await startServer(flags, createEngineOver, { ...flags, tls });
  const close = () => server.close().finally(telemetry?.shutdown);
  closeOnSignal(close);
  const caFile = ca && (await writeCa(ca, flags).catch((error) => close().then(() => Promise.reject(error))));
  if (storedState) noteIgnoredFlags(flags, storedState.sandboxes);
  const { state } = await engine.sandboxes.stage();
  const isNewKey = flags.adminKey === undefined;
  const { consoleKey } = flags;
  const ready = { url, state, adminKey: engine.adminKey, isNewKey, consoleKey, storedState, caFile };
  process.stdout.write(flags.json ? readyRecord(ready) : banner(ready));
}

/** OpenTelemetry's SDK is loaded only if the environment names a collector and does not turn it off. */
async function loadTelemetry(scheme: 'http' | 'https') {
  const variables = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const variable = variables.find((name) => process.env[name]?.trim());
  const isSet = (name: string, value: string) => process.env[name]?.trim().toLowerCase() === value;
  const isOff = isSet('OTEL_SDK_DISABLED', 'true') || isSet('OTEL_TRACES_EXPORTER', 'none');
  if (variable === undefined || isOff) return undefined;
  return (await import('../telemetry.ts')).startTelemetry(variable, scheme);
}

/** The first signal closes the server, a second one ends the process. */
function closeOnSignal(close: () => Promise<void>): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const end = () => {
    for (const signal of signals) process.removeListener(signal, end);
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`sachet: could not save the latest changes: ${(error as Error).message}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, end);
}

/** Prints which of the flags the stored sandboxes ignore. */
function noteIgnoredFlags(flags: SettingFlags, sandboxes: number): void {
  const given = settingFlags()
    .filter(({ long }) => long !== '--scenarios')
    .filter((flag) => !isDeepStrictEqual(flags[flag.attributeName() as keyof SettingFlags], flag.defaultValue))
    .map(({ long }) => long);
  const scope = `only new sandboxes use this; the ${sandboxes} restored sandboxes keep their settings`;
  if (given.length > 0 && sandboxes > 0) process.stderr.write(`state: ${given.join(', ')}: ${scope}\n`);
}
