// The report as test cases: one per scenario.
import type { TestCase } from '../junit.ts';
import type { Certification, ScenarioResult } from './certification.ts';
import { countInWords, matchInWords } from './expectation-words.ts';
import { failureInWords } from './failure-words.ts';

export const junitCases = ({ scenarios }: Certification): TestCase[] =>
  scenarios.map((result) => ({
    name: result.name,
    classname: 'sachet.certify',
    seconds: result.duration_ms / 1000,
    outcome: result.outcome,
    message: failureInWords(result),
    text: result.outcome === 'fail' ? account(result) : undefined,
  }));

const account = ({ right_client, note, expect, conduct, evidence }: ScenarioResult): string =>
  [
    `A right client: ${right_client}`,
    ...(note === null ? [] : [note]),
    ...expect
      .filter(({ satisfied }) => !satisfied)
      .map(({ match, count, came }) => `${matchInWords(match)}: expected ${countInWords(count)}, came ${came}`),
    ...conduct.filter(({ outcome }) => outcome === 'fail').map(({ id, advice }) => `${id}: ${advice}`),
    ...evidence.map(({ received_at, method, path, status, sentence }) =>
      [received_at, method, path, status ?? '-', sentence ?? ''].join(' '),
    ),
  ].join('\n');
