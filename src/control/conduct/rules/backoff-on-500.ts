// `backoff_on_500`: a call that failed with 500 comes again after a pause, and after a longer one each time it fails again.
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import type { Breach } from '../ruling.ts';
import { cameAfter, knew, type Told } from '../told.ts';

/** A shorter pause is none. */
const leastMilliseconds = 100;
/** A pause of so long need not grow any more. */
const enoughMilliseconds = 10_000;
/** What a pause is longer than the one before at least, so that neither jitter nor a slow machine decides. */
const growth = 1.2;

interface Failure {
  readonly told: Told;
  /** The pause before the call that failed; 0 for the first one. */
  readonly paused: number;
}

export const backoffOn500: Rule = (ruling) => {
  const failures = new Recent<string, Failure>();
  /** Calls that may have been under way beside the one that failed: that this one comes after a pause speaks for them. */
  const doubtful = new Recent<string, Breach>();
  function judge(call: CompletedCall, { told, paused }: Failure, pause: number): void {
    const breach = breachOf(paused, pause);
    const finding = `${call.name} came again ${breach}`;
    if (!breach) {
      doubtful.delete(call.key);
      ruling.test(call.id);
    } else if (knew(told, call) === 'yes') ruling.fail(finding, told.id, call.id);
    else doubtful.set(call.key, { finding, evidence: [told.id, call.id] });
  }
  return {
    see(call) {
      if (failures.size === 0 && call.status !== 500) return;
      const last = failures.get(call.key);
      const pause = last && cameAfter(last.told, call) ? call.at - last.told.answeredAt : undefined;
      if (last && pause !== undefined) judge(call, last, pause);
      if (call.status === 500) failures.set(call.key, { told: call.told, paused: pausedBefore(call, last, pause) });
      else if (pause !== undefined && !doubtful.has(call.key)) failures.delete(call.key);
    },
    owed: () => [...doubtful.values()][0],
  };
};

/** A call beside the one that failed has not paused, but for the pause of that one. */
const pausedBefore = (call: CompletedCall, last: Failure | undefined, pause = 0): number =>
  last && knew(last.told, call) !== 'yes' ? last.paused : pause;

/** What is wrong with a pause. A clock that was turned back tells nothing. */
function breachOf(before: number, pause: number): string | undefined {
  if (pause < 0 || pause >= enoughMilliseconds) return undefined;
  if (pause < leastMilliseconds) return `${pause} ms after a 500`;
  return pause < before * growth ? `${pause} ms after a 500, when the pause before had been ${before} ms` : undefined;
}
