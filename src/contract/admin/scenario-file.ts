// A scenario file: what it sets, why, and what a right client then does. The file's name is its id.
import { z } from 'zod';
import { collectionNames } from '../records.ts';
import { bounds } from './bounds.ts';
import { clockPatch } from './clock.ts';
import { expectation } from './count.ts';
import { fault } from './faults.ts';
import { choicesPatch } from './readings-patch.ts';
import { conductRuleId } from './report.ts';
import { switchesSet } from './switches.ts';

/** A merge patch (RFC 7396) of the record with this id, or a new record. */
const recordPatch = z.looseObject({ id: z.string().min(1) });

export const scenarioFile = z.strictObject({
  intent: z.string().min(1),
  switches: switchesSet.optional(),
  faults: z.array(fault).max(bounds.overrides).optional(),
  assumptions: choicesPatch.optional(),
  clock: clockPatch.optional(),
  data: z
    .strictObject(Object.fromEntries(collectionNames.map((name) => [name, z.array(recordPatch).min(1).optional()])))
    .optional(),
  right_client: z.string().min(1),
  expect: z.array(expectation).optional(),
  conduct: z.array(conductRuleId).optional(),
});
export type ScenarioFile = z.output<typeof scenarioFile>;
