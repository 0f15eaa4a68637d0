// What a state document must hold as a whole, beyond its form: references, ids, places and counters that agree with one another.
import type { Lever } from '../contract/admin/lever.ts';
import type { StateDocument } from '../contract/admin/state.ts';
import { type FileFault, quoted } from '../contract/file-faults.ts';
import type { Origins } from '../contract/fixtures.ts';
import { type CollectionName, collectionNames } from '../contract/records.ts';
import { faultyReferences } from '../contract/references.ts';
import type { RowOf, TableName } from '../domain/world.ts';
import { tableNames, unboundedTables } from '../state/root.ts';

/** The rows of a table, oldest first. */
export function rowsOf<Name extends TableName>({ data, ...own }: StateDocument, name: Name): readonly RowOf<Name>[] {
  return ({ ...data, ...own }[name] ?? []) as unknown as readonly RowOf<Name>[];
}

/** The sequence numbers of a table's rows, where they are told. */
export const sequencesOf = ({ sequences }: StateDocument, name: TableName): readonly number[] | undefined =>
  sequences?.[name];

/** Every fault; a document without any can be imported. */
export const stateFaults = (document: StateDocument, maxRecords: number): FileFault[] => [
  ...tableNames.flatMap((name) => placeFaults(document, name, maxRecords)),
  ...faultyReferences(document.data, originsOf(document)),
  ...repeatedIds('spent_refresh_tokens', document.spent_refresh_tokens),
  ...repeatedIds('levers', document.levers),
  ...repeatedIds('due_steps', rowsOf(document, 'due_steps')),
  ...repeatedIds('tracking', rowsOf(document, 'tracking')),
  ...strayRows(document, 'due_steps', ['orders', 'fulfillments']),
  ...strayRows(document, 'tracking', ['fulfillments']),
  ...document.levers.flatMap(leverFaults),
  ...scenarioFaults(document),
  ...generationFaults(document),
];

const fault = (path: string, found: string, expected: string): FileFault => ({
  file: '',
  path: `$.${path}`,
  found,
  expected,
});

/** No more rows than the sandbox may hold, each in a place of its own, and the next one behind them all. */
function placeFaults(document: StateDocument, name: TableName, maxRecords: number): FileFault[] {
  const { length } = rowsOf(document, name);
  const sequences = sequencesOf(document, name) ?? Array.from({ length }, (_, index) => index);
  const faults: FileFault[] = [];
  if (length > maxRecords && !unboundedTables.includes(name))
    faults.push(fault(`data.${name}`, `${length} records`, `at most ${maxRecords}`));
  if (sequences.length !== length)
    faults.push(fault(`sequences.${name}`, `${sequences.length} numbers`, `as many as there are rows: ${length}`));
  const early = sequences.findIndex((sequence, index) => sequence <= (sequences[index - 1] ?? -1));
  if (early >= 0)
    faults.push(fault(`sequences.${name}[${early}]`, quoted(sequences[early]), 'a number above the one before it'));
  const next = Math.max(0, (sequences.at(-1) ?? -1) + 1);
  const counter = document.counters[name] ?? 0;
  if (counter < next)
    faults.push(fault(`counters.${name}`, quoted(counter), `at least ${next}, the next sequence number`));
  return faults;
}

/** Where each record stands; found out when one has a fault. */
function originsOf(document: StateDocument): Origins {
  let places: Map<object, string> | undefined;
  return {
    get: (record) => {
      places ??= placesOf(document);
      return { file: '', path: `$.data.${places.get(record)}` };
    },
  };
}

function placesOf({ data }: StateDocument): Map<object, string> {
  const places = new Map<object, string>();
  for (const name of collectionNames)
    for (const [index, record] of data[name].entries()) places.set(record, `${name}[${index}]`);
  return places;
}

function repeatedIds(name: TableName, rows: readonly { readonly id: string }[]): FileFault[] {
  const expected = `an id not used before in ${name}`;
  return repeated(rows.map(({ id }) => id)).map(([index, id]) => fault(`${name}[${index}].id`, quoted(id), expected));
}

/** Those texts that stand before, too, each with its place. */
function repeated(texts: readonly string[]): [index: number, text: string][] {
  const seen = new Set<string>();
  return [...texts.entries()].filter(([, text]) => seen.size === seen.add(text).size);
}

/** Rows that belong to a record of the same id. */
function strayRows(
  document: StateDocument,
  name: 'due_steps' | 'tracking',
  owners: readonly CollectionName[],
): FileFault[] {
  const ids = new Set(owners.flatMap((owner) => document.data[owner].map(({ id }) => id)));
  const expected = `the id of a record in ${owners.join(' or ')}`;
  return rowsOf(document, name).flatMap(({ id }, index) =>
    ids.has(id) ? [] : [fault(`${name}[${index}].id`, quoted(id), expected)],
  );
}

/** A lever's id is its name and its scenario; of one name the last is in force and hides the others. */
function leverFaults({ id, name, scenario, hidden }: Lever, index: number, all: readonly Lever[]): FileFault[] {
  const composed = scenario === null ? name : `${name}@${scenario}`;
  const isHidden = all.slice(index + 1).some((later) => later.name === name);
  const faults: FileFault[] = [];
  if (id !== composed) faults.push(fault(`levers[${index}].id`, quoted(id), quoted(composed)));
  if (hidden !== isHidden)
    faults.push(fault(`levers[${index}].hidden`, quoted(hidden), `${isHidden}: of one name the last is in force`));
  return faults;
}

/** A scenario is applied once, and a lever's scenario is one that is applied. */
function scenarioFaults({ scenarios, levers }: StateDocument): FileFault[] {
  const names = scenarios.map(({ name }) => name);
  const again = repeated(names).map(([index, name]) =>
    fault(`scenarios[${index}].name`, quoted(name), 'a scenario not applied before'),
  );
  const applied = new Set(names);
  const strays = levers.flatMap(({ scenario }, index) =>
    scenario === null || applied.has(scenario)
      ? []
      : [fault(`levers[${index}].scenario`, quoted(scenario), 'the name of a scenario that is applied, or null')],
  );
  return [...again, ...strays];
}

/** What is expired was issued: else no token or label would ever be good again. */
function generationFaults({ generations, expired }: StateDocument): FileFault[] {
  return (['tokens', 'labels'] as const)
    .filter((what) => expired[what] > generations[what])
    .map((what) =>
      fault(`expired.${what}`, quoted(expired[what]), `at most generations.${what}: ${generations[what]}`),
    );
}
