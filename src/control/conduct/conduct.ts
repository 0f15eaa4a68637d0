// How a client behaved, judged as its calls are completed (product.md, "Conduct report").
import type { ConductReport } from '../../contract/admin/report.ts';
import { type ConductRuleId, conduct, conductRuleIds } from '../../contract/conduct.ts';
import type { Hashes } from '../../domain/hashes.ts';
import type { Entry } from '../journal/entry.ts';
import { CompletedCall } from './completed-call.ts';
import type { Reducer } from './reducer.ts';
import { rules } from './rules.ts';
import { type Ruled, Ruling } from './ruling.ts';
import { Sessions } from './sessions.ts';

interface Judge {
  readonly id: ConductRuleId;
  readonly ruling: Ruling;
  readonly reducer: Reducer;
}

export class Conduct {
  readonly #hashes: Hashes;
  readonly #sessions = new Sessions();
  readonly #judges: readonly Judge[] = conductRuleIds.map((id) => {
    const ruling = new Ruling();
    return { id, ruling, reducer: rules[id](ruling, this.#sessions) };
  });

  constructor(hashes: Hashes) {
    this.#hashes = hashes;
  }

  /** Takes a completed call into account; the calls come in the order of their answers. */
  see(entry: Entry): void {
    if (!entry.answer) return;
    const call = new CompletedCall(entry, entry.answer, this.#hashes);
    for (const { reducer } of this.#judges) reducer.see(call);
    this.#sessions.see(call);
  }

  report(): ConductReport {
    return { rules: this.#judges.map(({ id, ruling, reducer }) => shown(id, ruling.told(reducer.owed?.()))) };
  }
}

function shown(id: ConductRuleId, { outcome, evidence, finding }: Ruled): ConductReport['rules'][number] {
  const advice = finding ? `${finding}; ${conduct[id]}` : conduct[id];
  return { id, outcome, evidence: [...evidence], advice: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.` };
}
