// The whole state of a sandbox as one document: exported, and imported into the same or another sandbox. An import does
// not change the name, environment, keys, history, snapshots and journal of the sandbox.
import { refuseFaults } from '../contract/control/control-operation.ts';
import type { Override } from '../contract/control/overrides.ts';
import type { StateDocument } from '../contract/control/state.ts';
import { bodyFault, type FileFault, quoted, repetitions } from '../contract/file-errors.ts';
import { faultyReferences, type Origins } from '../contract/fixtures.ts';
import { collectionNames, singleNames } from '../contract/records.ts';
import { resolveChoices } from '../contract/resolved-assumptions.ts';
import type { RowOf, TableName } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { type Generations, ownTables, tableNames, unboundedTables } from '../state/values.ts';
import { applyChoices } from './overrides.ts';
import { setSingle } from './records.ts';
import { beginEpoch } from './snapshots.ts';

/** The values that a document has under the names of the state. */
const importedValues = [
  'clock',
  'scenarios',
  'observations',
  'generations',
  'expired',
  'rate_window',
  'rate_windows',
] as const;

/** The state as one document. `now` is the sandbox's time. */
export function exportState(state: State, now: number): StateDocument {
  const rows = Object.fromEntries(
    tableNames.map((name) => [name, Array.from(state.table(name).entries(), ([, row]) => row)]),
  );
  const { spent_refresh_tokens, levers, due_steps, tracking, ...records } = rows as unknown as {
    readonly [Name in TableName]: readonly RowOf<Name>[];
  };
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
    observations: state.value('observations'),
    levers,
    spent_refresh_tokens,
    due_steps,
    tracking,
    counters: state.counters,
    generations: state.value('generations'),
    expired: state.value('expired'),
    rate_window: state.value('rate_window'),
    rate_windows: state.value('rate_windows'),
  };
}

/** The sequence numbers of those tables whose numbers are not 0, 1, 2 and so on. */
function sequencesIn(state: State): Pick<StateDocument, 'sequences'> {
  const numbered = tableNames.map((name) => [name, Array.from(state.table(name).entries(), ([seq]) => seq)] as const);
  const uneven = numbered.filter(([, sequences]) => sequences.some((sequence, index) => sequence !== index));
  return uneven.length > 0 ? { sequences: Object.fromEntries(uneven) } : {};
}

/**
 * Replaces the sandbox's state by the document's, and begins a new epoch.
 * @param known the scenarios of the server, by name: the document may have applied no other
 * @throws ControlRefusal 422 for a document that contradicts itself or needs another scenario; nothing is written then
 */
export function importState(state: State, document: StateDocument, known?: ReadonlyMap<string, unknown>): void {
  refuseFaults(stateFaults(document, state.maxRecords, known));
  state.empty();
  for (const name of tableNames) {
    const sequences = document.sequences?.[name];
    const table = state.table(name);
    for (const [index, row] of rowsOf(document, name).entries()) table.place(sequences?.[index] ?? index, row);
  }
  for (const name of singleNames) setSingle(state, name, document.data[name]);
  state.setCounters(document.counters);
  state.setValue('chosen', resolveChoices(document.assumptions));
  for (const name of importedValues) state.setValue(name, document[name]);
  applyChoices(state);
  raiseGenerations(state, document.generations);
  beginEpoch(state);
}

/** The history keeps the highest generations, because no generation may be used twice. */
function raiseGenerations(state: State, { tokens, labels }: Generations): void {
  const history = state.value('history');
  const { generations } = history;
  const highest = { tokens: Math.max(generations.tokens, tokens), labels: Math.max(generations.labels, labels) };
  state.setValue('history', { ...history, generations: highest });
}

/** The rows of a table, oldest first. */
function rowsOf<Name extends TableName>({ data, ...own }: StateDocument, name: Name): readonly RowOf<Name>[] {
  return ({ ...data, ...own }[name] ?? []) as unknown as readonly RowOf<Name>[];
}

// Checks beyond the schema of the document: references, ids, sequences and counters must agree with each other.

const stateFaults = (
  document: StateDocument,
  maxRecords: number,
  known: ReadonlyMap<string, unknown> | undefined,
): FileFault[] => [
  ...tableNames.flatMap((name) => sequenceFaults(document, name, maxRecords)),
  ...faultyReferences(document.data, originsOf(document)),
  ...ownTables.flatMap((name) => repeated(name, 'id', idsOf(document, name), `an id not used before in ${name}`)),
  ...orphanRows(document, 'due_steps'),
  ...orphanRows(document, 'tracking'),
  ...document.levers.flatMap(overrideFaults),
  ...layerFaults(document),
  ...(known ? unknownScenarios(document, known) : []),
  ...generationFaults(document),
];

const fault = (path: string, found: unknown, expected: string): FileFault =>
  bodyFault(`$.${path}`, quoted(found), expected);

/** No more rows than the sandbox may hold, their sequence numbers in order, and the counter behind them all. */
function sequenceFaults(document: StateDocument, name: TableName, maxRecords: number): FileFault[] {
  const { length } = rowsOf(document, name);
  const sequences = document.sequences?.[name] ?? Array.from({ length }, (_, index) => index);
  const faults: FileFault[] = [];
  if (length > maxRecords && !unboundedTables.includes(name))
    faults.push(bodyFault(`$.data.${name}`, `${length} records`, `at most ${maxRecords}`));
  if (sequences.length !== length)
    faults.push(bodyFault(`$.sequences.${name}`, `${sequences.length} numbers`, `one for each row: ${length}`));
  const early = sequences.findIndex((sequence, index) => sequence <= (sequences[index - 1] ?? -1));
  if (early >= 0)
    faults.push(fault(`sequences.${name}[${early}]`, sequences[early], 'a number greater than the previous one'));
  const next = Math.max(0, (sequences.at(-1) ?? -1) + 1);
  const counter = document.counters[name] ?? 0;
  if (counter < next) faults.push(fault(`counters.${name}`, counter, `at least ${next}, the next sequence number`));
  return faults;
}

const originsOf = ({ data }: StateDocument): Origins =>
  new Map(
    collectionNames.flatMap((name) =>
      data[name].map((record, at) => [record, { file: '', path: `$.data.${name}[${at}]` }] as const),
    ),
  );

/** A fault for each faulty value. @param values of this field, one per row of the list */
const fieldFaults = <T>(
  list: string,
  field: string,
  values: readonly T[],
  isFaulty: (value: T) => boolean,
  expected: string,
): FileFault[] =>
  values.flatMap((value, index) => (isFaulty(value) ? [fault(`${list}[${index}].${field}`, value, expected)] : []));

const repeated = (list: string, field: string, values: readonly string[], expected: string): FileFault[] =>
  fieldFaults(list, field, values, repetitions(), expected);

const idsOf = (document: StateDocument, name: TableName): string[] => rowsOf(document, name).map(({ id }) => id);

/** Each row must have the id of an order or a package. */
function orphanRows(document: StateDocument, name: 'due_steps' | 'tracking'): FileFault[] {
  const ids = new Set([...idsOf(document, 'orders'), ...idsOf(document, 'fulfillments')]);
  const expected = 'the id of a record in orders or fulfillments';
  return fieldFaults(name, 'id', idsOf(document, name), (id) => !ids.has(id), expected);
}

/** The id is the name and the scenario. The last override with a name hides the others. */
function overrideFaults({ id, name, scenario, hidden }: Override, index: number, all: readonly Override[]) {
  const expectedId = scenario === null ? name : `${name}@${scenario}`;
  const isHidden = all.slice(index + 1).some((later) => later.name === name);
  const faults: FileFault[] = [];
  if (id !== expectedId) faults.push(fault(`levers[${index}].id`, id, quoted(expectedId)));
  if (hidden !== isHidden)
    faults.push(fault(`levers[${index}].hidden`, hidden, `${isHidden}: only the last one with a name is in effect`));
  return faults;
}

/** A scenario is applied once, and the scenario of an override is an applied one. */
function layerFaults({ scenarios, levers }: StateDocument): FileFault[] {
  const names = scenarios.map(({ name }) => name);
  const used = levers.map(({ scenario }) => scenario);
  const isUnknown = (scenario: string | null) => scenario !== null && !names.includes(scenario);
  return [
    ...repeated('scenarios', 'name', names, 'a scenario that is not listed before'),
    ...fieldFaults('levers', 'scenario', used, isUnknown, 'the name of an applied scenario, or null'),
  ];
}

function unknownScenarios({ scenarios }: StateDocument, known: ReadonlyMap<string, unknown>): FileFault[] {
  const names = scenarios.map(({ name }) => name);
  const expected = `a scenario that this server has: ${[...known.keys()].join(', ') || 'none'}`;
  return fieldFaults('scenarios', 'name', names, (name) => !known.has(name), expected);
}

/** A generation above the current one cannot be expired: every new token or label would be expired, too. */
const generationFaults = ({ generations, expired }: StateDocument): FileFault[] =>
  (['tokens', 'labels'] as const)
    .filter((what) => expired[what] > generations[what])
    .map((what) => fault(`expired.${what}`, expired[what], `at most generations.${what}: ${generations[what]}`));
