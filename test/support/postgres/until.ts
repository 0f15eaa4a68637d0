// Waiting for what the machine does, also where there is no test yet that could poll for it.
import { setTimeout as sleep } from 'node:timers/promises';

const deadlineMilliseconds = 60_000;

/** Waits until it is so; fails at the deadline, with what was waited for. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const late = Date.now() + deadlineMilliseconds;
  while (!isSo()) {
    if (Date.now() > late) throw new Error(`after ${deadlineMilliseconds} ms there is no ${what}`);
    await sleep(5);
  }
}
