// A scenario file: what it sets, why, and what a right client then does. The file's name is its id.
import { z } from 'zod';
import { sandboxName } from './addresses.ts';
import { bounds } from './control/bounds.ts';
import { clockPatch } from './control/clock.ts';
import { expectation } from './control/match.ts';
import { choicesPatch } from './control/overrides.ts';
import { conductRuleId } from './control/report.ts';
import { fault, switchesSet } from './control/switches.ts';
import { type FileFault, jsonPath, quoted, ScenariosError } from './file-errors.ts';
import { type FixtureFile, parseFile } from './fixtures.ts';
import { collectionNames } from './records.ts';

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

// What JSON.parse lets through and no file may hold: keys that reach for a prototype, endless nesting, endless lists.

/** How deep a file's values may be nested, and how many there may be. */
const soundness = { depth: 64, values: 100_000 } as const;

const reaching = ['__proto__', 'constructor', 'prototype'];

export interface Sounded {
  readonly faults: readonly FileFault[];
  /** The content without the refused keys, so that the rest can be checked. */
  readonly content: unknown;
  /** Whether it was walked through to its end; else no schema is to look at it. */
  readonly isBounded: boolean;
}

/** Looks through a file's content before any schema does. */
export function sound({ name, content }: FixtureFile): Sounded {
  const walk = new Walk(name);
  const copy = walk.copy(content, []);
  return { faults: walk.faults, content: copy, isBounded: walk.isBounded };
}

class Walk {
  readonly faults: FileFault[] = [];
  isBounded = true;
  readonly #file: string;
  #values = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** The value without the refused keys. Goes no deeper than the bound, so it may call itself. */
  copy(value: unknown, path: readonly PropertyKey[]): unknown {
    this.#values += 1;
    if (this.#values > soundness.values) return this.#exceeds();
    if (typeof value !== 'object' || value === null) return value;
    if (path.length >= soundness.depth) return this.#tooDeep(path);
    if (Array.isArray(value)) return this.#items(value, path);
    return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => this.#field(key, item, path)));
  }

  #items(items: readonly unknown[], path: readonly PropertyKey[]): unknown[] {
    const copies: unknown[] = [];
    for (const [index, item] of items.entries()) {
      if (this.#values > soundness.values) break;
      copies.push(this.copy(item, [...path, index]));
    }
    return copies;
  }

  #field(key: string, value: unknown, path: readonly PropertyKey[]): [string, unknown][] {
    if (!reaching.includes(key)) return [[key, this.copy(value, [...path, key])]];
    this.#fault(path, `the key ${quoted(key)}`, `no key called ${reaching.join(', ')}`);
    return [];
  }

  /** Told once, however many there are. */
  #exceeds(): undefined {
    if (this.#values === soundness.values + 1)
      this.#fault([], `more than ${soundness.values} values`, `at most ${soundness.values}, nested ones included`);
    this.isBounded = false;
  }

  #tooDeep(path: readonly PropertyKey[]): undefined {
    this.#fault(path, `values nested more than ${soundness.depth} deep`, `at most ${soundness.depth} levels`);
    this.isBounded = false;
  }

  #fault(path: readonly PropertyKey[], found: string, expected: string): void {
    this.faults.push({ file: this.#file, path: jsonPath(path), found, expected });
  }
}

// Scenario files: the file's base name is the scenario's name, and what stands in it must be sound before a schema looks at it.

/**
 * A scenario as its file describes it, and its name.
 * @example const down: Scenario = { name: 'down', intent: 'Nothing answers.', switches: { maintenance: { for_seconds: 60 } }, right_client: 'Waits.' };
 */
export type Scenario = ScenarioFile & { readonly name: string };

/**
 * Scenarios from files, in their order.
 * @throws ScenariosError with every fault of every file.
 * @example readScenarios([{ name: 'scenarios/no-pag.json', content: JSON.parse(text) }, …])
 */
export function readScenarios(files: readonly FixtureFile[]): Scenario[] {
  const origins = new Map<string, string>();
  const faults: FileFault[] = [];
  const scenarios = files.flatMap((file) => {
    const name = nameOf(file.name);
    faults.push(...nameFaults(file.name, name, origins));
    origins.set(name, file.name);
    const read = readScenario(file);
    faults.push(...read.faults);
    return read.data ? [{ ...read.data, name }] : [];
  });
  if (faults.length > 0) throw new ScenariosError(faults);
  return scenarios;
}

/** What stands behind the last slash, without `.json`; of the form that sandboxes' names have. */
const nameOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.json$/, '');

function nameFaults(file: string, name: string, origins: ReadonlyMap<string, string>): FileFault[] {
  const fault = (found: string, expected: string) => [{ file, path: '$', found, expected }];
  if (!file.endsWith('.json') || !sandboxName.test(name))
    return fault(
      `the file name ${quoted(file.split('/').at(-1))}`,
      'one such as token-expiry.json: lower-case letters, digits, ".", "_", "-", at most 63',
    );
  const former = origins.get(name);
  return former === undefined ? [] : fault(`another one in ${former}`, 'each scenario in one file only');
}

function readScenario(file: FixtureFile): { readonly data?: ScenarioFile; readonly faults: readonly FileFault[] } {
  const { content, faults, isBounded } = sound(file);
  if (!isBounded) return { faults };
  const parsed = parseFile(scenarioFile, { name: file.name, content });
  if (parsed.faults) return { faults: [...faults, ...parsed.faults] };
  return { data: parsed.data, faults: [...faults, ...repeatedFaults(file.name, parsed.data)] };
}

/** A scenario's own faults each have an id of their own, where they have one. */
function repeatedFaults(file: string, { faults = [] }: ScenarioFile): FileFault[] {
  const ids = faults.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    if (id === undefined || ids.indexOf(id) === index) return [];
    return [{ file, path: `$.faults[${index}].id`, found: quoted(id), expected: 'an id not used before in faults' }];
  });
}

// Scenarios picked by name, as options name them.

/**
 * A scenario that there is none of. The message names what there is.
 * @example createSachet({ scenario: 'no-pga' }); // UnknownScenarioError: unknown scenario "no-pga"; there are: …
 */
export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
}

/** @throws UnknownScenarioError for a name that none of them has. */
export function chooseScenarios(all: readonly Scenario[] = [], names: readonly string[] = []): Scenario[] {
  return [...new Set(names)].map((name) => {
    const found = all.find((scenario) => scenario.name === name);
    if (found) return found;
    const others = all.map((scenario) => scenario.name).join(', ') || 'none';
    throw new UnknownScenarioError(`unknown scenario "${name}"; there are: ${others}`);
  });
}
