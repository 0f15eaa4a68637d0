// `sachet matrix` over a client that the test writes, with what the client has noted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { MatrixDocument } from '../../src/node/matrix/document.ts';
import { folder, type Running, sachet } from './command.ts';

/** A reading as `--json` tells it. */
export type ResultShown = MatrixDocument['results'][number];

export interface Matrix {
  readonly running: Running;
  /** The words that start the client. */
  readonly command: readonly string[];
  /** What the client has noted so far, a line each. */
  readonly notes: () => readonly string[];
  /** Its end; what it printed. */
  readonly told: () => Promise<{ readonly code: number | string; readonly stdout: string; readonly stderr: string }>;
}

/** A matrix may take longer than other commands: every run starts a process. */
const patienceMilliseconds = 50_000;

/** Starts it over a client, which is a module. */
export function matrix(text: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Matrix {
  const path = folder({ 'client.mjs': text, notes: '' });
  const notes = join(path, 'notes');
  const command = [process.execPath, join(path, 'client.mjs')];
  const running = sachet(['matrix', ...args, '--', ...command], { NOTES: notes, ...env });
  onTestFinished(() => stopped(running));
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
export async function document(text: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const started = matrix(text, ['--json', ...args], env);
  const { code, stdout, stderr } = await started.told();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return { ...(JSON.parse(stdout) as MatrixDocument), code, notes: started.notes(), words: started.command };
}

export const failed = (results: readonly ResultShown[]): string[] =>
  results.filter(({ passed }) => !passed).map(({ assumption, reading }) => `${assumption}=${reading}`);
