// Scenario files: the file's base name is the scenario's name, and what stands in it must be sound before a schema looks at it.
import { sandboxName } from './addresses.ts';
import { type ScenarioFile, scenarioFile } from './admin/scenario-file.ts';
import { type FileFault, quoted, ScenariosError } from './file-faults.ts';
import type { FixtureFile } from './fixtures.ts';
import { parseFile } from './parse-file.ts';
import { sound } from './soundness.ts';

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
