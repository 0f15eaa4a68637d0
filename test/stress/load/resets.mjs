// Has the sandbox begin anew after every so many answers, and remembers when that was.
import { performance } from 'node:perf_hooks';
import { call } from './call.mjs';

export class Resets {
  count = 0;
  #plan;
  #spans = [];
  #last = Promise.resolve();

  /** @param plan {every, url, key}; without one nothing is reset */
  constructor(plan) {
    this.#plan = plan;
  }

  answered(answers) {
    if (this.#plan && answers % this.#plan.every === 0) this.#last = this.#reset();
  }

  /** Whether a reset was under way at any time between these two. */
  overlap(from, to) {
    return this.#spans.some(([begun, ended]) => begun <= to && from <= ended);
  }

  settled() {
    return this.#last;
  }

  async #reset() {
    const span = [performance.now(), Number.POSITIVE_INFINITY];
    this.#spans.push(span);
    await call(this.#plan.url, { method: 'POST', headers: { authorization: `Bearer ${this.#plan.key}` } });
    span[1] = performance.now();
    this.count += 1;
  }
}
