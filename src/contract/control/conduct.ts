// The conduct report: which rules of good behavior the client followed.
import { z } from 'zod';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';

/** A pause after a server error need not be longer than this. */
export const longestPauseSeconds = 10;

/** The rules in the order of the report, each with its advice: a sentence without the last period. */
export const conduct = {
  token_reuse: 'Log in once, and send the access token with every call until it is rejected',
  refresh_on_401:
    'After a 401, use the refresh token to get a new access token, once for all calls in progress, and repeat the ' +
    'rejected calls',
  no_dead_token: 'Never send a token again after a 401',
  retry_after: 'After a 429, wait for the seconds of its Retry-After before you repeat the call',
  backoff_on_500:
    'After a 500, 502, 503 or 504, pause before you repeat the call, and make each pause longer than the last, up ' +
    `to ${longestPauseSeconds} seconds`,
  cursor_to_the_end: 'Follow the next cursor of every page up to the last page',
  cursor_opaque: 'Send only cursors from a response, unchanged, and send no cursor for the first page',
  fresh_label: 'When the storage rejects a label_url, get the fulfillment again and download from its fresh label_url',
  no_double_submit:
    'When the response to an order is lost, or is a 500, 502, 503 or 504, check whether the order is stored before ' +
    'you send it again, and do not send it again if you cannot check',
  needs_changes: 'Treat an order with the status Needs Changes as placed: keep its id, and do not submit it again',
  no_refused_repeat: 'Correct a rejected order as the error says before you send it again',
  documented_fields: 'Send only fields and query parameters that are in the contract',
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
  evidence: z
    .array(z.string())
    .describe(`ids of the requests that show the outcome, at most ${bounds.conductEvidence}`),
  advice: z.string().describe('the finding, if the rule failed, and the advice'),
});

export const conductReport = z.strictObject({ rules: z.array(ruleResult).describe('all rules, in their order') });
export type ConductReport = z.output<typeof conductReport>;
export type ConductOutcome = z.output<typeof outcome>;

export const reportOperations = {
  'report.get': sandboxOperation(
    'GET',
    '/report',
    'Get the conduct report: which rules the client followed since the journal was last cleared',
    {
      operationId: 'getReport',
      description:
        'Each rule of good conduct with its outcome, the ids of the requests that show it, and advice for the ' +
        'client.',
      responses: { 200: conductReport },
    },
  ),
} as const;
