// The conduct report: judges a client by its completed calls.
import { type ConductReport, type ConductRuleId, conduct, conductRuleIds } from '../contract/control/conduct.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Entry } from '../journal/entry.ts';
import { CompletedCall } from './completed-call.ts';
import { cursorOpaque, cursorToTheEnd, documentedFields, freshLabel } from './reads.ts';
import { backoffOn500, needsChanges, noDoubleSubmit, noRefusedRepeat, retryAfter } from './retries.ts';
import { type Rule, Verdict } from './rule.ts';
import { Sessions } from './sessions.ts';
import { noDeadToken, refreshOn401, tokenReuse } from './tokens.ts';

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

export class Conduct {
  readonly #hashes: Hashes;
  readonly #sessions = new Sessions();
  /** In the order of the report. */
  readonly #rules = conductRuleIds.map((id) => {
    const verdict = new Verdict();
    return { id, verdict, state: rules[id](verdict, this.#sessions) };
  });

  constructor(hashes: Hashes) {
    this.#hashes = hashes;
  }

  /** Takes a completed call into account. Calls must come in the order of their answers. */
  observe(entry: Entry): void {
    if (!entry.answer) return;
    const call = new CompletedCall(entry, entry.answer, this.#hashes);
    for (const { state } of this.#rules) state.observe(call);
    this.#sessions.observe(call);
  }

  report(): ConductReport {
    const rules = this.#rules.map(({ id, verdict, state }) => {
      const { finding, ...result } = verdict.result(state.outstanding?.());
      const advice = finding ? `${finding}. ${conduct[id]}.` : `${conduct[id]}.`;
      return { id, ...result, advice };
    });
    return { rules };
  }
}
