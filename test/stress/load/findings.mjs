// What came of the calls: how many were answered how, and how long it took from the moment they were due.
export class Findings {
  answers = 0;
  #sent = 0;
  #late = 0;
  #broken = 0;
  #explained = 0;
  #refused = {};
  #latencies = [];
  #resets;

  constructor(resets) {
    this.#resets = resets;
  }

  get inFlight() {
    return this.#sent - this.answers - this.#broken;
  }

  sent(isLate) {
    this.#sent += 1;
    if (isLate) this.#late += 1;
  }

  answered({ due, left, now, status, isTimed }) {
    if (status === undefined) {
      this.#broken += 1;
      return;
    }
    this.answers += 1;
    if (isTimed) this.#latencies.push(now - due);
    if (status < 300) return;
    // A call that was under way when its sandbox began anew belongs to a world that is no more.
    if (status >= 500 && this.#resets.overlap(left, now)) this.#explained += 1;
    else this.#refused[status] = (this.#refused[status] ?? 0) + 1;
  }

  told(milliseconds) {
    const sorted = Float64Array.from(this.#latencies).sort();
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
    return {
      sent: this.#sent,
      answers: this.answers,
      perSecond: (this.answers * 1000) / milliseconds,
      late: this.#late,
      broken: this.#broken,
      unanswered: this.inFlight,
      explained: this.#explained,
      refused: this.#refused,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
    };
  }
}
