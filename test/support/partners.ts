// Partners who order and read without a pause, each on connections that it keeps where it may, and what they were answered.
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { someOrder } from './order-requests.ts';

/** An answer that was not what a partner wanted; status 0 where there was none. */
interface Odd {
  readonly method: 'GET' | 'POST';
  readonly status: number;
  readonly text: string;
}

export class Partners {
  /** The ids of all orders that were answered with 201. */
  readonly acknowledged: string[] = [];
  readonly odd: Odd[] = [];
  reads = 0;
  readonly #url: string;
  readonly #token: string;
  readonly #working: Promise<unknown>;
  #isOver = false;

  constructor(
    url: string,
    token: string,
    { writers, readers }: { readonly writers: number; readonly readers: number },
  ) {
    this.#url = url;
    this.#token = token;
    const each = (count: number, work: () => Promise<void>) => Array.from({ length: count }, () => this.#goOn(work));
    this.#working = Promise.all([...each(writers, () => this.#order()), ...each(readers, () => this.#read())]);
  }

  /** Waits for so many more orders and reads. */
  async more(orders: number, reads: number): Promise<void> {
    const [ordered, read] = [this.acknowledged.length + orders, this.reads + reads];
    await expect.poll(() => this.acknowledged.length >= ordered && this.reads >= read, { interval: 5 }).toBe(true);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  async #goOn(work: () => Promise<void>): Promise<void> {
    for (; !this.#isOver; await turn()) await work();
  }

  async #order(): Promise<void> {
    const text = await this.#answer('POST', '/v2/orders', 201);
    if (text !== undefined) this.acknowledged.push(JSON.parse(text).order.id);
  }

  async #read(): Promise<void> {
    const id = this.acknowledged.at(-1);
    const text = await this.#answer('GET', id === undefined ? '/v2/products' : `/v2/orders/${id}`, 200);
    if (text !== undefined) this.reads += 1;
  }

  /** The answer's body where it has this status. */
  async #answer(method: Odd['method'], path: string, wanted: number): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const body = method === 'POST' ? JSON.stringify(someOrder()) : null;
    const { status, text } = await fetch(this.#url + path, { method, headers, body }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      (error: Error) => ({ status: 0, text: String(error.cause ?? error) }),
    );
    if (status === wanted) return text;
    this.odd.push({ method, status, text });
    return undefined;
  }
}
