// Scenario files: what each sets, why, and what a correct client then does. The base name of the file is the scenario's
// name.
import { z } from 'zod';
import { sandboxName } from './addresses.ts';
import { bounds } from './control/bounds.ts';
import { clockPatch, durationText } from './control/clock.ts';
import { conductRuleId } from './control/conduct.ts';
import { expectation } from './control/match.ts';
import { requiredOutcome } from './control/outcomes.ts';
import { choicesPatch } from './control/overrides.ts';
import { fault, switchesSet } from './control/switches.ts';
import { type FileFault, jsonPath, quoted, ScenariosError } from './file-errors.ts';
import { type FixtureFile, type ParsedFile, parseFile } from './fixtures.ts';
import { collectionNames } from './records.ts';

/** A merge patch (RFC 7396) of the record with this id, or a new record. */
const recordPatch = z.looseObject({ id: z.string().min(1) });

const scenarioFile = z.strictObject({
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
  outcomes: z.array(requiredOutcome).optional(),
  /** `sachet certify` advances the clock by this duration after a round, and then asks for a last one. */
  advance: durationText.optional(),
});
type ScenarioFile = z.output<typeof scenarioFile>;

/**
 * A scenario as its file describes it, and its name.
 * @example
 * const down: Scenario = {
 *   name: 'down', intent: 'Nothing answers.', switches: { maintenance: { for_seconds: 60 } }, right_client: 'Waits.',
 * };
 */
export type Scenario = ScenarioFile & { readonly name: string };

/**
 * Scenarios from files, in their order.
 * @throws ScenariosError with every fault of every file.
 * @example readScenarios([{ name: 'scenarios/no-pag.json', content: JSON.parse(text) }, …])
 */
export function readScenarios(files: readonly FixtureFile[]): Scenario[] {
  const fileOf = new Map<string, string>();
  const faults: FileFault[] = [];
  const scenarios = files.flatMap((file) => {
    const baseName = file.name.split('/').at(-1) ?? '';
    const name = baseName.replace(/\.json$/, '');
    faults.push(...nameFaults(file.name, baseName, fileOf.get(name)));
    fileOf.set(name, file.name);
    const parsed = parseScenario(file);
    faults.push(...(parsed.faults ?? repeatedIds(file.name, parsed.data)));
    return parsed.data ? [{ ...parsed.data, name }] : [];
  });
  if (faults.length > 0) throw new ScenariosError(faults);
  return scenarios;
}

function nameFaults(file: string, baseName: string, sameNamed: string | undefined): FileFault[] {
  const fault = (found: string, expected: string) => [{ file, path: '$', found, expected }];
  if (!baseName.endsWith('.json') || !sandboxName.test(baseName.replace(/\.json$/, '')))
    return fault(
      `the file name ${quoted(baseName)}`,
      'one such as token-expiry.json: at most 63 lowercase letters, digits, ".", "_" and "-"',
    );
  return sameNamed === undefined ? [] : fault(`another one in ${sameNamed}`, 'each scenario in only one file');
}

function parseScenario(file: FixtureFile): ParsedFile<ScenarioFile> {
  const faults = unsafeValues(file);
  return faults.length > 0 ? { faults } : parseFile(scenarioFile, file);
}

/** The ids of a scenario's faults must differ. */
function repeatedIds(file: string, { faults = [] }: ScenarioFile): FileFault[] {
  const ids = faults.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    if (id === undefined || ids.indexOf(id) === index) return [];
    return [{ file, path: `$.faults[${index}].id`, found: quoted(id), expected: 'an id not used before in faults' }];
  });
}

const maxDepth = 64;
const maxValues = 100_000;
/** Merge patches must not reach a prototype. */
const forbiddenKeys: readonly PropertyKey[] = ['__proto__', 'constructor', 'prototype'];

const entriesOf = (value: object): Iterable<[PropertyKey, unknown]> =>
  Array.isArray(value) ? value.entries() : Object.entries(value);

/**
 * Faults that must be found before a schema walks the content: keys of prototypes, and nesting or lists without end.
 */
function unsafeValues({ name: file, content }: FixtureFile): FileFault[] {
  const faults: FileFault[] = [];
  let values = 0;
  const add = (path: readonly PropertyKey[], found: string, expected: string) =>
    faults.push({ file, path: jsonPath(path), found, expected });
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    values += 1;
    if (values > maxValues || typeof value !== 'object' || value === null) return;
    if (path.length >= maxDepth) {
      add(path, `values nested more than ${maxDepth} deep`, `at most ${maxDepth} levels`);
      return;
    }
    for (const [key, item] of entriesOf(value)) {
      if (forbiddenKeys.includes(key)) add(path, `the key ${quoted(key)}`, `no key called ${forbiddenKeys.join(', ')}`);
      else visit(item, [...path, key]);
    }
  };
  visit(content, []);
  if (values > maxValues) add([], `more than ${maxValues} values`, `at most ${maxValues}, nested ones included`);
  return faults;
}
