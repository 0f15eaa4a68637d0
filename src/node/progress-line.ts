// The progress of a long command: on a terminal one line, which is rewritten.
import type { WriteStream } from 'node:tty';
import { printable } from '../client/printable.ts';
import { stopwatch } from '../system/time.ts';

/** The part of standard error that the progress uses. */
type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

/** Erases the line, so that another text can take its place. */
export const startOfLine = '\r\u001b[K';

/** Without a terminal, as in CI, a new line each half minute: some services end a job that prints nothing. */
const pauseMilliseconds = 30_000;

export class ProgressLine {
  readonly #unit: string;
  readonly #terminal: Terminal;
  #printedAt = stopwatch();
  readonly #running = new Set<string>();
  #total = 0;
  #done = 0;
  #failed = 0;

  /** @param unit the things that it counts, such as `runs` */
  constructor(unit: string, terminal: Terminal = process.stderr) {
    this.#unit = unit;
    this.#terminal = terminal;
  }

  get isVisible(): boolean {
    return this.#terminal.isTTY === true;
  }

  expect(count: number): void {
    this.#total += count;
  }

  async during<Run>(name: string, running: Promise<Run>, hasPassed: (run: Run) => boolean): Promise<Run> {
    this.#running.add(name);
    this.#show();
    const run = await running;
    this.#running.delete(name);
    this.#done += 1;
    if (!hasPassed(run)) this.#failed += 1;
    this.#show();
    return run;
  }

  readonly clear = (): void => {
    if (this.isVisible) this.#terminal.write(startOfLine);
  };

  #show(): void {
    const running = this.#running.size > 0 ? `; running: ${[...this.#running].join(', ')}` : '';
    const text = `${this.#done} of ${this.#total} ${this.#unit}, ${this.#failed} failed${running}`;
    if (!this.isVisible) {
      if (stopwatch() - this.#printedAt < pauseMilliseconds) return;
      this.#printedAt = stopwatch();
      this.#terminal.write(`${printable(text)}\n`);
      return;
    }
    // Some terminals wrap at the last column, and some do not know their width.
    this.#terminal.write(startOfLine + printable(text).slice(0, (this.#terminal.columns || 80) - 1));
  }
}
