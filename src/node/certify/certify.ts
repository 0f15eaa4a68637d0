// `sachet certify`: sets up the sandbox, walks the client through the scenarios, and reports.

import { z } from 'zod';
import { controlClient } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { bareUrl, healthPath, sandboxBase, stage } from '../../contract/addresses.ts';
import { overrideOperations } from '../../contract/control/overrides.ts';
import { readHealth } from '../../contract/health.ts';
import { choicesText, nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import { readyUser } from '../../sample-order.ts';
import { UsageError } from '../../stores/errors.ts';
import { randomSecret } from '../../system/random.ts';
import { machineTime } from '../../system/time.ts';
import { version } from '../../version.ts';
import { type Outputs, prepareOutputs, printResults } from '../cli/results.ts';
import { type SettingFlags, settingOf } from '../cli/serve-flags.ts';
import { printProgress, redactCommand, redactor } from '../client-output.ts';
import { ClientProcess, interruptible } from '../client-process.ts';
import { type ClientAddress, clientEnvironment, type EnvVariable, startClientServer } from '../client-server.ts';
import { fetchFrom, type Remote, requestControlJson, UnexpectedResponseError } from '../remote-sandbox.ts';
import { externalClient, type Scenario, startLineClient, type Timeouts, walkedScenario } from './client.ts';
import { type Certification, junitCases, prepareReportFolder, toMarkdown, writeReportFiles } from './report.ts';
import { walk } from './walk.ts';

/** The flags that are used as the command line gives them. */
export interface CertifyFlags extends SettingFlags, Outputs {
  readonly env: readonly EnvVariable[];
  /** Default: all scenarios of the server. */
  readonly only?: readonly string[];
  readonly out?: string;
  readonly randomSeed: string;
}

interface CertifyTask extends CertifyFlags, Timeouts {
  /** Empty for a client that runs elsewhere and calls by itself. */
  readonly command: readonly string[];
  readonly sandbox: string;
  /** A running server; undefined to start one. */
  readonly remote: Remote | undefined;
}

/** Returns whether the client is certified. @throws UsageError */
export async function runCertifyCommand(flags: CertifyTask): Promise<boolean> {
  const { out } = flags;
  prepareOutputs(flags);
  if (out !== undefined) prepareReportFolder(out);
  const certification = await (flags.remote ? certifyOnRemote(flags, flags.remote) : certifyOnOwnServer(flags));
  const markdown = toMarkdown(certification);
  printResults(flags, {
    suite: 'sachet certify',
    cases: () => junitCases(certification),
    document: () => certification,
    text: () => markdown,
  });
  if (out !== undefined) writeReportFiles(out, { markdown, json: `${JSON.stringify(certification, null, 2)}\n` });
  return certification.certified;
}

function certifyOnOwnServer(flags: CertifyTask): Promise<Certification> {
  const run = async (signal: AbortSignal) => {
    const { address, close } = await startClientServer(await settingOf(flags));
    const { url, adminKey } = address;
    const remote = { url, adminKey, sandbox: flags.sandbox };
    return certify(remote, flags, { signal, seed: flags.randomSeed }).finally(close);
  };
  return interruptible(run, { begun: () => printProgress('Ending.') });
}

/** Keeps the sandbox as a snapshot before the walk, and restores it afterwards. */
function certifyOnRemote(flags: CertifyTask, remote: Remote): Promise<Certification> {
  let snapshot: string | undefined;
  const beforeWalk = async () => {
    snapshot = await saveSandbox(controlOf(remote));
    printProgress(`What is in the sandbox is kept as its snapshot "${snapshot}", and brought back in the end.`);
  };
  const run = async (signal: AbortSignal) => {
    try {
      return await certify(remote, flags, { signal, beforeWalk, seed: null });
    } finally {
      if (snapshot !== undefined) await restoreSandbox(controlOf(remote), snapshot);
    }
  };
  return interruptible(run, {
    begun: () => printProgress(snapshot === undefined ? 'Ending.' : 'Ending; bringing the sandbox back.'),
    abandoned: () => {
      if (snapshot !== undefined)
        printProgress(
          `The sandbox was not brought back; what was in it is its snapshot "${snapshot}", if that is still there.`,
        );
    },
  });
}

const snapshotPrefix = 'before-certify-';
const suffixCharacters = 8;

/**
 * Keeps the sandbox as a snapshot; returns its name.
 * @throws Error if another walk has kept it too: this snapshot would hold what that walk made of the sandbox
 */
async function saveSandbox({ snapshots }: SandboxControl): Promise<string> {
  const other = (await snapshots.list()).snapshots.find(({ name }) => name.startsWith(snapshotPrefix));
  if (other)
    throw new Error(
      `a walk has kept the sandbox as its snapshot "${other.name}": wait until it is over; if none is on, ` +
        `bring the sandbox back by POST …/snapshots/${other.name}/restore and delete the snapshot by DELETE ` +
        `…/snapshots/${other.name}`,
    );
  const name = `${snapshotPrefix}${randomSecret().slice(0, suffixCharacters)}`;
  await snapshots.create({ name });
  return name;
}

/** Also clears the journal: later reports must not judge the walk. @throws Error that names the snapshot */
async function restoreSandbox({ snapshots, requests }: SandboxControl, name: string): Promise<void> {
  await snapshots.restore(name).catch((error: unknown) => {
    throw new Error(
      `the sandbox was not brought back; what was in it is its snapshot "${name}": ${(error as Error).message}`,
    );
  });
  await requests.clear();
  await snapshots.delete(name);
}

/** The control client of the sandbox. It follows no redirect, so that the key goes nowhere else. */
function controlOf({ url, adminKey, sandbox }: Remote, signal?: AbortSignal): SandboxControl {
  const options: RequestInit = { redirect: 'manual', ...(signal && { signal }) };
  return controlClient({ url, adminKey, fetch: (input, init) => fetch(input, { ...init, ...options }) }).sandbox(
    sandbox,
  );
}

/** What a client that is started here has to know of the sandbox. */
async function addressOf({ url: given, sandbox, adminKey }: Remote, control: SandboxControl): Promise<ClientAddress> {
  const { users } = await control.records.users.list();
  const { brands } = await control.records.brands.list();
  const { accounts } = await control.records.accounts.list();
  const { username = '', password = '' } = readyUser({ users, brands, accounts }) ?? {};
  const assume = choicesText(await control.assumptions.get());
  const url = bareUrl(given);
  const baseUrl = sandbox === stage ? url : url + sandboxBase(sandbox);
  return { url, sandbox, baseUrl, adminKey, username, password, assume };
}

const scenarioList = z.object({ scenarios: z.array(walkedScenario) });

async function readServer(remote: Remote, signal: AbortSignal) {
  const operation = overrideOperations['scenarios.list'];
  const { scenarios } = await requestControlJson(scenarioList, remote, operation, signal);
  const health = readHealth(await (await fetchFrom(remote.url, healthPath, { signal })).text());
  if (!health) throw new UnexpectedResponseError(remote.url);
  return { serverVersion: health.version, all: scenarios };
}

interface WalkOptions {
  /** null if unknown. */
  readonly seed: string | null;
  /** Called before the sandbox is touched. */
  readonly beforeWalk?: () => Promise<void>;
  readonly signal: AbortSignal;
}

const now = (): string => new Date(machineTime()).toISOString();

/** @throws UsageError for unknown scenarios and a command that cannot be started; the reason of the signal */
async function certify(
  remote: Remote,
  { command, env, only, timeoutMilliseconds, settleMilliseconds }: CertifyTask,
  { seed, signal, beforeWalk }: WalkOptions,
): Promise<Certification> {
  const started_at = now();
  const { serverVersion, all } = await readServer(remote, signal);
  const scenarios = selectScenarios(all, only);
  await beforeWalk?.();
  const control = controlOf(remote, signal);
  // Each scenario starts from a reset sandbox, so the report shows the assumptions that hold after a reset.
  await control.reset();
  const assumptions = nonDefaultChoices(await control.assumptions.get());
  const address = await addressOf(remote, control);
  const redact = redactor([address.adminKey, address.password]);
  const startClient = () => {
    const start = () => ClientProcess.start(command, clientEnvironment(address, env), 'pipe');
    if (command.length > 0) return startLineClient({ start, timeoutMilliseconds, redact, signal });
    printProgress(`Certifying the client that calls ${address.baseUrl}.`);
    return externalClient({ timeoutMilliseconds, settleMilliseconds }, address.baseUrl);
  };
  const client = await startClient();
  const results = await walk(control, scenarios, client).finally(() => client.close());
  return {
    version,
    server_version: serverVersion,
    seed,
    sandbox: remote.sandbox,
    assumptions,
    started_at,
    finished_at: now(),
    client: command.length === 0 ? null : redactCommand(command, redact),
    certified: results.length > 0 && results.every(({ outcome }) => outcome === 'pass'),
    left_out: all.filter((scenario) => !scenarios.includes(scenario)).map(({ name }) => name),
    scenarios: results,
  };
}

/** In the order of the server. */
function selectScenarios(all: readonly Scenario[], only: readonly string[] | undefined): readonly Scenario[] {
  const names = all.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`unknown scenario "${unknown.join('", "')}"; the server has: ${names.join(', ')}`);
  return all.filter(({ name }) => only?.includes(name) ?? true);
}
