// The schemas of operations, built once per combination of the choices that they depend on: a search tries thousands of
// combinations, and most of them differ in choices that a schema does not read.
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { AssumptionId } from '../contract/assumptions.ts';
import type { Schema } from '../contract/operation.ts';
import { Assumptions } from '../contract/resolved-assumptions.ts';

interface Cache {
  /** The assumptions that the schema read so far. */
  readonly ids: Set<AssumptionId>;
  readonly built: LRUCache<string, { readonly schema: z.ZodType; readonly trace: Assumptions }>;
}
const caches = new WeakMap<Schema, Cache>();

/** The schema under these assumptions. Those that it reads count as used. */
export function schemaOf(schema: Schema, assumptions: Assumptions): z.ZodType {
  const { ids, built } = caches.get(schema) ?? { ids: new Set(), built: new LRUCache({ max: 500 }) };
  caches.set(schema, { ids, built });
  const { choices, administrationTimes } = assumptions;
  const times = choices.time_of_administration === 'closed' ? administrationTimes : [];
  const key = () => JSON.stringify([times, ...Array.from(ids, (id) => choices[id])]);
  const build = (trace: Assumptions) => ({ schema: schema(trace), trace });
  const one = built.get(key()) ?? build(new Assumptions(choices, administrationTimes));
  // Another choice may make it read more assumptions. Shorter keys are not found again.
  for (const id of one.trace.used) ids.add(id);
  built.set(key(), one);
  assumptions.addUsed(one.trace);
  return one.schema;
}
