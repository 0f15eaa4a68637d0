// How a certified client comes to call: started here and told line by line, or running elsewhere and waited for.
import { boundsOf, type Expectation } from '../../contract/control/match.ts';
import type { ConductRuleId } from '../../contract/control/report.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { stopwatch } from '../../system/time.ts';
import { type Harmless, plainOutput } from '../client-output.ts';
import { type ClientProcess, withTimeout } from '../client-process.ts';
import type { Calls } from './calls.ts';

/** A scenario as the server tells it. */
export interface Scenario {
  readonly name: string;
  readonly intent: string;
  readonly right_client: string;
  readonly expect: readonly DeepReadonly<Expectation>[];
  readonly conduct: readonly ConductRuleId[];
}

/** Both steps give what kept the client from its calls, for the report. */
export interface CertifiedClient {
  /** Before the scenario is applied: whatever the client must have done by then. */
  readonly before: (scenario: Scenario) => Promise<string | undefined>;
  /** While it is applied; ends when the calls can be judged. */
  readonly during: (scenario: Scenario, calls: Calls) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** How long it may go on once no further line comes. */
const graceMilliseconds = 2000;
/** A call that the client has given up is answered soon. */
const longestSettlingMilliseconds = 2000;
/** Of the last words of a client. */
const lastLines = 20;
const mostCharacters = 2000;

const protocol =
  'a client must print each line that it reads on standard output, with a line break, and flush, when its round is over';

/** One process of a client by lines: it is told a line, does its round, and says the line when the round is over. */
function lineProcess(process: ClientProcess) {
  const told = new Set<string>();
  let hasEnded = false;
  let hear: (line: string) => void = () => undefined;
  process.onLine((line) => hear(line));
  const end = () => {
    hasEnded = true;
    return process.end();
  };
  // What it said last comes after word of its end.
  const over = process.ended.then(async ({ exitCode, signal }) => {
    await end();
    return signal ? `signal ${signal}` : `exit code ${exitCode}`;
  });
  return {
    hasEnded: () => hasEnded,
    /** Ends it at once, with whatever it has started. */
    end,
    /** Has it make a round, which may take so long; gives what kept it from that. @throws the reason of the signal */
    async round(line: string, milliseconds: number, signal: AbortSignal): Promise<string | undefined> {
      const answered = new Promise<{ readonly trouble?: string }>((resolve) => {
        hear = (heard) => heard.trim() === line && resolve({});
      });
      const ended = over.then((how) => ({ trouble: `the client ended with ${how} in the round "${line}"` }));
      told.add(line);
      process.write(line);
      const first = await withTimeout(milliseconds, Promise.race([answered, ended]), signal);
      const silent = { trouble: `the client did not answer the line "${line}" within ${milliseconds / 1000} s` };
      return (first ?? silent).trouble;
    },
    /** The last lines that it printed, but for its answers. */
    lastWords(): string {
      const printed = plainOutput(process.output).split('\n');
      const lines = printed.filter((line) => line.trim() !== '' && !told.has(line.trim()));
      return lines.slice(-lastLines).join('\n');
    },
    /** Lets it end by itself, for a while. */
    async close(): Promise<void> {
      process.closeInput();
      await withTimeout(graceMilliseconds, over);
      await end();
    },
  };
}

interface ByLines {
  readonly start: () => Promise<ClientProcess>;
  /** How long a round may take. */
  readonly timeoutMilliseconds: number;
  /** Takes secrets out of what the client printed. */
  readonly harmless: Harmless;
  readonly signal: AbortSignal;
}

/**
 * A client that is started here and makes a round whenever a line tells it to.
 * @throws UsageError for a command that cannot be started
 */
export async function startLineClient({
  start,
  timeoutMilliseconds,
  harmless,
  signal,
}: ByLines): Promise<CertifiedClient> {
  const started = async () => {
    signal.throwIfAborted();
    return lineProcess(await start());
  };
  let client = await started();
  let hasAnswered = false;
  /** @throws Error where the very first line has no answer: then no other one will have one. */
  const round = async (line: string): Promise<string | undefined> => {
    const what = await client.round(line, timeoutMilliseconds, signal);
    hasAnswered ||= what === undefined;
    if (what === undefined) return undefined;
    await client.end();
    const words = harmless(client.lastWords()).slice(-mostCharacters);
    const printed = words === '' ? '' : `\nIt printed last:\n${words}`;
    if (!hasAnswered) throw new Error(`${what}; ${protocol}${printed}`);
    return what + printed;
  };
  return {
    async before({ name }) {
      // One that has ended, or fallen silent, is started again.
      if (client.hasEnded()) client = await started();
      return round(`before ${name}`);
    },
    async during({ name }, calls) {
      const trouble = await round(name);
      await calls.settled(longestSettlingMilliseconds);
      return trouble;
    },
    close: () => (signal.aborted ? client.end() : client.close()),
  };
}

/** Which calls: `orders.create, status 201`. */
export function matchInWords(match: DeepReadonly<Expectation['match']>): string {
  const { operation, method, path, status, rule, body } = match;
  const call = [operation, method, path].filter((part) => part !== undefined).join(' ') || 'any call';
  return [
    call,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(rule === undefined ? [] : [`rule ${rule}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(body)}`]),
  ].join(', ');
}

/** How many: `exactly 1`, `at least 1`, `1 to 20`, `none`. */
export function countInWords(count: DeepReadonly<Expectation['count']>): string {
  const { least, most } = boundsOf(count);
  if (most === 0) return 'none';
  if (least === most) return `exactly ${least}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

/** What is waited for: `orders.create, status 201: at least 1`. */
export const awaited = ({ expect }: { readonly expect: readonly DeepReadonly<Expectation>[] }): string[] =>
  expect.length === 0
    ? ['any call']
    : expect.map(({ match, count }) => `${matchInWords(match)}: ${countInWords(count)}`);

/** A client that goes on calling is judged after so many quiet times. */
const mostQuietTimes = 5;

export interface Timeouts {
  /** How long the expected calls of a scenario may take. */
  readonly timeoutMilliseconds: number;
  /** How long no call must come until the client counts as done. */
  readonly settleMilliseconds: number;
}

type Expectations = Scenario['expect'];

/**
 * A client that runs elsewhere and calls by itself: it is waited for until its calls can be judged.
 * @param baseUrl where it shall call
 */
export function externalClient(
  { timeoutMilliseconds, settleMilliseconds }: Timeouts,
  baseUrl: string,
): CertifiedClient {
  let hasCalled = false;
  return {
    before: async () => undefined,
    /** @throws Error where nobody has called yet: there is no client to certify. */
    async during(scenario, calls) {
      const { expect } = scenario;
      const { answered, isInTime } = await expectedCalls(expect, calls, timeoutMilliseconds);
      hasCalled ||= answered > 0;
      const inTime = `within ${timeoutMilliseconds / 1000} s`;
      if (!hasCalled)
        throw new Error(
          `no call came to ${baseUrl} ${inTime}; point a client there (the README has its logins) and certify anew; waited for ${awaited(scenario).join('; ')}`,
        );
      if (isInTime) await quiet(expect, calls, answered, settleMilliseconds);
      return answered === 0 ? `no call came ${inTime}` : undefined;
    },
    close: async () => undefined,
  };
}

/** Waits until all that is expected has come, or too much has. */
async function expectedCalls(expect: Expectations, calls: Calls, milliseconds: number) {
  const deadline = stopwatch() + milliseconds;
  let answered = 0;
  for (let left = deadline - stopwatch(); left > 0; left = deadline - stopwatch()) {
    answered = await calls.more(answered, left);
    const { areSatisfied, areHopeless } = await calls.standingOf(expect);
    if ((areSatisfied && answered > 0) || areHopeless) return { answered, isInTime: true };
  }
  return { answered, isInTime: false };
}

/** Waits until the client calls no more, so that what it does too often is seen. */
async function quiet(expect: Expectations, calls: Calls, already: number, milliseconds: number): Promise<void> {
  const end = stopwatch() + mostQuietTimes * milliseconds;
  let answered = already;
  for (let left = end - stopwatch(); left > 0; left = end - stopwatch()) {
    if ((await calls.standingOf(expect)).areHopeless || !Number.isFinite(answered)) return;
    const last = answered;
    answered = await calls.more(last, Math.min(milliseconds, left));
    if (answered === last && (await calls.inFlight()) === 0) return;
  }
}
