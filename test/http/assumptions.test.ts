// Every choice of every assumption, as a client sees it. The cases are in test/support/readings; a missing case does not compile.
import { describe, expect, test } from 'vitest';
import { type Assumption, assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
import { newConsumer, validOrder } from '../cases/requests.ts';
import type { Case, Cases } from '../support/assumption-cases.ts';
import { expectImportable } from '../support/importable.ts';
import { accessCases } from '../support/readings/access.ts';
import { consumerCases } from '../support/readings/consumers.ts';
import { fieldFaultCases } from '../support/readings/field-faults.ts';
import { listCases } from '../support/readings/lists.ts';
import { orderAnswerCases } from '../support/readings/order-answers.ts';
import { orderValueCases } from '../support/readings/order-values.ts';
import { pouchCases } from '../support/readings/pouches.ts';
import { rateLimitCases } from '../support/readings/rate-limit.ts';
import { readCases } from '../support/readings/reads.ts';
import { refusalCases } from '../support/readings/refusals.ts';
import { statusCases } from '../support/readings/statuses.ts';
import { storageCases } from '../support/readings/storage.ts';
import { timelineCases } from '../support/readings/timeline.ts';
import { tokenCases } from '../support/readings/tokens.ts';
import { testSachet } from '../support/sachet.ts';

const cases: Cases = {
  ...refusalCases,
  ...statusCases,
  ...tokenCases,
  ...accessCases,
  ...rateLimitCases,
  ...consumerCases,
  ...orderValueCases,
  ...fieldFaultCases,
  ...pouchCases,
  ...orderAnswerCases,
  ...readCases,
  ...storageCases,
  ...listCases,
  ...timelineCases,
};

for (const id of assumptionIds) {
  const { question, choices }: Assumption = assumptionRegister[id];
  const ofChoice: Readonly<Record<string, Case | undefined>> = cases[id];
  describe(`${id}: ${question}`, () => {
    test.each(choices)('%s: %s', (choice) => ofChoice[choice]?.(testSachet({ assumptions: { [id]: choice } })));
  });
}

test('the state with each choice can be imported', async () => {
  const rounds = Math.max(...assumptionIds.map((id) => assumptionRegister[id].choices.length));
  for (let round = 0; round < rounds; round += 1) {
    const choices = assumptionIds.map((id) => {
      const { choices: all }: Assumption = assumptionRegister[id];
      return [id, all[round % all.length]?.[0]];
    });
    const sachet = testSachet({ assumptions: Object.fromEntries(choices) });
    const order = { ...validOrder, consumer: newConsumer };
    expect((await (await sachet.login()).post('/v2/orders', order)).status).toBeLessThan(300);
    await expectImportable(sachet);
  }
});
