// A sandbox as changes out of nothing, from its epochs: each image is told upon one that is told already, so that both share what they
// have in common, as they did where they were made.
import type { Change, Commit } from '../../state/root.ts';
import type { Ask, Database } from './database.ts';
import { valueMark } from './writing.ts';

/** A sandbox that was read, and its number in the database. */
export interface Loaded extends Commit {
  readonly id: string;
  /** The database's time when it was read, in milliseconds since 1970. */
  readonly now: number;
}

interface Row {
  readonly epoch: number;
  readonly place: string;
  readonly sequence: string;
  readonly row: string | null;
}

interface Kept {
  readonly name: string;
  readonly epoch: number;
  readonly at: number;
}

interface Read {
  readonly epoch: number;
  readonly parents: ReadonlyMap<number, number | null>;
  /** In the order in which they were kept. */
  readonly snapshots: readonly Kept[];
  readonly rows: ReadonlyMap<number, readonly Row[]>;
}

/** All of it as of one moment; undefined where there is none of this name. */
export const load = (database: Database, name: string): Promise<Loaded | undefined> =>
  database.transaction((ask) => loadBy(ask, name), 'begin isolation level repeatable read read only');

/** The same by several questions, between which nobody else writes it. */
export async function loadBy(ask: Ask, name: string): Promise<Loaded | undefined> {
  const { rows } = await ask<{ id: string; version: string; epoch: number; now: number }>({
    text: `select id, version, epoch, extract(epoch from clock_timestamp())::float8 * 1000 as now from sandboxes where name = $1 and ${isAlive}`,
    values: [name],
  });
  const found = rows[0];
  if (!found) return undefined;
  const read = await readEpochs(ask, found.id, found.epoch);
  return {
    id: found.id,
    now: found.now,
    version: Number(found.version),
    changes: [...changesOf(read)],
    isWhole: true,
  };
}

/** Whether the time to live of a sandbox is not over; a second later than its last use says, since servers note uses together. */
export const isAlive = "(ttl_seconds is null or used_at + (ttl_seconds + 1) * interval '1 second' > clock_timestamp())";

async function readEpochs(ask: Ask, id: string, epoch: number): Promise<Read> {
  const epochs = await ask<{ epoch: number; parent: number | null }>({
    text: 'select epoch, parent from epochs where sandbox = $1',
    values: [id],
  });
  const snapshots = await ask<Kept>({
    text: 'select name, epoch, at from snapshots where sandbox = $1 order by epoch',
    values: [id],
  });
  const { rows } = await ask<Row>({
    text: 'select epoch, place, sequence, row from rows where sandbox = $1 order by epoch',
    values: [id],
  });
  const byEpoch = new Map<number, Row[]>();
  for (const row of rows) {
    const ofEpoch = byEpoch.get(row.epoch);
    if (ofEpoch) ofEpoch.push(row);
    else byEpoch.set(row.epoch, [row]);
  }
  const parents = new Map(epochs.rows.map(({ epoch: own, parent }) => [own, parent]));
  return { epoch, parents, snapshots: snapshots.rows, rows: byEpoch };
}

function* changesOf({ epoch, parents, snapshots, rows }: Read): Generator<Change> {
  let told: readonly number[] = [];
  for (const image of [...snapshots, { epoch, name: undefined, at: 0 }]) {
    const chain = chainOf(image.epoch, parents);
    const from = startOf(chain, told, snapshots);
    if (from.change) yield from.change;
    for (const one of chain.slice(from.length)) for (const row of rows.get(one) ?? []) yield changeOf(row);
    told = chain;
    if (image.name !== undefined) yield { keep: image.name, at: image.at };
  }
}

/** An epoch and all that it stands upon, the oldest first. */
function chainOf(epoch: number, parents: Read['parents']): number[] {
  const chain: number[] = [];
  for (let one: number | null | undefined = epoch; typeof one === 'number'; one = parents.get(one)) chain.push(one);
  return chain.reverse();
}

/** How much of a chain is told already: what was told last, a snapshot to be brought back, or nothing. */
function startOf(
  chain: readonly number[],
  told: readonly number[],
  snapshots: readonly Kept[],
): { readonly length: number; readonly change?: Change } {
  if (told.length === 0) return { length: 0 };
  if (told.every((epoch, index) => chain[index] === epoch)) return { length: told.length };
  const last = told.at(-1) as number;
  for (let length = chain.length - 1; length > 0; length -= 1) {
    const snapshot = snapshots.find(({ epoch }) => epoch === chain[length - 1] && epoch <= last);
    if (snapshot) return { length, change: { restore: snapshot.name } };
  }
  return { length: 0, change: { empty: true } };
}

function changeOf({ place, sequence, row }: Row): Change {
  const content = row === null ? null : JSON.parse(row);
  return place.startsWith(valueMark)
    ? ({ value: place.slice(valueMark.length), to: content } as Change)
    : ({ table: place, sequence: Number(sequence), row: content } as Change);
}
