// What recordings of sandboxes with random choices show: every visible choice, and no wrong one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { Learner } from '../../src/fidelity/learner.ts';
import { callOfHarEntry } from '../../src/fidelity/recorded-call.ts';
import { alreadyRedacted } from '../../src/journal/redaction.ts';
import { logIn, orderCalls, randomOrders, readCalls, tokenCalls } from './traffic.ts';

const anyChoices = fc.record(
  Object.fromEntries(
    assumptionIds.map((id) => [id, fc.constantFrom(...assumptionRegister[id].choices.map(([choice]) => choice))]),
  ),
) as unknown as fc.Arbitrary<Choices>;

const seeds = Number(process.env.SEEDS ?? 6);
const draws = fc.sample(anyChoices, { numRuns: seeds, seed: 33 });

test.for(draws.map((choices, n) => ({ choices, n })))('recording $n', async ({ choices, n }) => {
  await using sachet = createSachet({ assumptions: choices, clock: '2026-11-20T12:00:00Z', randomSeed: n });
  const sandbox = await sachet.createSandbox();
  await tokenCalls(sandbox);
  const { call } = await logIn(sandbox);
  await readCalls(sandbox, call);
  await sandbox.clock.advance({ seconds: 61 });
  await orderCalls(call);
  await sandbox.clock.advance({ seconds: 61 });
  await randomOrders(call, 60, n);
  const har = await sandbox.requests.har();
  const learner = new Learner(alreadyRedacted);
  const start = performance.now();
  for (const entry of har.log.entries) {
    const recorded = callOfHarEntry(entry);
    if (recorded) learner.add(recorded, 'test.har');
  }
  const report = learner.report();
  console.log(`${har.log.entries.length} calls, ${Math.round(performance.now() - start)} ms`, report.skipped);
  console.log(
    JSON.stringify(
      report.findings.map(({ rules, problems, count, request, answer }) => ({
        rules,
        problems,
        count,
        request,
        answer,
      })),
      null,
      1,
    ).slice(0, 6000),
  );
  const wrong = report.observations.filter(({ assumption, allowed }) => !allowed.includes(choices[assumption]));
  const open = report.observations.filter(({ allowed }) => allowed.length > 1);
  console.log(
    choices.validation_placement,
    'OPEN',
    open
      .map(({ assumption, allowed }) => `${assumption}=${choices[assumption as AssumptionId]} of ${allowed}`)
      .join('; '),
  );
  expect(
    wrong.map(({ assumption, allowed, evidence }) => [
      assumption,
      choices[assumption as AssumptionId],
      allowed,
      evidence,
    ]),
  ).toEqual([]);
  expect(report.findings).toEqual([]);
});
