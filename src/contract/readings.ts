// Chosen readings: checked, completed with the defaults, and interned, so that what is built from them can be kept by identity.
import { LRUCache } from 'lru-cache';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices, profiles } from './assumptions.ts';

/**
 * A reading, assumption or profile that the register does not have. The message names what it has.
 * @example createSachet({ profile: 'lax' }); // UnknownChoiceError: unknown profile "lax"; there are: default, strict
 */
export class UnknownChoiceError extends Error {
  override readonly name = 'UnknownReadingError';
}

/** A combination that is evicted is only built again. */
const interned = new LRUCache<string, Choices>({ max: 256 });
const known = new WeakSet<object>();

/** Keeps one object per distinct combination of readings. */
export function internChoices(choices: Choices): Choices {
  if (known.has(choices)) return choices;
  const key = assumptionIds.map((id) => choices[id]).join('|');
  const kept = interned.get(key) ?? Object.freeze({ ...choices });
  known.add(kept);
  interned.set(key, kept);
  return kept;
}

/**
 * Choices from a profile and single choices; the rest by default.
 * @throws UnknownChoiceError for a profile, assumption or reading that the register does not have.
 * @example resolveChoices({ next_cursor: 'meta' }, 'strict')
 */
export function resolveChoices(
  choices: Readonly<Record<string, string | undefined>> = {},
  profile = 'default',
): Choices {
  if (!Object.hasOwn(profiles, profile)) {
    throw new UnknownChoiceError(`unknown profile "${profile}"; there are: ${Object.keys(profiles).join(', ')}`);
  }
  const chosen: Record<string, string> = {};
  for (const id of assumptionIds) chosen[id] = assumptionRegister[id].choices[0][0];
  Object.assign(chosen, profiles[profile as keyof typeof profiles]);
  for (const [id, choice] of Object.entries(choices))
    if (choice !== undefined) chosen[checkedId(id)] = checkedChoice(id, choice);
  return internChoices(chosen as unknown as Choices);
}

function checkedId(id: string): AssumptionId {
  if (Object.hasOwn(assumptionRegister, id)) return id as AssumptionId;
  throw new UnknownChoiceError(`unknown assumption "${id}"; there are: ${assumptionIds.join(', ')}`);
}

function checkedChoice(id: string, choice: string): string {
  const names: readonly string[] = assumptionRegister[checkedId(id)].choices.map(([name]) => name);
  if (names.includes(choice)) return choice;
  throw new UnknownChoiceError(`assumption "${id}" has no reading "${choice}"; it has: ${names.join(', ')}`);
}

/** Whether a reading is the one that holds where nothing else is chosen. */
export const isDefaultChoice = (id: AssumptionId, choice: string): boolean =>
  assumptionRegister[id].choices[0][0] === choice;

/** The readings that are not the default ones, in the register's order. */
export const nonDefaultChoices = (choices: Choices): Partial<Choices> =>
  Object.fromEntries(assumptionIds.filter((id) => !isDefaultChoice(id, choices[id])).map((id) => [id, choices[id]]));

/** The same as text, such as `--assume` takes: `next_cursor=meta,list_order=oldest_first`. */
export const choicesText = (choices: Choices): string =>
  Object.entries(nonDefaultChoices(choices))
    .map(([id, choice]) => `${id}=${choice}`)
    .join(',');
