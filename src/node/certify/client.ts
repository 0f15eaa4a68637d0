// How a certified client comes to call: started here and told line by line, or running elsewhere and waited for.
import { boundsOf, type Expectation } from '../../contract/admin/count.ts';
import type { ConductRuleId } from '../../contract/conduct.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { stopwatch } from '../../control/clock.ts';
import { type Harmless, plainOutput } from '../client-output.ts';
import { type ClientProcess, type Ending, unlessAborted, within } from '../client-process.ts';
import type { Calls } from './calls.ts';

/** A scenario as the server tells it. */
export interface ToldScenario {
  readonly name: string;
  readonly intent: string;
  readonly right_client: string;
  readonly expect: readonly DeepReadonly<Expectation>[];
  readonly conduct: readonly ConductRuleId[];
}

/** Both steps give what kept the client from its calls, for the report. */
export interface Caller {
  /** Before the scenario is applied: whatever the client must have done by then. */
  readonly before: (scenario: ToldScenario) => Promise<string | undefined>;
  /** While it is applied; ends when the calls can be judged. */
  readonly during: (scenario: ToldScenario, calls: Calls) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** How long it may go on once no further line comes. */
const graceMilliseconds = 2000;
const lastLines = 20;

type RoundEnd = 'answered' | 'ended' | 'silent';

/** One process of a client by lines: it is told a line, does its round, and says the line when the round is over. */
class LineClient {
  readonly #process: ClientProcess;
  readonly #over: Promise<'ended'>;
  #ending: Ending | undefined;
  #isOver = false;
  readonly #told = new Set<string>();
  #hear: (line: string) => void = () => undefined;

  constructor(process: ClientProcess) {
    this.#process = process;
    process.onLine((line) => this.#hear(line));
    // What it said last comes after word of its end.
    this.#over = process.ended.then(async (ending) => {
      this.#ending = ending;
      await this.end();
      return 'ended' as const;
    });
  }

  get hasEnded(): boolean {
    return this.#isOver;
  }

  /** Has it make a round, which may take so long. */
  async round(line: string, milliseconds: number): Promise<RoundEnd> {
    const answered = new Promise<'answered'>((resolve) => {
      this.#hear = (heard) => heard.trim() === line && resolve('answered');
    });
    this.#told.add(line);
    this.#process.write(line);
    return (await within(milliseconds, Promise.race([answered, this.#over]))) ?? 'silent';
  }

  /** How it ended, such as `exit code 1`. */
  get ending(): string {
    const { exitCode, signal } = this.#ending ?? {};
    return signal ? `signal ${signal}` : `exit code ${exitCode}`;
  }

  /** The last lines that it printed, but for its answers. */
  get lastWords(): string {
    const printed = plainOutput(this.#process.output).split('\n');
    const lines = printed.filter((line) => line.trim() !== '' && !this.#told.has(line.trim()));
    return lines.slice(-lastLines).join('\n');
  }

  /** Ends it at once, with whatever it has started. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#process.end();
  }

  /** Lets it end by itself, for a while. */
  async close(): Promise<void> {
    this.#process.closeInput();
    await within(graceMilliseconds, this.#over);
    await this.end();
  }
}

/** A call that the client has given up is answered soon. */
const longestSettlingMilliseconds = 2000;
/** Of the last words of a client. */
const mostCharacters = 2000;

const protocol =
  'a client must print each line that it reads on standard output, with a line break, and flush, when its round is over';

interface ByLines {
  readonly start: () => Promise<ClientProcess>;
  /** How long a round may take. */
  readonly timeoutMilliseconds: number;
  /** Takes secrets out of what the client printed. */
  readonly harmless: Harmless;
  readonly signal: AbortSignal;
}

/** A client that is started here and makes a round whenever a line tells it to. */
export class ClientByLines implements Caller {
  readonly #how: ByLines;
  #client: LineClient;
  #hasAnswered = false;

  private constructor(how: ByLines, client: LineClient) {
    this.#how = how;
    this.#client = client;
  }

  /** @throws UsageError for a command that cannot be started. */
  static async start(how: ByLines): Promise<ClientByLines> {
    return new ClientByLines(how, await started(how));
  }

  /** A client that has ended, or fallen silent, is started again. */
  async before({ name }: ToldScenario): Promise<string | undefined> {
    if (this.#client.hasEnded) this.#client = await started(this.#how);
    return this.#round(`before ${name}`);
  }

  async during({ name }: ToldScenario, calls: Calls): Promise<string | undefined> {
    const trouble = await this.#round(name);
    await calls.settled(longestSettlingMilliseconds);
    return trouble;
  }

  close(): Promise<void> {
    return this.#how.signal.aborted ? this.#client.end() : this.#client.close();
  }

  /** @throws Error where the very first line has no answer: then no other one will have one. */
  async #round(line: string): Promise<string | undefined> {
    const { timeoutMilliseconds, signal } = this.#how;
    const end = await unlessAborted(signal, this.#client.round(line, timeoutMilliseconds));
    if (end === 'answered') {
      this.#hasAnswered = true;
      return undefined;
    }
    await this.#client.end();
    const what =
      end === 'ended'
        ? `the client ended with ${this.#client.ending} in the round "${line}"`
        : `the client did not answer the line "${line}" within ${timeoutMilliseconds / 1000} s`;
    if (!this.#hasAnswered) throw new Error(this.#trouble(`${what}; ${protocol}`));
    return this.#trouble(what);
  }

  #trouble(what: string): string {
    const words = this.#how.harmless(this.#client.lastWords).slice(-mostCharacters);
    return words === '' ? what : `${what}\nIt printed last:\n${words}`;
  }
}

async function started({ start, signal }: ByLines): Promise<LineClient> {
  signal.throwIfAborted();
  return new LineClient(await start());
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

export interface Patience {
  /** How long the expected calls of a scenario may take. */
  readonly timeoutMilliseconds: number;
  /** How long no call must come until the client counts as done. */
  readonly settleMilliseconds: number;
}

type Expectations = ToldScenario['expect'];

/** A client that runs elsewhere and calls by itself: it is waited for until its calls can be judged. */
export class ClientElsewhere implements Caller {
  readonly #patience: Patience;
  readonly #baseUrl: string;
  #hasCalled = false;

  /** @param baseUrl where it shall call */
  constructor(patience: Patience, baseUrl: string) {
    this.#patience = patience;
    this.#baseUrl = baseUrl;
  }

  async before(): Promise<undefined> {
    return undefined;
  }

  /** @throws Error where nobody has called yet: there is no client to certify. */
  async during(scenario: ToldScenario, calls: Calls): Promise<string | undefined> {
    const { timeoutMilliseconds } = this.#patience;
    const { expect } = scenario;
    const { answered, isInTime } = await this.#expected(expect, calls);
    this.#hasCalled ||= answered > 0;
    const within = `within ${timeoutMilliseconds / 1000} s`;
    if (!this.#hasCalled)
      throw new Error(
        `no call came to ${this.#baseUrl} ${within}; point a client there (the README has its logins) and certify anew; waited for ${awaited(scenario).join('; ')}`,
      );
    if (isInTime) await this.#quiet(expect, calls, answered);
    return answered === 0 ? `no call came ${within}` : undefined;
  }

  async close(): Promise<void> {}

  /** Until all that is expected has come, or too much has. */
  async #expected(expect: Expectations, calls: Calls): Promise<{ answered: number; isInTime: boolean }> {
    const deadline = stopwatch() + this.#patience.timeoutMilliseconds;
    let answered = 0;
    for (let left = deadline - stopwatch(); left > 0; left = deadline - stopwatch()) {
      answered = await calls.more(answered, left);
      const { areSatisfied, areHopeless } = await calls.standingOf(expect);
      if ((areSatisfied && answered > 0) || areHopeless) return { answered, isInTime: true };
    }
    return { answered, isInTime: false };
  }

  /** Until the client calls no more, so that what it does too often is seen. */
  async #quiet(expect: Expectations, calls: Calls, already: number): Promise<void> {
    const { settleMilliseconds } = this.#patience;
    const end = stopwatch() + mostQuietTimes * settleMilliseconds;
    let answered = already;
    for (let left = end - stopwatch(); left > 0; left = end - stopwatch()) {
      if ((await calls.standingOf(expect)).areHopeless || !Number.isFinite(answered)) return;
      const last = answered;
      answered = await calls.more(last, Math.min(settleMilliseconds, left));
      if (answered === last && (await calls.underWay()) === 0) return;
    }
  }
}
