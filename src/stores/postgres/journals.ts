// The journals of the sandboxes: rows of many calls are written together, and numbered one after the other in each sandbox. They are no
// state: a database that loses its last moments loses them with it.
import { bounds } from '../../contract/admin/bounds.ts';
import type { JournalRow, JournalRows, SharedJournals } from '../../state/store.ts';
import { Batcher } from './batcher.ts';
import type { Database } from './database.ts';

/** The sandbox of a journal. */
export interface Journaled {
  /** Its number in the database. */
  readonly id: string;
  /** Characters that this server has written since it last pruned the journal. */
  unpruned: number;
}

interface NewRow extends JournalRow {
  readonly sandbox: Journaled;
}

/** The numbers are given under the lock of the journal, so that they follow the order in which others can read the rows. */
const write = `
  with new as (
    select sandbox, started_at, row, row_number() over (partition by sandbox order by place) - 1 as place
    from unnest($1::bigint[], $2::float8[], $3::text[]) with ordinality as new (sandbox, started_at, row, place)
  ),
  counts as (select sandbox, count(*) as rows from new group by sandbox),
  locked as (
    select sandbox, next from journals where sandbox = any($1::bigint[]) order by sandbox for no key update
  ),
  numbered as (
    update journals set next = locked.next + counts.rows
    from locked join counts using (sandbox) where journals.sandbox = locked.sandbox
    returning locked.sandbox, locked.next as first
  ),
  quick as (select set_config('synchronous_commit', 'off', true))
  insert into journal_rows (sandbox, number, started_at, row)
  select sandbox, first + place, started_at, row from new join numbered using (sandbox), quick`;

const read = `
  select pg_postmaster_start_time()::text as run, coalesce(min(number), next)::float8 as first, cleared_to::float8 as "clearedTo",
    coalesce(extract(epoch from cleared_at)::float8 * 1000, 0) as "clearedAt",
    coalesce(json_agg(json_build_object('startedAt', started_at, 'text', row) order by number) filter (where row is not null), '[]') as rows
  from journals left join journal_rows on journal_rows.sandbox = journals.sandbox and number >= greatest($2::bigint, cleared_to)
  where journals.sandbox = $1 group by journals.sandbox`;

const clear = 'update journals set cleared_to = next, cleared_at = clock_timestamp() where sandbox = $1';

/** Deletes all before one number: what is before the last clear, too old, or too much. */
const prune = `
  delete from journal_rows where sandbox = $1 and number < (
    select greatest(cleared_to, next - $2::bigint, (
      select max(number) + 1 from (
        select number, sum(octet_length(row)) over (order by number desc) as bytes from journal_rows where sandbox = $1
      ) as sized where bytes > $3::bigint
    )) from journals where sandbox = $1
  )`;

/** A journal is pruned after so many characters; each row counts as a hundredth of them at least. */
const prunedAfter = bounds.journalBytes / 4;

export class Journals implements SharedJournals {
  readonly #database: Database;
  readonly #sandboxOf: (name: string) => Journaled | undefined;
  readonly #writes = new Batcher((rows: readonly NewRow[]) => this.#write(rows), 1);

  constructor(database: Database, sandboxOf: (name: string) => Journaled | undefined) {
    this.#database = database;
    this.#sandboxOf = sandboxOf;
  }

  async write(name: string, row: JournalRow): Promise<void> {
    const sandbox = this.#sandboxOf(name);
    // No answer waits for a database that is away.
    if (!sandbox || this.#database.trouble !== undefined) return;
    const writing = this.#writes.ask({ ...row, sandbox });
    this.#database.aside(writing);
    await writing;
  }

  async #write(rows: readonly NewRow[]): Promise<readonly undefined[]> {
    const ids = rows.map(({ sandbox }) => sandbox.id);
    const values = [ids, rows.map(({ startedAt }) => startedAt), rows.map(({ text }) => text)];
    await this.#database.ask({ name: 'journal', text: write, values });
    for (const { sandbox, text } of rows) {
      sandbox.unpruned += Math.max(text.length, prunedAfter / 100);
      if (sandbox.unpruned >= prunedAfter) this.#database.aside(this.#prune(sandbox));
    }
    return [];
  }

  async #prune(sandbox: Journaled): Promise<void> {
    sandbox.unpruned = 0;
    await this.#database.ask({ text: prune, values: [sandbox.id, bounds.journalEntries, bounds.journalBytes] });
  }

  async read(name: string, from: number): Promise<JournalRows | undefined> {
    const values = [this.#sandboxOf(name)?.id, from];
    return (await this.#database.read<JournalRows>({ name: 'journal-read', text: read, values })).rows[0];
  }

  async clear(name: string): Promise<void> {
    await this.#database.ask({ text: clear, values: [this.#sandboxOf(name)?.id] });
  }
}
