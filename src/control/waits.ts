// How many wait for something in a sandbox: not too many at a time.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal } from '../contract/admin/refusals.ts';

export class Waits {
  #underWay = 0;

  /** @throws ControlRefusal 422 where as many wait already as may. */
  async take<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#underWay >= bounds.waits)
      throw new ControlRefusal(422, `There are ${bounds.waits} waits in the sandbox, the most at a time; end some`);
    this.#underWay += 1;
    try {
      return await wait();
    } finally {
      this.#underWay -= 1;
    }
  }
}
