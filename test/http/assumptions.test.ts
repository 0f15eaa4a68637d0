// Every choice of every assumption, as a client sees it. The cases are in test/cases/assumptions; a missing case does not compile.
import { describe, expect, test } from 'vitest';
import { type Assumption, assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
import { accessCases } from '../cases/assumptions/access.ts';
import type { Case, Cases } from '../cases/assumptions/choices.ts';
import { orderRequestCases } from '../cases/assumptions/order-requests.ts';
import { rejectionCases } from '../cases/assumptions/rejections.ts';
import { responseCases } from '../cases/assumptions/responses.ts';
import { roundsOfChoices } from '../cases/common.ts';
import { newConsumer, validOrder } from '../cases/requests.ts';
import { expectImportable } from '../support/importable.ts';
import { testSachet } from '../support/sachet.ts';

const cases: Cases = { ...accessCases, ...orderRequestCases, ...rejectionCases, ...responseCases };

for (const id of assumptionIds) {
  const { question, choices }: Assumption = assumptionRegister[id];
  const ofChoice: Readonly<Record<string, Case | undefined>> = cases[id];
  describe(`${id}: ${question}`, () => {
    test.each(choices)('%s: %s', (choice) => ofChoice[choice]?.(testSachet({ assumptions: { [id]: choice } })));
  });
}

test('the state with each choice can be imported', async () => {
  for (const assumptions of roundsOfChoices) {
    const sachet = testSachet({ assumptions });
    const order = { ...validOrder, consumer: newConsumer };
    expect((await (await sachet.login()).post('/v2/orders', order)).status).toBeLessThan(300);
    await expectImportable(sachet);
  }
});
