// The whole state of a sandbox as one document: exported from one, imported into the same or another. What stays a sandbox's own is
// its name, environment, keys, history, snapshots and journal.
import { refuseFaults } from '../contract/admin/fault-refusal.ts';
import type { StateDocument } from '../contract/admin/state.ts';
import { chooseReadings } from '../contract/readings.ts';
import { singleNames } from '../contract/records.ts';
import type { RowOf, TableName } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { type Generations, type Tables, tableNames } from '../state/root.ts';
import { settleReadings } from './assumptions.ts';
import { setSingle } from './singles.ts';
import { beginLife } from './snapshots.ts';
import { rowsOf, sequencesOf, stateFaults } from './state-faults.ts';

/** The state as one document; `now` is the sandbox's time. */
export function exportState(draft: Draft, now: number): StateDocument {
  const { tables, values } = draft.commit();
  const { identity, clock, chosen, scenarios, counters, generations, expired, rate_window } = values;
  const rows = Object.fromEntries(
    tableNames.map((name) => [name, Array.from(tables[name].entries(), ([, row]) => row)]),
  );
  const { spent_refresh_tokens, levers, due_steps, tracking, ...records } = rows as unknown as Rows;
  const singles = Object.fromEntries(singleNames.map((name) => [name, values[name]]));
  return {
    sachet_state: 1,
    sandbox: identity.name,
    environment: identity.environment,
    exported_at: new Date(now).toISOString(),
    data: { ...records, ...singles } as StateDocument['data'],
    ...sequencesIn(tables),
    clock,
    assumptions: chosen,
    scenarios,
    levers,
    spent_refresh_tokens,
    due_steps,
    tracking,
    counters,
    generations,
    expired,
    rate_window,
  };
}

type Rows = { readonly [Name in TableName]: readonly RowOf<Name>[] };

/** The sequence numbers, of the tables where they are not 0, 1, 2 and so on. */
function sequencesIn(tables: Tables): Pick<StateDocument, 'sequences'> {
  const numbered = tableNames.map(
    (name) => [name, Array.from(tables[name].entries(), ([sequence]) => sequence)] as const,
  );
  const uneven = numbered.filter(([, sequences]) => sequences.some((sequence, index) => sequence !== index));
  return uneven.length > 0 ? { sequences: Object.fromEntries(uneven) } : {};
}

/**
 * Puts the document's state in place of the sandbox's own, which begins a new life with it.
 * @throws ControlRefusal 422 with every fault of what the document holds as a whole, the first fifty; nothing was written then.
 */
export function importState(draft: Draft, document: StateDocument): void {
  refuseFaults(stateFaults(document, draft.maxRecords));
  draft.empty();
  for (const name of tableNames) putRows(draft, name, document);
  for (const name of singleNames) setSingle(draft, name, document.data[name]);
  draft.setCounters(document.counters);
  draft.setValue('clock', document.clock);
  draft.setValue('chosen', chooseReadings(document.assumptions));
  draft.setValue('scenarios', document.scenarios);
  draft.setValue('generations', document.generations);
  draft.setValue('expired', document.expired);
  draft.setValue('rate_window', document.rate_window);
  settleReadings(draft);
  raiseGenerations(draft, document.generations);
  beginLife(draft);
}

function putRows(draft: Draft, name: TableName, document: StateDocument): void {
  const sequences = sequencesOf(document, name);
  for (const [index, row] of rowsOf(document, name).entries()) draft.table(name).put(sequences?.[index] ?? index, row);
}

/** A generation is never given twice, so the history knows the highest. */
function raiseGenerations(draft: Draft, { tokens, labels }: Generations): void {
  const history = draft.value('history');
  const { generations } = history;
  const highest = { tokens: Math.max(generations.tokens, tokens), labels: Math.max(generations.labels, labels) };
  draft.setValue('history', { ...history, generations: highest });
}
