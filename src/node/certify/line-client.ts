// One process of a client by lines: it is told a line, does its round, and says the line when the round is over.
import type { ClientProcess, Ending } from '../client-process.ts';
import { within } from '../client-process.ts';
import { plainOutput } from '../plain-output.ts';

/** How long it may go on once no further line comes. */
const graceMilliseconds = 2000;
const lastLines = 20;

export type RoundEnd = 'answered' | 'ended' | 'silent';

export class LineClient {
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
