// `sachet certify` over the client of certified-client.mjs, or over one that the test drives.
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Certification } from '../../src/node/certify/report.ts';
import { type Command, root } from './command.ts';
import { sachetHere } from './command-here.ts';

/** The words that start the client; it is right where nothing is said, else wrong as its name says. */
export const client = (...wrong: readonly string[]): readonly string[] => [
  process.execPath,
  join(root, 'test/support/certified-client.mjs'),
  ...wrong,
];

/** A walk takes longer than other commands. */
const patienceMilliseconds = 50_000;

/** The report of a walk over a client by lines, and its end; in this process. */
export async function certification(args: readonly string[], command: readonly string[] = client()) {
  const running = sachetHere(['certify', '--json', ...args, '--', ...command]);
  return { ...(await reportOf(running)), stderr: running.stderr };
}

/** What one that runs prints in the end. */
export async function reportOf(running: Command): Promise<Certification & { readonly code: number | string }> {
  const code = await running.ended(patienceMilliseconds);
  expect(running.stdout, running.stderr).toMatch(/^\{.*\}\n$/);
  return { ...(JSON.parse(running.stdout) as Certification), code };
}

export const failed = ({ scenarios }: Certification): string[] =>
  scenarios.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name);

/** The rules that a client broke, by the scenarios. */
export const broken = ({ scenarios }: Certification): string[] =>
  scenarios.flatMap(({ name, conduct }) =>
    conduct.filter(({ outcome }) => outcome === 'fail').map(({ id }) => `${name}: ${id}`),
  );
