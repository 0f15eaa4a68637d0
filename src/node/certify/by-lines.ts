// A client that is started here and makes a round whenever a line tells it to.
import type { ClientProcess } from '../client-process.ts';
import { unlessAborted } from '../interruptible.ts';
import type { Caller, ToldScenario } from './caller.ts';
import type { Calls } from './calls.ts';
import { LineClient } from './line-client.ts';
import type { Harmless } from './secrets.ts';

/** A call that the client has given up is answered soon. */
const longestSettlingMilliseconds = 2000;
/** Of the last words of a client. */
const mostCharacters = 2000;

const protocol =
  'a client must print each line that it reads on standard output, with a line break, and flush, when its round is over';

export interface ByLines {
  readonly start: () => Promise<ClientProcess>;
  /** How long a round may take. */
  readonly timeoutMilliseconds: number;
  /** Takes secrets out of what the client printed. */
  readonly harmless: Harmless;
  readonly signal: AbortSignal;
}

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
