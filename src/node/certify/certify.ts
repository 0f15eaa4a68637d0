// `sachet certify`: sets up the sandbox, runs the client through the scenarios, and reports.
import { join } from 'node:path';
import { z } from 'zod';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { healthPath } from '../../contract/addresses.ts';
import { isApplicable } from '../../contract/control/outcomes.ts';
import { readHealth } from '../../contract/health.ts';
import { nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { randomSecret } from '../../system/random.ts';
import { version } from '../../version.ts';
import type { RemoteFlags } from '../cli/flags.ts';
import { type Outputs, prepareOutputs } from '../cli/results.ts';
import { type SettingFlags, settingOf } from '../cli/serve-flags.ts';
import { printProgress, redactCommand, redactor } from '../client-output.ts';
import { ClientProcess, interruptible } from '../client-process.ts';
import { clientAddress, clientEnvironment, type EnvVariable, startClientServer } from '../client-server.ts';
import { now } from '../platform.ts';
import { controlOf, fetchFrom, type Remote, resultOf, UnexpectedResponseError } from '../remote-sandbox.ts';
import { certifiedScenario, externalClient, startLineClient, type Timeouts } from './client.ts';
import { toMarkdown } from './markdown.ts';
import { type Certification, junitCases, toTable } from './report.ts';
import { runScenarios } from './run-scenarios.ts';
import { drawOf, runIds } from './variation.ts';

export interface CertifyFlags extends SettingFlags, Outputs, Partial<RemoteFlags & Timeouts> {
  readonly env: readonly EnvVariable[];
  /** Default: all scenarios of the server. */
  readonly only?: readonly string[];
  readonly out?: string;
  readonly seed?: string;
  readonly settle: number;
}

interface CertifyTask extends Omit<CertifyFlags, keyof Timeouts | 'seed'>, Timeouts {
  readonly seed: string;
  /** Empty for a client that runs elsewhere. */
  readonly command: readonly string[];
  readonly sandbox: string;
  /** A running server; undefined to start one. */
  readonly remote: Remote | undefined;
}

/** Returns whether the client is certified. @throws UsageError */
export async function runCertifyCommand(task: CertifyTask): Promise<boolean> {
  const { out, remote } = task;
  const inFolder = (name: string) => ({ path: join(out ?? '', name), what: `into the folder "${out}"` });
  const files = out === undefined ? [] : ['certification.md', 'certification.json'].map(inFolder);
  const print = prepareOutputs(task, files);
  const document = await (remote ? certifyOnRemote(task, remote) : certifyOnOwnServer(task));
  const results = {
    suite: 'sachet certify',
    cases: junitCases(document),
    document,
    text: toTable(document, files[0]?.path),
  };
  print(results, toMarkdown(document), `${JSON.stringify(document, null, 2)}\n`);
  return document.certified;
}

const certifyOnOwnServer = (task: CertifyTask): Promise<Certification> =>
  interruptible(async (signal) => {
    signal.onabort = () => printProgress('Stopping.');
    const { remote: own, close } = await startClientServer(await settingOf(task));
    const remote = { ...own, sandbox: task.sandbox };
    const certified = readServer(remote, task.only, signal).then((server) => certify(remote, task, server, signal));
    return certified.finally(close);
  });

/** Saves the sandbox as a snapshot before the scenarios run, and restores it afterwards. */
function certifyOnRemote(task: CertifyTask, remote: Remote): Promise<Certification> {
  let snapshot: string | undefined;
  const run = async (signal: AbortSignal) => {
    signal.onabort = () => printProgress(snapshot === undefined ? 'Stopping.' : 'Stopping; restoring the sandbox.');
    const server = await readServer(remote, task.only, signal);
    snapshot = await saveSandbox(controlOf(remote));
    printProgress(`Saved the sandbox as its snapshot "${snapshot}"; it is restored at the end.`);
    try {
      return await certify(remote, task, server, signal);
    } finally {
      await restoreSandbox(controlOf(remote), snapshot);
    }
  };
  return interruptible(run, () => {
    if (snapshot !== undefined)
      printProgress(
        `The sandbox was not restored; its former state is in its snapshot "${snapshot}", if that still exists.`,
      );
  });
}

const snapshotPrefix = 'before-certify-';
const suffixCharacters = 8;

/**
 * Saves the sandbox as a snapshot; returns its name.
 * @throws Error if another certification has saved it: this snapshot would contain that one's changes
 */
async function saveSandbox({ snapshots }: SandboxControl): Promise<string> {
  const other = (await snapshots.list()).snapshots.find(({ name }) => name.startsWith(snapshotPrefix));
  if (other)
    throw new Error(
      `another certification has saved the sandbox as its snapshot "${other.name}": wait until it ends; if it no ` +
        `longer runs, restore the sandbox with POST …/snapshots/${other.name}/restore, then delete the snapshot ` +
        `with DELETE …/snapshots/${other.name}`,
    );
  const name = `${snapshotPrefix}${randomSecret().slice(0, suffixCharacters)}`;
  await snapshots.create({ name });
  return name;
}

/** Also clears the journal: later reports must not judge these calls. @throws Error that names the snapshot */
async function restoreSandbox({ snapshots, requests }: SandboxControl, name: string): Promise<void> {
  await snapshots.restore(name).catch((error: unknown) => {
    throw new Error(
      `the sandbox was not restored; its former state is in its snapshot "${name}": ${(error as Error).message}`,
    );
  });
  await requests.clear();
  await snapshots.delete(name);
}

const scenarioList = z.object({ scenarios: z.array(certifiedScenario) });

/** The server's version, and its scenarios in its order: those to run, and those left out. @throws UsageError */
async function readServer(remote: Remote, only: readonly string[] | undefined, signal: AbortSignal) {
  const { scenarios } = await resultOf(remote, scenarioList, controlOf(remote, signal).scenarios.list());
  const health = readHealth(await (await fetchFrom(remote.url, healthPath, { signal })).text());
  if (!health) throw new UnexpectedResponseError(remote.url);
  const names = scenarios.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`unknown scenario "${unknown.join('", "')}"; the server has: ${names.join(', ')}`);
  const isSelected = (name: string) => only?.includes(name) ?? true;
  return {
    version: health.version,
    selected: scenarios.filter(({ name }) => isSelected(name)),
    leftOut: names.filter((name) => !isSelected(name)),
  };
}

type CertifiedServer = Awaited<ReturnType<typeof readServer>>;

/** @throws UsageError for a command that cannot be started; the reason of the signal */
async function certify(remote: Remote, task: CertifyTask, server: CertifiedServer, signal: AbortSignal) {
  const started_at = now();
  const { command, env, timeout } = task;
  const control = controlOf(remote, signal);
  // Each scenario starts from a reset sandbox, so the report shows the assumptions that hold after a reset.
  await control.reset();
  const choices = await control.assumptions.get();
  const { users } = await control.records.users.list();
  const { brands } = await control.records.brands.list();
  const { accounts } = await control.records.accounts.list();
  const address = clientAddress(remote, { users, brands, accounts }, choices);
  const draw = drawOf(task.seed);
  const redact = redactor([address.admin_key, address.password]);
  const startProcess = () => ClientProcess.start(command, clientEnvironment(address, env), 'pipe');
  const isExternal = command.length === 0;
  if (isExternal) printProgress(`Certifying the client that calls ${address.base_url}.`);
  const client = isExternal
    ? externalClient(task, address.base_url)
    : await startLineClient(startProcess, runIds(draw), timeout, redact, signal);
  const scenarios = server.selected.map((one) => ({
    ...one,
    expect: one.expect.filter((expected) => isApplicable(expected, choices)),
    outcomes: one.outcomes.filter((outcome) => isApplicable(outcome, choices)),
  }));
  const results = await runScenarios(control, scenarios, client, draw).finally(() => client.close());
  const certification: Certification = {
    version,
    server_version: server.version,
    seed: task.seed,
    sandbox: remote.sandbox,
    assumptions: nonDefaultChoices(choices),
    started_at,
    finished_at: now(),
    client: isExternal ? null : redactCommand(command, redact),
    certified: results.length > 0 && results.every(({ outcome }) => outcome === 'pass'),
    left_out: server.leftOut,
    scenarios: results,
  };
  return certification;
}
