// `sachet certify --json` over the client of certified-client.mjs, or over another one.
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Certification } from '../../src/node/certify/report.ts';
import { type Command, root } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';

/** The command of a client: correct without arguments, else with these faults. */
export const client = (...faults: readonly string[]): readonly string[] => [
  process.execPath,
  join(root, 'test/support/certified-client.mjs'),
  ...faults,
];

export async function certification(args: readonly string[], command: readonly string[] = client()) {
  const running = sachetHere(['certify', '--json', ...args, '--', ...command]);
  return { ...(await reportOf(running)), stderr: running.stderr };
}

/** Waits for the report of a running command. */
export async function reportOf(running: Command): Promise<Certification & { readonly code: number | string }> {
  const code = await running.ended(100_000);
  expect(running.stdout, running.stderr).toMatch(/^\{.*\}\n$/);
  return { ...(JSON.parse(running.stdout) as Certification), code };
}

export const failed = ({ scenarios }: Certification): string[] =>
  scenarios.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name);

/** The broken conduct rules, as `scenario: rule`. */
export const broken = ({ scenarios }: Certification): string[] =>
  scenarios.flatMap(({ name, conduct }) =>
    conduct.filter(({ outcome }) => outcome === 'fail').map(({ id }) => `${name}: ${id}`),
  );
