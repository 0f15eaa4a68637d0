// The conduct report over the control API: how well the client behaved that called the sandbox.
import { z } from 'zod';
import { conductRuleIds } from '../conduct.ts';
import { bounds } from './bounds.ts';
import { controlOperation } from './control-operation.ts';

export const conductRuleId = z.enum(conductRuleIds);

const outcome = z
  .enum(['pass', 'fail', 'not_exercised'])
  .describe('not_exercised where no call has put the rule to the test');

/** One rule and what became of it. */
const ruled = z.strictObject({
  id: conductRuleId,
  outcome,
  evidence: z.array(z.string()).describe(`ids of the requests that it is judged by, at most ${bounds.conductEvidence}`),
  advice: z.string().describe('what was found, where it failed, and what a right client does, in a sentence'),
});

export const conductReport = z.strictObject({ rules: z.array(ruled).describe('all of them, in their order') });
export type ConductReport = z.output<typeof conductReport>;
export type ConductOutcome = z.output<typeof outcome>;

export const reportOperations = {
  'report.get': controlOperation({
    id: 'report.get',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/report',
    summary: 'The conduct report: what the client did right and wrong since the journal was last cleared',
    responses: { 200: conductReport },
  }),
} as const;
