// Orders that were posted, by how they were answered: what a client may believe of them.
import { errorBody } from '../../src/contract/refusal.ts';
import { type Caller, marksShown, postOrder } from './marked-orders.ts';
import { together } from './sockets.ts';

/** Orders of many lines fill a disk sooner. */
const lines = 25;
const atATime = 8;
/** So many refusals in a row, and the disk is full. */
const enough = 3;

export class Book {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  readonly faults: string[] = [];
  #count = 0;

  /** Posts an order; whether it was taken. */
  async post(caller: Caller): Promise<boolean> {
    this.#count += 1;
    const mark = `f${this.#count}`;
    const { status, text } = await postOrder(caller, mark, lines);
    if (status === 201) this.acknowledged.push(mark);
    else this.refused.push(mark);
    if (status !== 201 && !isRefusal(status, text)) this.faults.push(`an order was answered with ${status}: ${text}`);
    return status === 201;
  }

  /** Posts so many, several at a time. */
  many(caller: Caller, count: number): Promise<void> {
    return together(Array.from({ length: count }), atATime, async () => void (await this.post(caller)));
  }

  /** Posts until none is taken any more, not even one that comes alone. */
  async untilRefused(caller: Caller): Promise<void> {
    for (let before = -1; before < this.acknowledged.length; ) {
      before = this.acknowledged.length;
      await this.many(caller, 10 * atATime);
    }
    for (let inARow = 0; inARow < enough; ) inARow = (await this.post(caller)) ? 0 : inARow + 1;
  }

  /** What a client is shown otherwise than it was told, in a sentence; nothing where it is all the same. */
  async differences(caller: Caller, when: string): Promise<string[]> {
    const shown = await marksShown(caller, /^f\d+$/);
    const [told, seen, refused] = [new Set(this.acknowledged), new Set(shown), new Set(this.refused)];
    return [
      ...this.acknowledged.filter((mark) => !seen.has(mark)).map((mark) => `${mark} is lost ${when}`),
      ...shown.filter((mark) => refused.has(mark)).map((mark) => `${mark}, which was refused, is there ${when}`),
      ...(shown.length > told.size ? [`${shown.length - told.size} orders too many are there ${when}`] : []),
    ];
  }
}

function isRefusal(status: number, text: string): boolean {
  const body = errorBody.safeParse(JSON.parse(text));
  return status === 500 && body.success && body.data.statusCode === 500;
}
