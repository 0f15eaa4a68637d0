// `backoff_on_500`: a call that failed with 500 comes again after a pause, and after a longer one each time it fails again.
import { longestPauseSeconds } from '../../../contract/conduct.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Doubts } from '../doubts.ts';
import { isLook } from '../look.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, knew, type Told } from '../told.ts';

/** A shorter pause is none. */
const leastMilliseconds = 100;
/** A pause of so long need not grow any more; nor does the one after it, since the clock may have been advanced in between. */
const enoughMilliseconds = longestPauseSeconds * 1000;
/** What a pause is longer than the one before at least, so that neither jitter nor a slow machine decides. */
const growth = 1.2;

interface Failure {
  readonly told: Told;
  readonly operation: string;
  /** When the client had something else to wait for: it looked what became of an order, or the operation met the rate limit. */
  heldAt?: number;
  /** The pause before the call that failed; 0 for the first one. */
  readonly paused: number;
}

export const backoffOn500: Rule = {
  begins: ({ status }) => status === 500,
  follow: (ruling, sessions) => {
    const failures = new Recent<string, Failure>();
    const doubts = new Doubts(ruling);
    function judge(call: CompletedCall, key: string, last: Failure): void {
      const breach = breachOf(last, call);
      if (breach) {
        const found = { finding: `the call ${call.name} came again ${breach}`, evidence: [last.told.id, call.id] };
        doubts.came(key, found, { isSure: isSurelyAgain(call, last), isAlike: true });
        return;
      }
      doubts.clear(key);
      ruling.test(call.id);
    }
    function failed(call: CompletedCall, key: string, paused: number): void {
      failures.set(key, { told: call.told, operation: call.name, paused });
    }
    function hold(call: CompletedCall): void {
      const operation = isLook(call) ? 'orders.create' : call.name;
      if (call.status !== 429 && !isLook(call)) return;
      for (const failure of failures.values()) if (failure.operation === operation) failure.heldAt ??= call.at;
    }
    return {
      see(call) {
        if (failures.size === 0 && call.status !== 500) return;
        hold(call);
        const key = `${sessions.userOf(call)}\n${call.key}`;
        const found = failures.get(key);
        const last = found && cameAfter(found.told, call) ? found : undefined;
        if (last) judge(call, key, last);
        if (call.status === 500) failed(call, key, pausedBefore(call, found, last));
        else if (last && !doubts.has(key)) failures.delete(key);
      },
      owed: () => doubts.first,
    };
  },
};

const pauseOf = ({ told }: Failure, { at }: Pick<CompletedCall, 'at'>): number => at - told.answeredAt;

/** Nobody orders the same twice side by side. */
const isSurelyAgain = (call: CompletedCall, { told }: Failure): boolean => !call.isSafe || knew(told, call) === 'yes';

/** A call beside the one that failed has not paused, but for the pause of that one. */
const pausedBefore = (call: CompletedCall, found: Failure | undefined, last: Failure | undefined): number =>
  last && !breachOf(last, call) ? pauseOf(last, { at: last.heldAt ?? call.at }) : (found?.paused ?? 0);

/** What is wrong with a pause. A clock that was turned back tells nothing. */
function breachOf(last: Failure, call: CompletedCall): string | undefined {
  const pause = pauseOf(last, call);
  if (pause < 0 || pause >= enoughMilliseconds) return undefined;
  if (pause < leastMilliseconds) return `${pause} ms after a 500`;
  if (pause >= last.paused * growth || last.paused >= enoughMilliseconds) return undefined;
  return `${pause} ms after a 500, when the pause before had been ${last.paused} ms`;
}
