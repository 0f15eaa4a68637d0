// Recordings of sandboxes with random choices, and what a recording must show of them.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { HarDocument } from '../../src/contract/control/requests.ts';
import { type LearnedReport, settledChoice } from '../../src/contract/observations.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { Learner } from '../../src/fidelity/learner.ts';
import { callOfHarEntry } from '../../src/fidelity/recorded-call.ts';
import { alreadyRedacted, type TextRedactor } from '../../src/journal/redaction.ts';
import { logIn, orderCalls, randomOrders, readCalls, tokenCalls } from './traffic.ts';

/** One choice for each assumption. */
const anyChoices = fc.record(
  Object.fromEntries(
    assumptionIds.map((id) => [id, fc.constantFrom(...assumptionRegister[id].choices.map(([choice]) => choice))]),
  ),
) as unknown as fc.Arbitrary<Choices>;

/** The recording of a sandbox with these choices. @param orders random ones, in addition to those with one trait each */
export async function recordingOf(
  assumptions: Partial<Choices>,
  seed: number,
  orders = 0,
): Promise<HarDocument['log']['entries']> {
  await using sachet = createSachet({ assumptions, clock: '2026-11-20T12:00:00Z', randomSeed: seed });
  const sandbox = await sachet.createSandbox();
  await tokenCalls(sandbox);
  const { call } = await logIn(sandbox);
  await readCalls(sandbox, call);
  // The next minute: `rate_limit` may be 100/60s.
  await sandbox.clock.advance({ seconds: 61 });
  await orderCalls(call);
  await sandbox.clock.advance({ seconds: 61 });
  await randomOrders(call, orders, seed);
  return (await sandbox.requests.har()).log.entries as HarDocument['log']['entries'];
}

export function learn(entries: readonly unknown[], redactor: TextRedactor = alreadyRedacted): LearnedReport {
  const learner = new Learner(redactor);
  for (const entry of entries) {
    const call = callOfHarEntry(entry);
    if (call) learner.add(call, 'test.har');
  }
  return learner.report();
}

/** Of these choices, the assumptions that the recording cannot settle. */
function invisible(choices: Choices): AssumptionId[] {
  const { validation_placement: placement, validation_report: report } = choices;
  const when: Partial<Record<AssumptionId, boolean>> = {
    order_transitions: true,
    fulfillment_timeline: true,
    pag_lookup: true,
    rate_limit: true,
    rate_limit_scope: true,
    // That a user lacks a permission is not in the recording.
    permissions: choices.permissions === 'all',
    // The recording has 7 fulfillments, and the first page above the maximum is not refused.
    max_limit: choices.over_max_limit === 'clamp' || choices.max_limit === '100',
    // Only the journal's redacted tokens: an invalid one may be an expired one, and no lifetime is seen.
    unauthorized_message: choices.unauthorized_message === 'Token expired',
    refresh_token_lifetime: choices.refresh_token_lifetime !== 'single_use',
    // The first message of all, and all messages of the first, are the same text. Only a phone number has two errors.
    validation_placement: placement === 'message' || (placement === 'joined' && report === 'first'),
    validation_report: placement === 'message' || (placement === 'joined' && report === 'first'),
    faults_per_field: placement === 'message' || report === 'first' || choices.phone_format === 'length_only',
    field_path: placement === 'message' || placement === 'joined',
  };
  return assumptionIds.filter((id) => when[id]);
}

export const drawChoices = (count: number): Choices[] => fc.sample(anyChoices, { numRuns: count, seed: 33 });

/** Learning from the recording excludes no choice of the sandbox, and leaves open only what it cannot show. */
export async function expectLearned(choices: Choices, seed: number): Promise<void> {
  const { observations, findings, calls } = learn(await recordingOf(choices, seed, 40));
  expect(findings).toEqual([]);
  expect(calls).toBeGreaterThan(80);
  const excluded = observations.filter(({ assumption, allowed }) => !allowed.includes(choices[assumption]));
  expect(excluded).toEqual([]);
  const open = observations.filter((one) => settledChoice(one) === undefined).map(({ assumption }) => assumption);
  expect(open.filter((id) => !invisible(choices).includes(id))).toEqual([]);
}
