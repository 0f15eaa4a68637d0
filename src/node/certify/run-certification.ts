// A certification from its beginning to its end: the client called through the scenarios, and what that comes to.
import { trackingPath } from '../../contract/addresses.ts';
import { otherReadings } from '../../contract/readings.ts';
import { machineTime } from '../../control/clock.ts';
import { UsageError } from '../../stores/errors.ts';
import { version } from '../../version.ts';
import { type Remote, sent } from '../ask.ts';
import { clientEnvironment, type GivenVariable, type Place } from '../client-environment.ts';
import { ClientProcess } from '../client-process.ts';
import { ClientByLines } from './by-lines.ts';
import type { Caller, ToldScenario } from './caller.ts';
import type { Certification } from './certification.ts';
import { ClientElsewhere, type Patience } from './elsewhere.ts';
import type { Ground } from './ground.ts';
import { progressByLines, progressElsewhere, tellKept } from './progress.ts';
import { controlOf, placeOf } from './remote-sandbox.ts';
import { type Harmless, harmlessWords, withoutSecrets } from './secrets.ts';
import { toldServer } from './told-server.ts';
import { type Progress, walk } from './walk.ts';

export interface CertificationTask extends Patience {
  /** Empty for a client that calls by itself. */
  readonly command: readonly string[];
  readonly env: readonly GivenVariable[];
  /** All scenarios of the server where it is not said. */
  readonly only?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

const now = (): string => new Date(machineTime()).toISOString();

/** @throws UsageError for scenarios that there are none of, and a command that cannot be started; the reason of the signal. */
export async function runCertification(ground: Ground, task: CertificationTask): Promise<Certification> {
  const started_at = now();
  const { remote, seed } = ground;
  const server = await toldServer(remote, task.signal);
  const scenarios = chosen(server.scenarios, task.only);
  const kept = await ground.keep();
  if (kept !== undefined) tellKept(kept);
  const walked = await walkedThrough(scenarios, remote, task);
  return {
    version,
    server_version: server.version,
    seed,
    sandbox: remote.sandbox,
    assumptions: walked.assumptions,
    started_at,
    finished_at: now(),
    client: walked.client,
    certified: walked.results.length > 0 && walked.results.every(({ outcome }) => outcome === 'pass'),
    left_out: server.scenarios.filter((scenario) => !scenarios.includes(scenario)).map(({ name }) => name),
    scenarios: walked.results,
  };
}

/** From a sandbox that is as new, whose readings are those of the walk. */
async function walkedThrough(scenarios: readonly ToldScenario[], remote: Remote, task: CertificationTask) {
  const { command, signal } = task;
  const control = controlOf(remote, signal);
  await control.reset();
  const assumptions = otherReadings(await control.assumptions.get());
  const place = await placeOf(remote, control);
  const harmless = withoutSecrets([place.adminKey, place.password]);
  const { caller, progress } = await client(task, place, harmless, scenarios.length);
  const results = await walk({ control, mark: marked(place, signal) }, scenarios, caller, progress).finally(() =>
    caller.close(),
  );
  return { assumptions, results, client: command.length === 0 ? null : harmlessWords(command, harmless) };
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
function chosen(all: readonly ToldScenario[], only: readonly string[] | undefined): readonly ToldScenario[] {
  const names = all.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`unknown scenario "${unknown.join('", "')}"; the server has: ${names.join(', ')}`);
  return all.filter(({ name }) => only?.includes(name) ?? true);
}

/** The client, and how its walk is told. */
async function client(
  task: CertificationTask,
  place: Place,
  harmless: Harmless,
  scenarios: number,
): Promise<{ readonly caller: Caller; readonly progress: Progress }> {
  const { command, env, timeoutMilliseconds, signal } = task;
  if (command.length === 0)
    return {
      caller: new ClientElsewhere(task, place.baseUrl),
      progress: progressElsewhere(scenarios, place.baseUrl, timeoutMilliseconds / 1000),
    };
  const start = () => ClientProcess.start(command, clientEnvironment(place, env), { stdin: 'pipe' });
  return {
    caller: await ClientByLines.start({ start, timeoutMilliseconds, harmless, signal }),
    progress: progressByLines(scenarios),
  };
}
