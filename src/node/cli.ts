#!/usr/bin/env node
// The command line: `sachet [serve]`. Exit codes: 0, 1 at run time, 2 usage.
import { fileURLToPath } from 'node:url';
import type { ProfileName, Readings } from '../contract/assumptions.ts';
import { FixturesError } from '../contract/file-faults.ts';
import { UnknownReadingError } from '../contract/readings.ts';
import { UnknownInstantError } from '../control/clock.ts';
import { createSachet, type SachetOptions } from '../create-sachet.ts';
import { banner, readyRecord } from './banner.ts';
import { nodeHashes } from './hashes.ts';
import { loadFixtures } from './load-files.ts';
import { createLog, reportFailure } from './log.ts';
import { commandLine, type ServeOptions } from './options.ts';
import { listen } from './serve.ts';
import { UsageError } from './usage-error.ts';

/** Beside the build: the package's own fixtures. */
const shippedFixtures = fileURLToPath(new URL('../fixtures', import.meta.url));

async function serve(options: ServeOptions): Promise<void> {
  const fixtures = loadFixtures(options.fixtures ?? shippedFixtures);
  const sachet = createSachet({ fixtures, ...sachetOptions(options) });
  const { url, close } = await listen(sachet, options);
  const ready = { url, fixtures, pid: process.pid };
  endOnSignal(close);
  process.stdout.write(options.json ? readyRecord(ready) : banner(ready));
}

/** The first signal ends the server, a second one the process. */
function endOnSignal(close: () => Promise<void>): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const end = () => {
    for (const signal of signals) process.removeListener(signal, end);
    void close().then(() => process.exit(0));
  };
  for (const signal of signals) process.on(signal, end);
}

function sachetOptions(options: ServeOptions): Omit<SachetOptions, 'fixtures'> {
  const { assume, profile, clock, randomSeed, publicUrl, loginSandboxes, log } = options;
  return {
    assumptions: assume as Partial<Readings>,
    profile: profile as ProfileName,
    ...(clock === undefined ? {} : { clock }),
    ...(randomSeed === undefined ? {} : { randomSeed }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    loginSandboxes,
    hashes: nodeHashes,
    freezeRecords: false,
    log: createLog(log),
    onFailure: reportFailure,
  };
}

const isUsage = (error: unknown): error is Error =>
  [UsageError, FixturesError, UnknownReadingError, UnknownInstantError].some((kind) => error instanceof kind);

// Whoever read the log may have gone; that is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await commandLine(serve).parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** commander has told its own errors already; help and version are no errors. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`sachet: ${error instanceof Error ? error.message : String(error)}\n`);
  return isUsage(error) ? 2 : 1;
}
