// The report of `sachet certify --json`.
import { expect } from 'vitest';
import type { Certification } from '../../src/node/certify/report.ts';
import type { Command } from '../support/command.ts';

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
