// Chosen readings: checked, completed with the defaults, and interned, so that what is built from them can be kept by identity.
import { LRUCache } from 'lru-cache';
import { type AssumptionId, assumptionIds, assumptions, profiles, type Readings } from './assumptions.ts';

/**
 * A reading, assumption or profile that the register does not have. The message names what it has.
 * @example createSachet({ profile: 'lax' }); // UnknownReadingError: unknown profile "lax"; there are: default, strict
 */
export class UnknownReadingError extends Error {
  override readonly name = 'UnknownReadingError';
}

/** A combination that is evicted is only built again. */
const interned = new LRUCache<string, Readings>({ max: 256 });
const known = new WeakSet<object>();

/** Keeps one object per distinct combination of readings. */
export function internReadings(readings: Readings): Readings {
  if (known.has(readings)) return readings;
  const key = assumptionIds.map((id) => readings[id]).join('|');
  const kept = interned.get(key) ?? Object.freeze({ ...readings });
  known.add(kept);
  interned.set(key, kept);
  return kept;
}

/**
 * Readings from a profile and single choices; the rest by default.
 * @throws UnknownReadingError for a profile, assumption or reading that the register does not have.
 * @example chooseReadings({ next_cursor: 'meta' }, 'strict')
 */
export function chooseReadings(
  choices: Readonly<Record<string, string | undefined>> = {},
  profile = 'default',
): Readings {
  if (!Object.hasOwn(profiles, profile)) {
    throw new UnknownReadingError(`unknown profile "${profile}"; there are: ${Object.keys(profiles).join(', ')}`);
  }
  const chosen: Record<string, string> = {};
  for (const id of assumptionIds) chosen[id] = assumptions[id].readings[0][0];
  Object.assign(chosen, profiles[profile as keyof typeof profiles]);
  for (const [id, reading] of Object.entries(choices))
    if (reading !== undefined) chosen[checkedId(id)] = checkedReading(id, reading);
  return internReadings(chosen as unknown as Readings);
}

function checkedId(id: string): AssumptionId {
  if (Object.hasOwn(assumptions, id)) return id as AssumptionId;
  throw new UnknownReadingError(`unknown assumption "${id}"; there are: ${assumptionIds.join(', ')}`);
}

function checkedReading(id: string, reading: string): string {
  const names: readonly string[] = assumptions[checkedId(id)].readings.map(([name]) => name);
  if (names.includes(reading)) return reading;
  throw new UnknownReadingError(`assumption "${id}" has no reading "${reading}"; it has: ${names.join(', ')}`);
}

/** Whether a reading is the one that holds where nothing else is chosen. */
export const isDefaultReading = (id: AssumptionId, reading: string): boolean =>
  assumptions[id].readings[0][0] === reading;

/** The readings that are not the default ones, in the register's order. */
export const otherReadings = (readings: Readings): Partial<Readings> =>
  Object.fromEntries(assumptionIds.filter((id) => !isDefaultReading(id, readings[id])).map((id) => [id, readings[id]]));

/** The same as text, such as `--assume` takes: `next_cursor=meta,list_order=oldest_first`. */
export const readingsText = (readings: Readings): string =>
  Object.entries(otherReadings(readings))
    .map(([id, reading]) => `${id}=${reading}`)
    .join(',');
