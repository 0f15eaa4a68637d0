// `sachet matrix` over a client that the test writes, with what the client has noted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { MatrixDocument } from '../../src/node/matrix/report.ts';
import { type Command, folder, type Running, sachet } from './command.ts';
import { sachetHere } from './command-here.ts';

/** A reading as `--json` tells it. */
export type ResultShown = MatrixDocument['results'][number];

export interface Matrix<Started extends Command = Command> {
  readonly running: Started;
  /** The words that start the client. */
  readonly command: readonly string[];
  /** What the client has noted so far, a line each. */
  readonly notes: () => readonly string[];
  /** Its end; what it printed. */
  readonly told: () => Promise<{ readonly code: number | string; readonly stdout: string; readonly stderr: string }>;
}

type Environment = Readonly<Record<string, string>>;

/** A matrix may take longer than other commands: every run starts a process. */
const patienceMilliseconds = 50_000;

/** Starts it over a client, which is a module; in this process. */
export const matrix = (text: string, args: readonly string[] = [], env: Environment = {}): Matrix =>
  over(sachetHere, text, args, env);

/** Starts it as a process, which takes signals. */
export function matrixProcess(text: string, args: readonly string[] = []): Matrix<Running> {
  const started = over(sachet, text, args, {});
  onTestFinished(() => stopped(started.running));
  return started;
}

function over<Started extends Command>(
  start: (args: readonly string[], env: Environment) => Started,
  text: string,
  args: readonly string[],
  env: Environment,
): Matrix<Started> {
  const path = folder({ 'client.mjs': text, notes: '' });
  const notes = join(path, 'notes');
  const command = [process.execPath, join(path, 'client.mjs')];
  const running = start(['matrix', ...args, '--', ...command], { NOTES: notes, ...env });
  const told = async () => {
    const code = await running.ended(patienceMilliseconds);
    return { code, stdout: running.stdout, stderr: running.stderr };
  };
  return { running, command, notes: () => readFileSync(notes, 'utf8').split('\n').slice(0, -1), told };
}

/** One that a test leaves alone is asked to end, so that it ends its runs: they are in groups of their own. */
async function stopped({ child, ended }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await ended();
}

/** The document of one that told nothing else. */
export async function document(text: string, args: readonly string[] = [], env: Environment = {}) {
  const started = matrix(text, ['--json', ...args], env);
  const { code, stdout, stderr } = await started.told();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return { ...(JSON.parse(stdout) as MatrixDocument), code, notes: started.notes(), words: started.command };
}

export const failed = (results: readonly ResultShown[]): string[] =>
  results.filter(({ passed }) => !passed).map(({ assumption, reading }) => `${assumption}=${reading}`);
