// How a client behaved, judged as its calls are completed (product.md, "Conduct report").
import type { ConductReport } from '../contract/control/report.ts';
import { type ConductRuleId, conduct, conductRuleIds } from '../contract/control/report.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Entry } from '../journal/entry.ts';
import { CompletedCall } from './completed-call.ts';
import { cursorOpaque, cursorToTheEnd, documentedFields, freshLabel, needsChanges } from './reads.ts';
import { backoffOn500, noDoubleSubmit, noRefusedRepeat, retryAfter } from './retries.ts';
import { type Reducer, type Rule, type Ruled, Ruling } from './ruling.ts';
import { Sessions } from './sessions.ts';
import { noDeadToken, refreshOn401, tokenReuse } from './tokens.ts';

// The rules of the conduct report, by id. A missing one does not compile.

const rules: Readonly<Record<ConductRuleId, Rule>> = {
  token_reuse: tokenReuse,
  refresh_on_401: refreshOn401,
  no_dead_token: noDeadToken,
  retry_after: retryAfter,
  backoff_on_500: backoffOn500,
  cursor_to_the_end: cursorToTheEnd,
  cursor_opaque: cursorOpaque,
  fresh_label: freshLabel,
  no_double_submit: noDoubleSubmit,
  needs_changes: needsChanges,
  no_refused_repeat: noRefusedRepeat,
  documented_fields: documentedFields,
};

interface Judge {
  readonly ruling: Ruling;
  readonly reducer: Reducer;
}

const untold = new Ruling().told();

export class Conduct {
  readonly #hashes: Hashes;
  readonly #sessions = new Sessions();
  /** In the order of the report; none of a rule that no call had to do with. */
  readonly #judges: (Judge | undefined)[] = conductRuleIds.map(() => undefined);

  constructor(hashes: Hashes) {
    this.#hashes = hashes;
  }

  /** Takes a completed call into account; the calls come in the order of their answers. */
  see(entry: Entry): void {
    if (!entry.answer) return;
    const call = new CompletedCall(entry, entry.answer, this.#hashes);
    for (let at = 0; at < conductRuleIds.length; at += 1) this.#judge(at, call)?.reducer.see(call);
    this.#sessions.see(call);
  }

  #judge(at: number, call: CompletedCall): Judge | undefined {
    const known = this.#judges[at];
    if (known) return known;
    const { begins, follow } = rules[conductRuleIds[at] as ConductRuleId];
    if (!begins(call)) return undefined;
    const ruling = new Ruling();
    const judge = { ruling, reducer: follow(ruling, this.#sessions) };
    this.#judges[at] = judge;
    return judge;
  }

  report(): ConductReport {
    const told = (judge: Judge | undefined) => judge?.ruling.told(judge.reducer.owed?.()) ?? untold;
    return { rules: conductRuleIds.map((id, at) => shown(id, told(this.#judges[at]))) };
  }
}

function shown(id: ConductRuleId, { outcome, evidence, finding }: Ruled): ConductReport['rules'][number] {
  const advice = finding ? `${finding}; ${conduct[id]}` : conduct[id];
  return { id, outcome, evidence: [...evidence], advice: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.` };
}
