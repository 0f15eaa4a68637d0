// The rules of the conduct report, by id. A missing one does not compile.
import type { ConductRuleId } from '../../contract/conduct.ts';
import type { Rule } from './reducer.ts';
import { backoffOn500 } from './rules/backoff-on-500.ts';
import { cursorOpaque } from './rules/cursor-opaque.ts';
import { cursorToTheEnd } from './rules/cursor-to-the-end.ts';
import { documentedFields } from './rules/documented-fields.ts';
import { freshLabel } from './rules/fresh-label.ts';
import { needsChanges } from './rules/needs-changes.ts';
import { noDeadToken } from './rules/no-dead-token.ts';
import { noDoubleSubmit } from './rules/no-double-submit.ts';
import { noRefusedRepeat } from './rules/no-refused-repeat.ts';
import { refreshOn401 } from './rules/refresh-on-401.ts';
import { retryAfter } from './rules/retry-after.ts';
import { tokenReuse } from './rules/token-reuse.ts';

export const rules: Readonly<Record<ConductRuleId, Rule>> = {
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
