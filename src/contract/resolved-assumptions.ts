// The choices in force: checked, completed with the defaults, and interned, so that caches can be keyed by identity.
// Every read of an assumption is recorded, so that an answer can say which assumptions shaped it.
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import {
  type AssumptionId,
  assumptionIds,
  assumptionRegister,
  type Choice,
  type Choices,
  profiles,
} from './assumptions.ts';
import { didYouMean } from './nearest.ts';

/**
 * An unknown assumption, choice or profile. The message names those that exist.
 * @example createSachet({ profile: 'lax' }); // UnknownChoiceError: Unknown profile "lax". Use one of: default, strict
 */
export class UnknownChoiceError extends Error {
  override readonly name = 'UnknownChoiceError';
}

/** An evicted combination is only built again. */
const interned = new LRUCache<string, Choices>({ max: 256 });

/** The first choice of each assumption. */
const defaultChoices = Object.fromEntries(
  assumptionIds.map((id) => [id, assumptionRegister[id].choices[0][0]]),
) as unknown as Choices;

/** Returns one frozen object per combination of choices. */
export function internChoices(choices: Choices): Choices {
  const key = assumptionIds.map((id) => choices[id]).join('|');
  const result = interned.get(key) ?? (Object.isFrozen(choices) ? choices : Object.freeze({ ...choices }));
  interned.set(key, result);
  return result;
}

/** Stored choices, with the default for each assumption that did not exist when they were stored. */
export const storedChoices = (choices: Partial<Choices>): Choices => internChoices({ ...defaultChoices, ...choices });

/**
 * Completes choices with those of a config, a profile and the defaults, in this order.
 * @throws UnknownChoiceError for a profile, assumption or choice that the register does not have.
 * @example resolveChoices({ next_cursor: 'meta' }, 'strict')
 */
export function resolveChoices(
  choices: Readonly<Record<string, string | undefined>> = {},
  profile = 'default',
  configured: Readonly<Record<string, string | undefined>> = {},
): Choices {
  if (!Object.hasOwn(profiles, profile)) {
    throw new UnknownChoiceError(`Unknown profile "${profile}". Use one of: ${Object.keys(profiles).join(', ')}`);
  }
  const resolved: Record<string, string> = { ...defaultChoices, ...profiles[profile as keyof typeof profiles] };
  for (const [id, choice] of [...Object.entries(configured), ...Object.entries(choices)]) {
    if (choice === undefined) continue;
    checkChoice(id, choice);
    resolved[id] = choice;
  }
  return internChoices(resolved as unknown as Choices);
}

function checkChoice(id: string, choice: string): void {
  if (!Object.hasOwn(assumptionRegister, id))
    throw new UnknownChoiceError(
      `Unknown assumption "${id}".${didYouMean(id, assumptionIds)} Use one of: ${assumptionIds.join(', ')}`,
    );
  const names: readonly string[] = assumptionRegister[id as AssumptionId].choices.map(([name]) => name);
  if (!names.includes(choice))
    throw new UnknownChoiceError(
      `Unknown choice "${choice}" of the assumption ${id}.${didYouMean(choice, names)} Use one of: ${names.join(', ')}`,
    );
}

export const isDefaultChoice = (id: AssumptionId, choice: string): boolean =>
  assumptionRegister[id].choices[0][0] === choice;

/** The choices that differ from the defaults, in the register's order. */
export const nonDefaultChoices = (choices: Choices): Partial<Choices> =>
  Object.fromEntries(assumptionIds.filter((id) => !isDefaultChoice(id, choices[id])).map((id) => [id, choices[id]]));

/** The same in the form of `--assume`: `next_cursor=meta,list_order=oldest_first`. */
export const choicesText = (choices: Choices): string =>
  Object.entries(nonDefaultChoices(choices))
    .map(([id, choice]) => `${id}=${choice}`)
    .join(',');

const internedTimes = new LRUCache<string, { readonly values: readonly string[] }>({ max: 256 });

/** Returns one object per distinct list, so that sandboxes loaded from a store share their schemas. */
export function internTimes(times: { readonly values: readonly string[] }): { readonly values: readonly string[] } {
  const key = JSON.stringify(times.values);
  const result = internedTimes.get(key) ?? Object.freeze({ values: Object.freeze([...times.values]) });
  internedTimes.set(key, result);
  return result;
}

/** Bit operations take 32 bits, and the register has more assumptions: the rest have their bits in a second number. */
const lowBits = 30;
const bitOf = Object.fromEntries(assumptionIds.map((id, bit) => [id, bit])) as Record<AssumptionId, number>;

/** By the bits of the assumptions used. */
const internedTraces = new WeakMap<Choices, Map<number, Assumptions>>();

/** The choices in force for one request, and which of them were used. */
export class Assumptions {
  readonly choices: Choices;
  /** The fixtures' values of time_of_administration, for its choice `closed`. */
  readonly administrationTimes: readonly string[];
  #low = 0;
  #high = 0;
  #text: string | undefined;

  constructor(choices: Choices, administrationTimes: readonly string[]) {
    this.choices = choices;
    this.administrationTimes = administrationTimes;
  }

  /** The choice in force. Counts as use of the assumption. */
  get<Id extends AssumptionId>(id: Id): Choice<Id> {
    const bit = bitOf[id];
    if (bit < lowBits) this.#low |= 1 << bit;
    else this.#high |= 1 << (bit - lowBits);
    return this.choices[id];
  }

  /** Counts the assumptions that the other one used as used here, too. */
  addUsed(other: Assumptions): void {
    this.#low |= other.#low;
    this.#high |= other.#high;
  }

  get used(): ReadonlySet<AssumptionId> {
    return new Set(
      assumptionIds.filter(
        (_, bit) => ((bit < lowBits ? this.#low >>> bit : this.#high >>> (bit - lowBits)) & 1) === 1,
      ),
    );
  }

  /** The same choices with the same used ones: one object for all requests alike, for the journal to keep. */
  get interned(): Assumptions {
    const key = this.#low + this.#high * 2 ** lowBits;
    let byKey = internedTraces.get(this.choices);
    if (!byKey) {
      byKey = new Map();
      internedTraces.set(this.choices, byKey);
    }
    const found = byKey.get(key);
    if (found?.administrationTimes === this.administrationTimes) return found;
    const interned = new Assumptions(this.choices, this.administrationTimes);
    interned.addUsed(this);
    byKey.set(key, interned);
    return interned;
  }

  /** The used choices in the register's order: `id=choice, …`. */
  asText(): string {
    const { interned } = this;
    interned.#text ??= Array.from(interned.used, (id) => `${id}=${this.choices[id]}`).join(', ');
    return interned.#text;
  }
}

/**
 * Wraps a function so that it runs once per distinct assumptions. The assumptions that it used count as used at every
 * call. The cache is weak: it does not outlive the choices and lists that its results are built from.
 */
export function perAssumptions<T>(build: (assumptions: Assumptions) => T): (assumptions: Assumptions) => T {
  const cache = new WeakMap<Choices, WeakMap<readonly string[], { readonly result: T; readonly trace: Assumptions }>>();
  return (assumptions) => {
    const { choices, administrationTimes: times } = assumptions;
    let built = cache.get(choices)?.get(times);
    if (!built) {
      const trace = new Assumptions(choices, times);
      built = { result: build(trace), trace };
      cache.set(choices, (cache.get(choices) ?? new WeakMap()).set(times, built));
    }
    assumptions.addUsed(built.trace);
    return built.result;
  };
}

const compiledSchemas = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema with the fast path that zod generates for valid values. If zod cannot generate code, it takes the
 * ordinary path. Make documents from the original: a compiled schema has no metadata.
 * @example compileOnce(orderRequest(assumptions)).safeParse(body, { reportInput: true })
 */
export function compileOnce(schema: z.ZodType): z.ZodType {
  const compiled = compiledSchemas.get(schema) ?? z.compile(schema);
  compiledSchemas.set(schema, compiled);
  return compiled;
}
