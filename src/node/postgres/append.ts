// How changes are kept: each list of them by one statement, which keeps all of it or nothing.
import type { Identity } from '../../domain/world.ts';
import type { Change } from '../../state/root.ts';
import type { Roots } from '../../state/store.ts';
import type { Ask } from './database.ts';
import { type BegunEpoch, Writing, type WrittenRow } from './writing.ts';

/** What stands behind a `turn`, which gives the sandbox and the epoch that the list begins in: the list's rows, each at its place. */
const rowsOf = (first: number) => `
  written as (
    insert into rows (sandbox, epoch, place, sequence, row)
    select turn.id, turn.epoch + new.epoch, new.place, new.sequence, new.row
    from turn, unnest($${first}::int[], $${first + 1}::text[], $${first + 2}::bigint[], $${first + 3}::text[]) as new (epoch, place, sequence, row)
    on conflict (sandbox, epoch, place, sequence) do update set row = excluded.row
  )`;

/** A reset clears the journal in the very change. */
const cleared = `,
  cleared as (
    update journals set cleared_to = next, cleared_at = clock_timestamp() from turn where sandbox = turn.id and $16::boolean
  )`;

/** Epochs that are begun, snapshots that are kept and dropped: of few lists. */
const epochsOf = (first: number) => `,
  begun as (
    insert into epochs (sandbox, epoch, parent)
    select turn.id, turn.epoch + new.epoch, coalesce(turn.epoch + new.parent, snapshots.epoch)
    from turn, unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::text[]) as new (epoch, parent, snapshot)
    left join snapshots on snapshots.sandbox = (select id from turn) and snapshots.name = new.snapshot
  ),
  dropped as (
    delete from snapshots using turn where sandbox = turn.id and name = any($${first + 3}::text[])
  ),
  kept as (
    insert into snapshots (sandbox, name, epoch, at)
    select turn.id, new.name, turn.epoch + new.epoch, new.at
    from turn, unnest($${first + 4}::text[], $${first + 5}::int[], $${first + 6}::double precision[]) as new (name, epoch, at)
    on conflict (sandbox, name) do update set epoch = excluded.epoch, at = excluded.at
  )`;

const update = `
  with turn as (
    update sandboxes set version = version + 1, epoch = epoch + $3 where id = $1 and version = $2
    returning id, epoch - $3 as epoch
  ),
  list as (insert into change_lists (sandbox, version, changes) select id, $2::bigint + 1, $4 from turn),`;

const told = ' select id from turn';

const plainAppend = update + rowsOf(5) + told;
const wholeAppend = update + rowsOf(5) + epochsOf(9) + cleared + told;

const birth = `
  with turn as (
    insert into sandboxes (name, version, epoch, made_by_login, ttl_seconds) values ($1, 1, $2, $3, $4)
    on conflict (name) do nothing
    returning id, 0 as epoch
  ),
  first as (insert into epochs (sandbox, epoch, parent) select id, 0, null from turn),
  journal as (insert into journals (sandbox) select id from turn),${rowsOf(5)}${epochsOf(9)}${told}`;

/** Whether the list stands as version base + 1 of the sandbox; and whether epochs may have become nobody's by it. */
export interface Appended {
  readonly isCommitted: boolean;
  readonly leavesEpochs: boolean;
}

/** @param id the number of the sandbox */
export async function append(
  ask: Ask,
  id: string,
  base: number,
  changes: Iterable<Change>,
  roots: Roots,
): Promise<Appended> {
  const writing = new Writing(changes, roots);
  const { epochs, text, leavesEpochs } = writing;
  const isPlain = epochs === 0 && !leavesEpochs;
  const { rowCount } = await ask({
    ...(isPlain ? { name: 'append', text: plainAppend } : { name: 'append-whole', text: wholeAppend }),
    values: [
      id,
      base,
      epochs,
      text,
      ...columns(writing.rows),
      ...(isPlain ? [] : [...epochColumns(writing), writing.isReset]),
    ],
  });
  return { isCommitted: rowCount === 1, leavesEpochs };
}

/** The number of a sandbox that is made; undefined where there is one of its name. */
export async function bear(
  ask: Ask,
  name: string,
  changes: Iterable<Change>,
  roots: Roots,
): Promise<string | undefined> {
  const writing = new Writing(changes, roots);
  const { madeByLogin, ttlSeconds }: Identity = roots.to.values.identity;
  const { rows } = await ask<{ id: string }>({
    name: 'bear',
    text: birth,
    values: [name, writing.epochs, madeByLogin, ttlSeconds, ...columns(writing.rows), ...epochColumns(writing)],
  });
  return rows[0]?.id;
}

const columns = (rows: readonly WrittenRow[]): unknown[] => [
  rows.map(({ epoch }) => epoch),
  rows.map(({ place }) => place),
  rows.map(({ sequence }) => sequence),
  rows.map(({ row }) => row),
];

const epochColumns = ({ begun, kept, dropped }: Writing): unknown[] => [
  begun.map(({ epoch }) => epoch),
  begun.map(({ parent }) => (typeof parent === 'number' ? parent : null)),
  begun.map(({ parent }) => snapshotOf(parent)),
  dropped,
  kept.map(({ name }) => name),
  kept.map(({ epoch }) => epoch),
  kept.map(({ at }) => at),
];

const snapshotOf = (parent: BegunEpoch['parent']): string | null =>
  typeof parent === 'object' && parent !== null ? parent.snapshot : null;
