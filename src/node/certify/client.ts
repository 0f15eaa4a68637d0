// The client under certification: a command that runs a round per line, or a client that runs elsewhere.
import { z } from 'zod';
import { boundsOf } from '../../contract/control/match.ts';
import { outcomes } from '../../contract/control/outcomes.ts';
import { scenarioSchema } from '../../contract/control/overrides.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { stopwatch } from '../../system/time.ts';
import { plainOutput, printProgress, type Redact } from '../client-output.ts';
import { type ClientProcess, withTimeout } from '../client-process.ts';
import type { Calls, Expectations, Goals } from './calls.ts';

/** A scenario as the server describes it. A server of a later version may send more fields. */
export const certifiedScenario = z.object(scenarioSchema.omit({ applied_at: true }).shape);
export type Scenario = DeepReadonly<z.output<typeof certifiedScenario>>;

/** Both steps return why the client could not call, for the report; undefined if it could. */
export interface CertifiedClient {
  readonly isExternal: boolean;
  /** Before the scenario is applied. The title numbers and names it, for the progress. */
  readonly before: (scenario: Scenario, title: string) => Promise<string | undefined>;
  /** While it is applied, until the goals are reached if they can be; ends when the calls can be judged. */
  readonly during: (goals: Goals, calls: Calls) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** How long the process may run on after its input is closed. */
const closeMilliseconds = 2000;
/** How long to wait for the responses to calls that the client has aborted. */
const answerMilliseconds = 2000;
const maxPrintedLines = 20;
const maxPrintedCharacters = 2000;

/**
 * Starts a client that reads a line, runs a round, and prints the line when the round is over.
 * @param runId gives the lines, which must not tell the scenario
 * @param timeout how many seconds a round may take
 * @throws UsageError for a command that cannot be started
 */
export async function startLineClient(
  startProcess: () => Promise<ClientProcess>,
  runId: () => string,
  timeout: number,
  redact: Redact,
  signal: AbortSignal,
): Promise<CertifiedClient> {
  const sentLines = new Set<string>();
  let hasAnswered = false;
  let onLine: (line: string) => void = () => undefined;

  const start = async () => {
    signal.throwIfAborted();
    const started = await startProcess();
    started.onLine((line) => onLine(line));
    void started.ended.then(() => started.end());
    return started;
  };
  let client = await start();

  /**
   * Returns why the round failed.
   * @throws Error if the very first line gets no answer: a later one would not, either; the reason of the signal
   */
  const round = async (line: string): Promise<string | undefined> => {
    const running = client;
    const answered = new Promise<''>((resolve) => {
      onLine = (printed) => printed.trim() === line && resolve('');
    });
    const endedEarly = running.ended.then(async ({ exitCode, signal }) => {
      // The last output comes after the exit.
      await running.end();
      const ending = signal ? `signal ${signal}` : `exit code ${exitCode}`;
      return `the client ended with ${ending} in the round "${line}"`;
    });
    sentLines.add(line);
    running.write(line);
    const late = `the client did not answer the line "${line}" within ${timeout} s`;
    const failure = (await withTimeout(1000 * timeout, Promise.race([answered, endedEarly]), signal)) ?? late;
    hasAnswered ||= failure === '';
    if (failure === '') return undefined;
    await running.end();
    const lines = plainOutput(running.output).split('\n');
    const others = lines.filter((one) => one.trim() !== '' && !sentLines.has(one.trim()));
    const output = redact(others.slice(-maxPrintedLines).join('\n')).slice(-maxPrintedCharacters);
    const printed = output === '' ? '' : `\nIts last output:\n${output}`;
    if (hasAnswered) return failure + printed;
    throw new Error(
      `${failure}; after each round, a client must print the line that it has read to standard output, with a ` +
        `line break, and flush${printed}`,
    );
  };

  return {
    isExternal: false,
    async before() {
      if (client.isEnding) client = await start();
      return round(`before ${runId()}`);
    },
    async during(_, calls) {
      const failure = await round(runId());
      await calls.waitForAnswers(answerMilliseconds);
      return failure;
    },
    async close() {
      client.closeInput();
      if (!signal.aborted) await withTimeout(closeMilliseconds, client.ended);
      await client.end();
    },
  };
}

/** Which calls: `orders.create, status 201`. */
export function matchInWords({ operation, method, path, ...others }: Expectations[number]['match']): string {
  const call = [operation, method, path].filter((part) => part !== undefined).join(' ') || 'any call';
  const inWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const words = Object.entries(others).map(([name, value]) => `${name} ${inWords(value)}`);
  return [call, ...words].join(', ');
}

/** How many: `exactly 1`, `at least 1`, `1 to 20`. */
export function countInWords(count: Expectations[number]['count']): string {
  const { least, most } = boundsOf(count);
  if (least === most) return `exactly ${least}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

/** What a scenario waits for: `orders.create, status 201: at least 1`. */
function expectedInWords({ expect, outcomes: wanted }: Goals): string[] {
  const words = [
    ...expect.map(({ match, count }) => `${matchInWords(match)}: ${countInWords(count)}`),
    ...wanted.map(({ id }) => `${id}: ${outcomes[id]}`),
  ];
  return words.length === 0 ? ['any call'] : words;
}

/** A client that never stops calling is judged after this many times the settle time. */
const maxSettleTimes = 5;

/** In seconds. */
export interface Timeouts {
  /** How long a round, or the expected calls of a scenario, may take. */
  readonly timeout: number;
  /** A client that runs elsewhere counts as done after this time without a call. */
  readonly settle: number;
}

/** A client that runs elsewhere and calls the base URL; waits until its calls can be judged. */
export function externalClient({ timeout, settle }: Timeouts, baseUrl: string): CertifiedClient {
  let hasCalled = false;
  return {
    isExternal: true,
    async before({ intent, right_client }, title) {
      printProgress(`${title}: ${intent}`);
      printProgress(`  A correct client: ${right_client}`);
      return undefined;
    },
    /** @throws Error if no call has come at all: the client is missing */
    async during(goals, calls) {
      printProgress(`  Waiting up to ${timeout} s for:`);
      for (const line of expectedInWords(goals)) printProgress(`    ${line}`);
      const { answered, isInTime } = await waitForExpected(goals, calls, 1000 * timeout);
      hasCalled ||= answered > 0;
      const inTime = `within ${timeout} s`;
      if (!hasCalled)
        throw new Error(
          `no call came to ${baseUrl} ${inTime}; point a client there (the console page Start here lists its ` +
            `logins) and run certify again; expected ${expectedInWords(goals).join('; ')}`,
        );
      if (isInTime) await waitForQuiet(goals, calls, answered, 1000 * settle);
      return answered === 0 ? `no call came ${inTime}` : undefined;
    },
    close: async () => undefined,
  };
}

/** Waits until all expected calls have come, or too many. */
async function waitForExpected(goals: Goals, calls: Calls, milliseconds: number) {
  const deadline = stopwatch() + milliseconds;
  let answered = 0;
  for (let left = milliseconds; left > 0; left = deadline - stopwatch()) {
    answered = await calls.waitForMore(answered, left);
    const { areSatisfied, areHopeless } = await calls.check(goals);
    if ((areSatisfied && answered > 0) || areHopeless) return { answered, isInTime: true };
  }
  return { answered, isInTime: false };
}

/** Waits until the client stops calling, so that calls it makes too often are seen. */
async function waitForQuiet(goals: Goals, calls: Calls, already: number, milliseconds: number): Promise<void> {
  const deadline = stopwatch() + maxSettleTimes * milliseconds;
  let answered = already;
  for (let left = milliseconds; left > 0; left = deadline - stopwatch()) {
    if ((await calls.check(goals)).areHopeless || !Number.isFinite(answered)) return;
    const last = answered;
    answered = await calls.waitForMore(last, Math.min(milliseconds, left));
    if (answered === last && (await calls.count()).inFlight === 0) return;
  }
}
