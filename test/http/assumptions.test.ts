// Every reading of every assumption, as a client meets it, and that the state behind it can be imported. The tables are in test/support/readings; one that is missing here
// does not compile.
import { describe, test } from 'vitest';
import { type Assumption, assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
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
  const ofReading: Readonly<Record<string, Case>> = cases[id];
  describe(`${id}: ${question}`, () => {
    test.each(choices)('%s: %s', async (choice) => {
      const show = ofReading[choice];
      if (!show) throw new Error('a reading has a case');
      const sachet = testSachet({ assumptions: { [id]: choice } });
      await show(sachet);
      await expectImportable(sachet);
    });
  });
}
