// `retry_after`: after a 429 no such call comes before its Retry-After is over, by the sandbox's clock.
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import type { Breach } from '../ruling.ts';
import { knew, type Told } from '../told.ts';

interface Limit {
  readonly told: Told;
  readonly seconds: number;
}

export const retryAfter: Rule = (ruling) => {
  const limits = new Recent<string, Limit>();
  /** Calls that may have been under way beside the one that met the limit: that this one comes back in time speaks for them. */
  const doubtful = new Recent<string, Breach>();
  function judge(call: CompletedCall, { told, seconds }: Limit): void {
    const known = knew(told, call);
    if (known === 'no') return;
    const waited = (call.at - told.answeredAt) / 1000;
    // A clock that was turned back tells nothing.
    const isEarly = waited >= 0 && waited < seconds;
    const finding = `${call.name} came ${waited} s after a 429 whose Retry-After was ${seconds}`;
    if (known === 'yes' || !isEarly) limits.delete(call.name);
    if (!isEarly) {
      doubtful.delete(call.name);
      ruling.test(call.id);
    } else if (known === 'yes') ruling.fail(finding, told.id, call.id);
    else doubtful.set(call.name, { finding, evidence: [told.id, call.id] });
  }
  return {
    see(call) {
      const limit = limits.size > 0 ? limits.get(call.name) : undefined;
      if (limit) judge(call, limit);
      const seconds = call.status === 429 ? Number(call.header('Retry-After')) : Number.NaN;
      if (Number.isFinite(seconds)) limits.set(call.name, { told: call.told, seconds });
    },
    owed: () => [...doubtful.values()][0],
  };
};
