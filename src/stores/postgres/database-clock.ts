// The database's time, by which all replicas go: what this machine's clock is ahead or behind of it is found with each answer.
import { machineTime } from '../../control/clock.ts';

export class DatabaseClock {
  /** Milliseconds that the database is ahead. */
  #ahead = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return machineTime() + Math.round(this.#ahead);
  }

  /** The machine's time when a question is sent. */
  begin(): number {
    return machineTime();
  }

  /**
   * The database looked at its clock after the question was sent and before its answer is here: as long as what is known of it fits that, it
   * stays, so that time does not jump by how long an answer takes.
   * @param theirs in milliseconds since 1970
   */
  heard(theirs: number, sent: number): void {
    // Either clock may be a millisecond behind what it shows.
    const [least, most] = [theirs - machineTime() - 1, theirs - sent + 1];
    this.#ahead = Math.min(Math.max(this.#ahead, least), most);
  }
}
