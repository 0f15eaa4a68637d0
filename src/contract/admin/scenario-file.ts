// A scenario file: what it sets, why, and what a right client then does. The file's name is its id.
import { z } from 'zod';
import { collectionNames } from '../records.ts';
import { bounds } from './bounds.ts';
import { clockPatch } from './clock.ts';
import { count } from './count.ts';
import { fault } from './faults.ts';
import { match } from './match.ts';
import { readingsPatch } from './readings-patch.ts';
import { switchesSet } from './switches.ts';

/** The rules of the conduct report (product.md). */
const conductRules = [
  'token_reuse',
  'refresh_on_401',
  'no_dead_token',
  'retry_after',
  'backoff_on_500',
  'cursor_to_the_end',
  'cursor_opaque',
  'fresh_label',
  'no_double_submit',
  'needs_changes',
  'no_refused_repeat',
  'documented_fields',
] as const;

/** A merge patch (RFC 7396) of the record with this id, or a new record. */
const recordPatch = z.looseObject({ id: z.string().min(1) });

export const scenarioFile = z.strictObject({
  intent: z.string().min(1),
  switches: switchesSet.optional(),
  faults: z.array(fault).max(bounds.levers).optional(),
  assumptions: readingsPatch.optional(),
  clock: clockPatch.optional(),
  data: z
    .strictObject(Object.fromEntries(collectionNames.map((name) => [name, z.array(recordPatch).min(1).optional()])))
    .optional(),
  right_client: z.string().min(1),
  expect: z.array(z.strictObject({ match, count })).optional(),
  conduct: z.array(z.enum(conductRules)).optional(),
});
export type ScenarioFile = z.output<typeof scenarioFile>;
