// The conduct report: which rules of good client behavior the callers of the sandbox kept.
import { z } from 'zod';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';

/** A pause after a 500 need not grow beyond this. */
export const longestPauseSeconds = 10;

/** The rules in the order of the report, each with its advice. */
export const conduct = {
  token_reuse: 'log in once and send the access token with every call until it is refused',
  refresh_on_401:
    'after a 401 get a new access token by the refresh token, once for all calls under way, and make the refused ' +
    'call again',
  no_dead_token: 'never send a token again that was refused with 401',
  retry_after: 'after a 429 make no such call before the seconds of its Retry-After are over',
  backoff_on_500:
    'after a 500 pause before the same call is made again, each time longer than before until the pauses are ' +
    `${longestPauseSeconds} seconds`,
  cursor_to_the_end: 'follow the next cursor of every page until a page has none',
  cursor_opaque: 'send only cursors that an answer gave, as they are, and none for the first page',
  fresh_label: 'when the storage refuses a label_url ask for the fulfillment again and download from the fresh one',
  no_double_submit:
    'when the answer to an order is lost, or is a 500, look whether the order is stored before it is sent again',
  needs_changes: 'take an order that is Needs Changes as placed, keep its id and do not submit it again',
  no_refused_repeat: 'mend a refused order by what the refusal says before it is sent again',
  documented_fields: 'send only fields and query parameters that the contract names',
} as const;

/**
 * The id of a rule of the conduct report.
 * @example const id: ConductRuleId = 'refresh_on_401';
 */
export type ConductRuleId = keyof typeof conduct;

export const conductRuleIds = Object.keys(conduct) as ConductRuleId[];

export const conductRuleId = z.enum(conductRuleIds);

const outcome = z.enum(['pass', 'fail', 'not_exercised']).describe('not_exercised if no call tested the rule');

const ruleResult = z.strictObject({
  id: conductRuleId,
  outcome,
  evidence: z.array(z.string()).describe(`ids of the requests behind the outcome, at most ${bounds.conductEvidence}`),
  advice: z.string().describe('one sentence: what failed, if it failed, and what a correct client does'),
});

export const conductReport = z.strictObject({
  rules: z.array(ruleResult).describe('all rules, always in the same order'),
});
export type ConductReport = z.output<typeof conductReport>;
export type ConductOutcome = z.output<typeof outcome>;

export const reportOperations = {
  'report.get': sandboxOperation(
    'GET',
    '/report',
    'Get the conduct report: which rules the client kept and broke since the journal was last cleared',
    { responses: { 200: conductReport } },
  ),
} as const;
