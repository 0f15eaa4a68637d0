// Waits for a condition outside of a test, where `expect.poll` is not available.
import { setTimeout as sleep } from 'node:timers/promises';

const deadlineMilliseconds = 60_000;

/** Fails at the deadline, and names what it waited for. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const late = Date.now() + deadlineMilliseconds;
  while (!isSo()) {
    if (Date.now() > late) throw new Error(`after ${deadlineMilliseconds} ms there is no ${what}`);
    await sleep(5);
  }
}
