// Keep-alive connections, as many as the calls under way need; what finds none free when there are enough waits for one.
import { performance } from 'node:perf_hooks';
import { UnexpectedStatus } from './call.mjs';
import { Connection } from './connection.mjs';

const most = 250;

export class Connections {
  #address;
  #free = [];
  #waiting = [];
  #count = 0;

  constructor(address) {
    this.#address = address;
  }

  /** @param done called once, with when the call left and the status of its answer; without one where the connection broke */
  send(bytes, done) {
    const free = this.#free.shift();
    if (free) return this.#call(free, { bytes, done });
    this.#waiting.push({ bytes, done });
    if (this.#count < most) this.#open();
  }

  close() {
    for (const connection of this.#free) connection.close();
  }

  async #open() {
    this.#count += 1;
    try {
      this.#next(await Connection.open(this.#address));
    } catch {
      this.#count -= 1;
      this.#waiting.shift()?.done(performance.now(), undefined);
    }
  }

  #next(connection) {
    const waiting = this.#waiting.shift();
    if (waiting) return this.#call(connection, waiting);
    connection.onFailure = () => {
      this.#count -= 1;
      this.#free = this.#free.filter((one) => one !== connection);
      connection.onFailure = () => {};
    };
    this.#free.push(connection);
  }

  #call(connection, { bytes, done }) {
    const left = performance.now();
    const answered = (status) => {
      done(left, status);
      this.#next(connection);
    };
    connection.onAnswer = () => answered(200);
    connection.onFailure = (error) => {
      if (error instanceof UnexpectedStatus) return answered(error.status);
      connection.onFailure = () => {};
      this.#count -= 1;
      done(left, undefined);
    };
    connection.send(bytes);
  }
}
