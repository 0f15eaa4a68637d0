// Whether a scenario's data fits the fixtures: every record is whole after its patch, and every reference holds.
import type { ScenarioFile } from './admin/scenario-file.ts';
import { type FileFault, quoted } from './file-faults.ts';
import type { Fixtures, Origin, Origins } from './fixtures.ts';
import { parseFile } from './parse-file.ts';
import { patchRecord } from './record-patch.ts';
import { type CollectionName, collectionNames, collections } from './records.ts';
import { faultyReferences } from './references.ts';

interface Identified {
  readonly id: string;
}

/**
 * Every fault of a scenario's data in these fixtures; references are looked at once all records are whole.
 * @param file what to call the scenario's file in a fault.
 */
export function scenarioFaults(
  { name, data = {} }: Pick<ScenarioFile, 'data'> & { readonly name: string },
  fixtures: Fixtures,
  file = `${name}.json`,
): FileFault[] {
  if (Object.keys(data).length === 0) return [];
  const fit = new Fit(file);
  const changed = collectionNames.map((collection) => [
    collection,
    fit.patched(collection, fixtures[collection], data[collection] ?? []),
  ]);
  if (fit.faults.length > 0) return fit.faults;
  return faultyReferences({ ...fixtures, ...Object.fromEntries(changed) }, fit.origins);
}

class Fit {
  readonly faults: FileFault[] = [];
  /** A record that the patches leave alone and that no longer holds is told by its id: the patches must have done it. */
  readonly origins: Origins = {
    get: (record) => this.#origins.get(record) ?? { file: this.#file, path: `$.data → ${(record as Identified).id}` },
  };
  readonly #origins = new Map<object, Origin>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The records of a collection after the patches that are good. */
  patched(
    collection: CollectionName,
    former: readonly Identified[],
    patches: readonly Identified[],
  ): readonly Identified[] {
    const records = new Map(former.map((record) => [record.id, record]));
    const seen = new Set<string>();
    for (const [index, patch] of patches.entries()) {
      const origin = { file: this.#file, path: `$.data.${collection}[${index}]` };
      if (seen.has(patch.id)) this.#idFault(origin, patch, `an id not used before in data.${collection}`);
      else this.#apply(collection, records, patch, origin);
      seen.add(patch.id);
    }
    return [...records.values()];
  }

  #apply(collection: CollectionName, records: Map<string, Identified>, patch: Identified, origin: Origin): void {
    const former = records.get(patch.id);
    const content = former ? patchRecord(collection, former, patch) : patch;
    const { data, faults } = parseFile(collections[collection], { name: origin.file, content }, origin.path);
    if (data) {
      records.set(patch.id, data);
      this.#origins.set(data, origin);
      return;
    }
    if (!former) this.#idFault(origin, patch, `the id of a record in ${collection}, or a whole new record`);
    this.faults.push(...faults);
  }

  #idFault({ file, path }: Origin, { id }: Identified, expected: string): void {
    this.faults.push({ file, path: `${path}.id`, found: quoted(id), expected });
  }
}
