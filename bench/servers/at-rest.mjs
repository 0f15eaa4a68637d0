// When a server that was loaded has done what it does behind that: its compiler or its collector of garbage would take the other's core.
import { setTimeout as sleep } from 'node:timers/promises';
import { processorSeconds } from './process-figures.mjs';

const lookMilliseconds = 100;
/** Of a look; the clock of processor time is no finer. */
const mostSeconds = 0.011;
/** One that never rests is not waited for longer: the rounds tell that they were disturbed. */
const longestMilliseconds = 5_000;

/** Waits until a process takes next to no processor time; at once where that cannot be told. */
export async function atRest(pid) {
  for (let waited = 0; waited < longestMilliseconds; waited += lookMilliseconds) {
    const before = processorSeconds(pid);
    if (before === undefined) return;
    await sleep(lookMilliseconds);
    if (processorSeconds(pid) - before < mostSeconds) return;
  }
}
