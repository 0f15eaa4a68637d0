// `sachet certify` over the client of certified-client.mjs, or over one that the test drives.
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Running, root, sachet } from './command.ts';

/** The report as `--json` prints it. */
export interface CertificationShown {
  readonly version: string;
  readonly server_version: string;
  readonly seed: string | null;
  readonly sandbox: string;
  readonly assumptions: Readonly<Record<string, string>>;
  readonly started_at: string;
  readonly finished_at: string;
  readonly client: readonly string[] | null;
  readonly certified: boolean;
  readonly left_out: readonly string[];
  readonly scenarios: readonly ScenarioShown[];
}

interface ScenarioShown {
  readonly name: string;
  readonly intent: string;
  readonly right_client: string;
  readonly outcome: 'pass' | 'fail';
  readonly note: string | null;
  readonly duration_ms: number;
  readonly expect: readonly { match: object; count: unknown; came: number | null; satisfied: boolean }[];
  readonly conduct: readonly { id: string; outcome: string; evidence: readonly string[]; advice: string }[];
  readonly evidence: readonly {
    id: string;
    received_at: string;
    method: string;
    path: string;
    status: number | null;
    rules: readonly string[];
    sentence: string | null;
  }[];
}

/** The words that start the client; it is right where nothing is said, else wrong as its name says. */
export const client = (...wrong: readonly string[]): readonly string[] => [
  process.execPath,
  join(root, 'test/support/certified-client.mjs'),
  ...wrong,
];

/** A walk takes longer than other commands. */
const patienceMilliseconds = 50_000;

/** The report of a walk over a client by lines, and its end. */
export async function certification(args: readonly string[], command: readonly string[] = client()) {
  const running = sachet(['certify', '--json', ...args, '--', ...command]);
  return { ...(await reportOf(running)), stderr: running.stderr };
}

/** What one that runs prints in the end. */
export async function reportOf(running: Running): Promise<CertificationShown & { readonly code: number | string }> {
  const code = await running.ended(patienceMilliseconds);
  expect(running.stdout, running.stderr).toMatch(/^\{.*\}\n$/);
  return { ...(JSON.parse(running.stdout) as CertificationShown), code };
}

export const failed = ({ scenarios }: CertificationShown): string[] =>
  scenarios.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name);

/** The rules that a client broke, by the scenarios. */
export const broken = ({ scenarios }: CertificationShown): string[] =>
  scenarios.flatMap(({ name, conduct }) =>
    conduct.filter(({ outcome }) => outcome === 'fail').map(({ id }) => `${name}: ${id}`),
  );
