// One question for many who ask at the same time: what comes while questions are in progress goes together in the next.
import { isOfConnection } from './database.ts';

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const maxItems = 100;

export class Batcher<Item, Answer> {
  readonly #askAll: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #concurrency: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #inProgress = 0;

  /** @param askAll gives the answers in the order of the items */
  constructor(askAll: (items: readonly Item[]) => Promise<readonly Answer[]>, concurrency: number) {
    this.#askAll = askAll;
    this.#concurrency = concurrency;
  }

  /** The question is asked after this call: its answer has everything that was acknowledged before. */
  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length === 1) queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#inProgress < this.#concurrency) {
      this.#inProgress += 1;
      void this.#answer(this.#waiting.splice(0, maxItems)).finally(() => {
        this.#inProgress -= 1;
        this.#next();
      });
    }
  }

  async #answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askAll(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // If the database does not answer, those who wait to ask it have waited long enough.
      const others = isOfConnection(error) ? this.#waiting.splice(0) : [];
      for (const { reject } of [...batch, ...others]) reject(error);
    }
  }
}
