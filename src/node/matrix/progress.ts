// How far the runs are, on one line of a terminal that is written anew; nothing where there is no terminal.
import type { WriteStream } from 'node:tty';
import { visible } from '../visible.ts';

/** What it needs of standard error. */
export type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

const fromStart = '\r\u001b[K';

export class ProgressLine {
  readonly #terminal: Terminal | undefined;
  readonly #running = new Set<string>();
  #total = 0;
  #done = 0;
  #failed = 0;

  constructor(terminal: Terminal = process.stderr) {
    this.#terminal = terminal.isTTY ? terminal : undefined;
  }

  /** So many more runs are to come. */
  expect(runs: number): void {
    this.#total += runs;
  }

  begin(run: string): void {
    this.#running.add(run);
    this.#show();
  }

  end(run: string, passed: boolean): void {
    this.#running.delete(run);
    this.#done += 1;
    if (!passed) this.#failed += 1;
    this.#show();
  }

  /** Leaves the line as it was found. */
  readonly clear = (): void => {
    this.#terminal?.write(fromStart);
  };

  #show(): void {
    const running = [...this.#running].join(', ') || 'nothing';
    const text = `${this.#done} of ${this.#total} runs, ${this.#failed} failed; running: ${running}`;
    // The last column stays free: some terminals go on to the next line with it. Some do not know how wide they are.
    this.#terminal?.write(fromStart + visible(text).slice(0, (this.#terminal.columns || 80) - 1));
  }
}
