// A certification as the command runs it: the ground that the flags name, the walk on it, and its report.

import { z } from 'zod';
import { controlClient } from '../../client/control-client.ts';
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { bareUrl, healthPath, sandboxBase, stage, trackingPath } from '../../contract/addresses.ts';
import { overrideOperations, scenarioSchema } from '../../contract/control/overrides.ts';
import { readHealth } from '../../contract/health.ts';
import { choicesText, nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import { readyUser } from '../../sample-order.ts';
import { UsageError } from '../../stores/errors.ts';
import { randomSecret } from '../../system/random.ts';
import { machineTime } from '../../system/time.ts';
import { version } from '../../version.ts';
import { askFor, type Remote, StrangeAnswerError, sent } from '../ask.ts';
import { type Outputs, prepareOutputs, printResults } from '../cli/results.ts';
import { type SettingFlags, settingOf } from '../cli/serve-flags.ts';
import { type Harmless, harmlessWords, withoutSecrets } from '../client-output.ts';
import { ClientProcess, interruptible } from '../client-process.ts';
import {
  type ClientServer,
  clientEnvironment,
  type GivenVariable,
  type Place,
  startClientServer,
} from '../client-server.ts';
import { type CertifiedClient, externalClient, type Scenario, startLineClient, type Timeouts } from './client.ts';
import { type Certification, junitCases, markdownOf, prepareOut, writeOut } from './report.ts';
import { externalProgress, lineProgress, type Progress, tell, walk } from './walk.ts';

interface CertifyFlags extends Outputs, Omit<CertificationTask, 'seed' | 'keep' | 'signal'>, SettingFlags {
  readonly out?: string | undefined;
  readonly randomSeed: string;
  readonly sandbox: string;
  /** undefined for a server of its own. */
  readonly remote: Remote | undefined;
}

/** Whether the client is certified. @throws UsageError */
export async function runCertifyCommand(flags: CertifyFlags): Promise<boolean> {
  const { out } = flags;
  prepareOutputs(flags);
  if (out !== undefined) prepareOut(out);
  const certification = await certificationOf(flags);
  const markdown = markdownOf(certification);
  printResults(flags, {
    suite: 'sachet certify',
    cases: () => junitCases(certification),
    document: () => certification,
    text: () => markdown,
  });
  if (out !== undefined) writeOut(out, { markdown, json: `${JSON.stringify(certification, null, 2)}\n` });
  return certification.certified;
}

/** Runs it on a server of its own, or in a sandbox of somebody else's, which is kept and brought back behind it. */
function certificationOf(flags: CertifyFlags): Promise<Certification> {
  /** The name of the snapshot that the sandbox is kept as, until it is brought back. */
  let kept: string | undefined;
  const run = async (signal: AbortSignal) => {
    const own = flags.remote ? undefined : await startClientServer(await settingOf(flags));
    const { url, adminKey, sandbox } = flags.remote ?? { ...(own as ClientServer).place, sandbox: flags.sandbox };
    const remote = { url, adminKey, sandbox };
    const keep = async () => {
      if (own) return;
      kept = await keepSandbox(controlOf(remote));
      tell(`What is in the sandbox is kept as its snapshot "${kept}", and brought back in the end.`);
    };
    const close = async () => {
      await own?.close();
      if (kept !== undefined) await bringBack(controlOf(remote), kept);
      kept = undefined;
    };
    const task = { ...flags, signal, keep, seed: own ? flags.randomSeed : null };
    const certification = await runCertification(remote, task).catch(async (error: Error) => {
      // Why a walk broke off is told, whatever its end then makes worse.
      await close().catch((worse: Error) => {
        throw signal.aborted ? worse : new Error(`${error.message}; ${worse.message}`, { cause: error });
      });
      throw error;
    });
    await close();
    return certification;
  };
  return interruptible(run, {
    begun: () => tell(kept === undefined ? 'Ending.' : 'Ending; bringing the sandbox back.'),
    abandoned: () => {
      if (kept !== undefined)
        tell(`The sandbox was not brought back; what was in it is its snapshot "${kept}", if that is still there.`);
    },
  });
}

const prefix = 'before-certify-';
const suffixDigits = 8;

/**
 * Keeps what is in a sandbox as a snapshot; gives its name.
 * @throws Error where another walk has kept it, too: what it has made of the sandbox is nothing to keep
 */
export async function keepSandbox({ snapshots }: SandboxControl): Promise<string> {
  await refuseKept(snapshots);
  const name = `${prefix}${randomSecret().slice(0, suffixDigits)}`;
  await snapshots.create({ name });
  // Another one may have begun at the same time.
  await refuseKept(snapshots, name).catch(async (error: unknown) => {
    await snapshots.delete(name);
    throw error;
  });
  return name;
}

type Snapshots = SandboxControl['snapshots'];

async function refuseKept(snapshots: Snapshots, own?: string): Promise<void> {
  const kept = (await snapshots.list()).snapshots.find(({ name }) => name.startsWith(prefix) && name !== own);
  if (kept)
    throw new Error(
      `a walk has kept the sandbox as its snapshot "${kept.name}": wait until it is over; if none is on, bring the sandbox back by POST …/snapshots/${kept.name}/restore and delete the snapshot by DELETE …/snapshots/${kept.name}`,
    );
}

/** The journal of the walk goes, too: what comes after it is judged without it. @throws Error that tells the name */
export async function bringBack({ snapshots, requests }: SandboxControl, name: string): Promise<void> {
  await snapshots.restore(name).catch((error: unknown) => {
    throw new Error(
      `the sandbox was not brought back; what was in it is its snapshot "${name}": ${(error as Error).message}`,
    );
  });
  try {
    await requests.clear();
    await snapshots.delete(name);
  } catch (error) {
    throw new Error(`the sandbox was brought back, but its snapshot "${name}" is left: ${(error as Error).message}`);
  }
}

/** Every operation of the control API on the sandbox; the key goes nowhere but where it was told to go. */
function controlOf({ url, adminKey, sandbox }: Remote, signal?: AbortSignal): SandboxControl {
  const bound = signal ? { signal } : {};
  return controlClient({
    url,
    adminKey,
    fetch: (input, init) => fetch(input, { ...init, ...bound, redirect: 'manual' }),
  }).sandbox(sandbox);
}

/** What a client that is started here is told of it. */
async function placeOf({ url: given, sandbox, adminKey }: Remote, control: SandboxControl): Promise<Place> {
  const { users } = await control.records.users.list();
  const { brands } = await control.records.brands.list();
  const { accounts } = await control.records.accounts.list();
  const { username = '', password = '' } = readyUser({ users, brands, accounts }) ?? {};
  const assume = choicesText(await control.assumptions.get());
  const url = bareUrl(given);
  const baseUrl = sandbox === stage ? url : url + sandboxBase(sandbox);
  return { url, sandbox, baseUrl, adminKey, username, password, assume };
}

/** A server of a later version may tell more. */
const { name, intent, right_client, expect, conduct } = scenarioSchema.shape;
const scenariosTold = z.object({ scenarios: z.array(z.object({ name, intent, right_client, expect, conduct })) });

/** What a server tells of itself before the walk. @throws as `ask`, and StrangeAnswerError. */
async function toldServer(remote: Remote, signal: AbortSignal) {
  const { scenarios: all } = await askFor(scenariosTold, remote, overrideOperations['scenarios.list'], { signal });
  const health = readHealth(await (await sent(remote.url, healthPath, { signal })).text());
  if (!health) throw new StrangeAnswerError(remote.url);
  return { serverVersion: health.version, all };
}

interface CertificationTask extends Timeouts {
  /** Empty for a client that calls by itself. */
  readonly command: readonly string[];
  readonly env: readonly GivenVariable[];
  /** All scenarios of the server where it is not said. */
  readonly only?: readonly string[] | undefined;
  /** null where it is not known. */
  readonly seed: string | null;
  /** To be called before the sandbox is touched. */
  readonly keep: () => Promise<void>;
  readonly signal: AbortSignal;
}

const now = (): string => new Date(machineTime()).toISOString();

/** @throws UsageError for scenarios that there are none of, and a command that cannot be started; the reason of the signal. */
async function runCertification(remote: Remote, task: CertificationTask): Promise<Certification> {
  const { command, only, seed, signal } = task;
  const started_at = now();
  const { serverVersion, all } = await toldServer(remote, signal);
  const scenarios = chosen(all, only);
  await task.keep();
  // From a sandbox that is as new, whose readings are those of the walk.
  const control = controlOf(remote, signal);
  await control.reset();
  const assumptions = nonDefaultChoices(await control.assumptions.get());
  const place = await placeOf(remote, control);
  const harmless = withoutSecrets([place.adminKey, place.password]);
  const { caller, progress } = await client(task, place, harmless, scenarios.length);
  const sandbox = { control, mark: marked(place, signal) };
  const results = await walk(sandbox, scenarios, caller, progress).finally(() => caller.close());
  return {
    version,
    server_version: serverVersion,
    seed,
    sandbox: remote.sandbox,
    assumptions,
    started_at,
    finished_at: now(),
    client: command.length === 0 ? null : harmlessWords(command, harmless),
    certified: results.length > 0 && results.every(({ outcome }) => outcome === 'pass'),
    left_out: all.filter((scenario) => !scenarios.includes(scenario)).map(({ name }) => name),
    scenarios: results,
  };
}

/** There is no such package, so that neither the sandbox nor its report is changed by it. */
const marked =
  ({ baseUrl }: Place, signal: AbortSignal) =>
  async (): Promise<void> => {
    const call = await sent(baseUrl, `${trackingPath}/certify`, { signal }).catch(() => undefined);
    // A fault of the server's own may have broken it; the journal has it all the same.
    await call?.text().catch(() => undefined);
  };

/** In the order of the server. */
function chosen(all: readonly Scenario[], only: readonly string[] | undefined): readonly Scenario[] {
  const names = all.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`unknown scenario "${unknown.join('", "')}"; the server has: ${names.join(', ')}`);
  return all.filter(({ name }) => only?.includes(name) ?? true);
}

/** The client, and how its walk is told. */
async function client(
  { command, env, signal, ...timeouts }: CertificationTask,
  place: Place,
  harmless: Harmless,
  scenarios: number,
): Promise<{ readonly caller: CertifiedClient; readonly progress: Progress }> {
  const { timeoutMilliseconds } = timeouts;
  if (command.length === 0) {
    tell(`Certifying the client that calls ${place.baseUrl}.`);
    const progress = externalProgress(scenarios, timeoutMilliseconds / 1000);
    return { caller: externalClient(timeouts, place.baseUrl), progress };
  }
  const start = () => ClientProcess.start(command, clientEnvironment(place, env), { stdin: 'pipe' });
  const caller = await startLineClient({ start, timeoutMilliseconds, harmless, signal });
  return { caller, progress: lineProgress(scenarios) };
}
