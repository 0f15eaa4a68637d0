// Chosen readings: checked, completed with the defaults, and interned, so that what is built from them can be kept by identity.
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

/**
 * A reading, assumption or profile that the register does not have. The message names what it has.
 * @example createSachet({ profile: 'lax' }); // UnknownChoiceError: unknown profile "lax"; there are: default, strict
 */
export class UnknownChoiceError extends Error {
  override readonly name = 'UnknownChoiceError';
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

// The terms of one request: the sandbox's readings and the fixtures' closed lists. Every asking is noted, so that an answer
// can say which assumptions shaped it. What is built from terms (schemas) is built once per distinct terms.

/** Assumptions asked for, as bits: the first thirty of the register, and the rest. */
interface Trace {
  readonly low: number;
  readonly high: number;
}

const lowBits = 30;
if (assumptionIds.length > 53) throw new Error('a trace keeps its bits in one safe integer');
const bitOf = Object.fromEntries(assumptionIds.map((id, bit) => [id, bit])) as Record<AssumptionId, number>;
const has = ({ low, high }: Trace, bit: number): boolean =>
  ((bit < lowBits ? low >>> bit : high >>> (bit - lowBits)) & 1) === 1;

/** The readings that hold for one request, with a trace of those that were asked for. */
export class Assumptions implements Trace {
  readonly choices: Choices;
  /** The fixtures' values of time_of_administration, for its reading `closed`. */
  readonly administrationTimes: readonly string[];
  low = 0;
  high = 0;

  constructor(choices: Choices, administrationTimes: readonly string[]) {
    this.choices = choices;
    this.administrationTimes = administrationTimes;
  }

  /** The chosen reading; the asking is noted. */
  get<Id extends AssumptionId>(id: Id): Choice<Id> {
    const bit = bitOf[id];
    if (bit < lowBits) this.low |= 1 << bit;
    else this.high |= 1 << (bit - lowBits);
    return this.choices[id];
  }

  /** Notes the askings of something built earlier. */
  note({ low, high }: Trace): void {
    this.low |= low;
    this.high |= high;
  }

  /** The same readings with the same trace: one object for all calls that have asked for the same, to be kept. */
  get kept(): Assumptions {
    const key = this.low + this.high * 2 ** lowBits;
    const ofReadings = traces.get(this.choices) ?? new Map<number, Assumptions>();
    const found = ofReadings.get(key);
    if (found?.administrationTimes === this.administrationTimes) return found;
    const kept = new Assumptions(this.choices, this.administrationTimes);
    kept.note(this);
    traces.set(this.choices, ofReadings.set(key, kept));
    return kept;
  }

  /** The assumptions asked for so far. */
  get asked(): ReadonlySet<AssumptionId> {
    return new Set(assumptionIds.filter((_, bit) => has(this, bit)));
  }

  /** The readings asked for so far, as `id=reading, …` in the register's order. */
  asText(): string {
    const ofReadings = texts.get(this.choices) ?? new Map<number, string>();
    const key = this.low + this.high * 2 ** lowBits;
    const kept = ofReadings.get(key);
    if (kept !== undefined) return kept;
    const made = [...this.asked].map((id) => `${id}=${this.choices[id]}`).join(', ');
    texts.set(this.choices, ofReadings.set(key, made));
    return made;
  }
}

/** The traces of calls: as many as there are ways through the code. */
const traces = new WeakMap<Choices, Map<number, Assumptions>>();
/** Their texts: as many as there are ways through the code. */
const texts = new WeakMap<Choices, Map<number, string>>();

const timesByContent = new LRUCache<string, { readonly values: readonly string[] }>({ max: 256 });

/** One object per distinct list, so that sandboxes that came out of a store share their schemas. */
export function internTimes(times: { readonly values: readonly string[] }): { readonly values: readonly string[] } {
  const key = JSON.stringify(times.values);
  const kept = timesByContent.get(key) ?? Object.freeze({ values: Object.freeze([...times.values]) });
  timesByContent.set(key, kept);
  return kept;
}

interface Built<T> {
  readonly made: T;
  readonly asked: Trace;
}

/**
 * A maker whose result is kept per distinct terms. What it asked while being built counts as asked at every use.
 * The cache is weak: it holds nothing longer than the readings and lists it was built from.
 */
export function perAssumptions<T>(build: (assumptions: Assumptions) => T): (assumptions: Assumptions) => T {
  const kept: Kept<T> = new WeakMap();
  return (assumptions) => {
    const found =
      kept.get(assumptions.choices)?.get(assumptions.administrationTimes) ?? buildAndKeep(kept, build, assumptions);
    assumptions.note(found.asked);
    return found.made;
  };
}

type Kept<T> = WeakMap<Choices, WeakMap<readonly string[], Built<T>>>;

function buildAndKeep<T>(kept: Kept<T>, build: (assumptions: Assumptions) => T, assumptions: Assumptions): Built<T> {
  const ofReadings = kept.get(assumptions.choices) ?? new WeakMap<readonly string[], Built<T>>();
  const built = buildOnce(build, assumptions);
  kept.set(assumptions.choices, ofReadings.set(assumptions.administrationTimes, built));
  return built;
}

function buildOnce<T>(build: (assumptions: Assumptions) => T, { choices, administrationTimes }: Assumptions): Built<T> {
  const trace = new Assumptions(choices, administrationTimes);
  const made = build(trace);
  return { made, asked: { low: trace.low, high: trace.high } };
}

// Schemas as requests are judged by them.

const compiledSchemas = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema with zod's generated fast path for good values; a wrong value, and a schema or a platform that zod generates no code for, takes the
 * ordinary path. A document is made of the original: a compiled schema has no metadata.
 * @example compiled(orderRequest(terms)).safeParse(body, { reportInput: true })
 */
export function compiled(schema: z.ZodType): z.ZodType {
  const found = compiledSchemas.get(schema) ?? z.compile(schema);
  compiledSchemas.set(schema, found);
  return found;
}
