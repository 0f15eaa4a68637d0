// What was written in place, so that it can be taken back as if it never was.

/** A collection, whatever its rows. */
export interface Rewritable {
  put(sequence: number, row: unknown): unknown;
}

interface Step {
  readonly collection: Rewritable;
  readonly sequence: number;
  readonly former: unknown;
}

export class UndoLog {
  readonly #steps: Step[] = [];

  /** Notes what stood at a place before it was written. */
  push(collection: Rewritable, sequence: number, former: unknown): void {
    this.#steps.push({ collection, sequence, former });
  }

  /** Puts back what stood there, the last first. Nothing is left to be taken back after it. */
  takeBack(): void {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) step.collection.put(step.sequence, step.former);
  }
}
