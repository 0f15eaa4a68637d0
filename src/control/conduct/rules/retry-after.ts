// `retry_after`: after a 429 no such call comes before its Retry-After is over, by the sandbox's clock.
import type { CompletedCall } from '../completed-call.ts';
import { Doubts } from '../doubts.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, knew, type Told } from '../told.ts';

/** A 429 that its call has not come back from. Calls that met the limit side by side come back each in its own time. */
interface Limit {
  readonly told: Told;
  readonly seconds: number;
  readonly key: string;
}

/** Of one user and operation; what meets the limit beside so many is not followed. */
const mostLimits = 100;

const waited = ({ told }: Limit, { at }: CompletedCall): number => (at - told.answeredAt) / 1000;
/** A clock that was turned back tells nothing. */
const isOver = (limit: Limit, call: CompletedCall): boolean =>
  waited(limit, call) < 0 || waited(limit, call) >= limit.seconds;
/** Whoever gave up comes back no more, and speaks for nobody. */
const isForgotten = (limit: Limit, call: CompletedCall): boolean => waited(limit, call) >= 2 * limit.seconds;

/** Nobody orders the same twice side by side. */
const isSurelyAgain = (call: CompletedCall, { told, key }: Limit): boolean =>
  (!call.isSafe && call.key === key) || knew(told, call) === 'yes';

export const retryAfter: Rule = {
  begins: ({ status }) => status === 429,
  follow: (ruling, sessions) => {
    const limits = new Recent<string, readonly Limit[]>();
    const doubts = new Doubts(ruling);
    /** Gives the limits that are left. */
    function judged(call: CompletedCall, caller: string, met: readonly Limit[]): readonly Limit[] {
      const known = met.filter(({ told }) => cameAfter(told, call));
      const over = known.find((limit) => isOver(limit, call));
      const [first] = known;
      if (over) {
        doubts.clear(caller);
        ruling.test(call.id);
      } else if (first) came(call, caller, first);
      return met.filter((limit) => limit !== over && !isForgotten(limit, call));
    }
    function came(call: CompletedCall, caller: string, limit: Limit): void {
      const finding = `the call ${call.name} came ${waited(limit, call)} s after a 429 whose Retry-After was ${limit.seconds}`;
      const isAlike = call.key === limit.key;
      doubts.came(
        caller,
        { finding, evidence: [limit.told.id, call.id] },
        { isSure: isSurelyAgain(call, limit), isAlike },
      );
    }
    return {
      see(call) {
        const seconds = call.status === 429 ? Number(call.header('Retry-After')) : Number.NaN;
        if (limits.size === 0 && Number.isNaN(seconds)) return;
        const caller = `${sessions.userOf(call)}\n${call.name}`;
        const left = judged(call, caller, limits.get(caller) ?? []);
        const met = Number.isNaN(seconds) ? [] : [{ told: call.told, seconds, key: call.key }];
        const limited = [...left, ...met].slice(0, mostLimits);
        if (limited.length > 0) limits.set(caller, limited);
        else limits.delete(caller);
      },
      owed: () => doubts.first,
    };
  },
};
