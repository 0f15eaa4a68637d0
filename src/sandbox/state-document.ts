// The whole state of a sandbox as one document: exported from one, imported into the same or another. What stays a sandbox's own is
// its name, environment, keys, history, snapshots and journal.

import type { Override } from '../contract/control/overrides.ts';
import type { StateDocument } from '../contract/control/state.ts';
import { refuseFaults } from '../contract/control/switches.ts';
import { type FileFault, quoted } from '../contract/file-errors.ts';
import type { Origins } from '../contract/fixtures.ts';
import { faultyReferences } from '../contract/fixtures.ts';
import { type CollectionName, collectionNames, singleNames } from '../contract/records.ts';
import { resolveChoices } from '../contract/resolved-assumptions.ts';
import type { RowOf, TableName } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { type Generations, tableNames, unboundedTables } from '../state/values.ts';
import { applyChoices } from './assumptions.ts';
import { setSingle } from './record-writes.ts';
import { beginLife } from './snapshots.ts';

// What a state document must hold as a whole, beyond its form: references, ids, places and counters that agree with one another.

/** The rows of a table, oldest first. */
function rowsOf<Name extends TableName>({ data, ...own }: StateDocument, name: Name): readonly RowOf<Name>[] {
  return ({ ...data, ...own }[name] ?? []) as unknown as readonly RowOf<Name>[];
}

/** The sequence numbers of a table's rows, where they are told. */
const sequencesOf = ({ sequences }: StateDocument, name: TableName): readonly number[] | undefined => sequences?.[name];

/** Every fault; a document without any can be imported. */
const stateFaults = (document: StateDocument, maxRecords: number): FileFault[] => [
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
function leverFaults({ id, name, scenario, hidden }: Override, index: number, all: readonly Override[]): FileFault[] {
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

/** The state as one document; `now` is the sandbox's time. */
export function exportState(state: State, now: number): StateDocument {
  const rows = Object.fromEntries(
    tableNames.map((name) => [name, Array.from(state.table(name).entries(), ([, row]) => row)]),
  );
  const { spent_refresh_tokens, levers, due_steps, tracking, ...records } = rows as unknown as Rows;
  const singles = Object.fromEntries(singleNames.map((name) => [name, state.value(name)]));
  return {
    sachet_state: 1,
    sandbox: state.initial.identity.name,
    environment: state.initial.identity.environment,
    exported_at: new Date(now).toISOString(),
    data: { ...records, ...singles } as StateDocument['data'],
    ...sequencesIn(state),
    clock: state.value('clock'),
    assumptions: state.value('chosen'),
    scenarios: state.value('scenarios'),
    levers,
    spent_refresh_tokens,
    due_steps,
    tracking,
    counters: state.counters,
    generations: state.value('generations'),
    expired: state.value('expired'),
    rate_window: state.value('rate_window'),
  };
}

type Rows = { readonly [Name in TableName]: readonly RowOf<Name>[] };

/** The sequence numbers, of the tables where they are not 0, 1, 2 and so on. */
function sequencesIn(state: State): Pick<StateDocument, 'sequences'> {
  const numbered = tableNames.map((name) => [name, Array.from(state.table(name).entries(), ([seq]) => seq)] as const);
  const uneven = numbered.filter(([, sequences]) => sequences.some((sequence, index) => sequence !== index));
  return uneven.length > 0 ? { sequences: Object.fromEntries(uneven) } : {};
}

/**
 * Puts the document's state in place of the sandbox's own, which begins a new life with it.
 * @throws ControlRefusal 422 with every fault of what the document holds as a whole, the first fifty; nothing was written then.
 */
export function importState(state: State, document: StateDocument): void {
  refuseFaults(stateFaults(document, state.maxRecords));
  state.empty();
  for (const name of tableNames) putRows(state, name, document);
  for (const name of singleNames) setSingle(state, name, document.data[name]);
  state.setCounters(document.counters);
  state.setValue('clock', document.clock);
  state.setValue('chosen', resolveChoices(document.assumptions));
  state.setValue('scenarios', document.scenarios);
  state.setValue('generations', document.generations);
  state.setValue('expired', document.expired);
  state.setValue('rate_window', document.rate_window);
  applyChoices(state);
  raiseGenerations(state, document.generations);
  beginLife(state);
}

function putRows(state: State, name: TableName, document: StateDocument): void {
  const sequences = sequencesOf(document, name);
  for (const [index, row] of rowsOf(document, name).entries())
    state.table(name).place(sequences?.[index] ?? index, row);
}

/** A generation is never given twice, so the history knows the highest. */
function raiseGenerations(state: State, { tokens, labels }: Generations): void {
  const history = state.value('history');
  const { generations } = history;
  const highest = { tokens: Math.max(generations.tokens, tokens), labels: Math.max(generations.labels, labels) };
  state.setValue('history', { ...history, generations: highest });
}
