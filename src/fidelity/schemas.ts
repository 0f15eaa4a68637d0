// The schemas of operations, built once per combination of the choices that they depend on: a search tries thousands of
// combinations, and most of them differ in choices that a schema does not read.
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { AssumptionId } from '../contract/assumptions.ts';
import type { Schema } from '../contract/operation.ts';
import { Assumptions } from '../contract/resolved-assumptions.ts';

interface Built {
  readonly schema: z.ZodType;
  readonly trace: Assumptions;
}

const used = new WeakMap<Schema, Set<AssumptionId>>();
const caches = new WeakMap<Schema, LRUCache<string, Built>>();

/** The schema under these assumptions. Those that it reads count as used. */
export function schemaOf(schema: Schema, assumptions: Assumptions): z.ZodType {
  const ids = used.get(schema) ?? new Set<AssumptionId>();
  const cache = caches.get(schema) ?? new LRUCache<string, Built>({ max: 500 });
  used.set(schema, ids);
  caches.set(schema, cache);
  const { choices, administrationTimes } = assumptions;
  const times = choices.time_of_administration === 'closed' ? administrationTimes : [];
  const key = () => JSON.stringify([times, ...Array.from(ids, (id) => choices[id])]);
  let built = cache.get(key());
  if (!built) {
    const trace = new Assumptions(choices, administrationTimes);
    built = { schema: schema(trace), trace };
    // Another choice may make it read more assumptions. Shorter keys are not found again.
    for (const id of trace.used) ids.add(id);
    cache.set(key(), built);
  }
  assumptions.addUsed(built.trace);
  return built.schema;
}
