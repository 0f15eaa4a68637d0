// The journals of the sandboxes: the rows of many calls are written together, and numbered per sandbox. They are not
// state: if the database loses its last moments, they are lost, too.
import { bounds } from '../../contract/control/bounds.ts';
import type { JournalRow, JournalRows, SharedJournals } from '../../state/store.ts';
import { Batcher, type Database, inBackground } from './database.ts';

/** The sandbox of a journal. */
export interface Journaled {
  /** Its number in the database. */
  readonly id: string;
  /** Characters that this server has written since it last pruned the journal. */
  unpruned: number;
}

type NewRow = JournalRow & { readonly sandbox: Journaled };

/**
 * Numbers are assigned while the journal is locked, so that they follow the order in which others can read the rows.
 * Rows are JSON, which has no line breaks: one text of many lines costs less than an array of texts.
 */
const write = `
  with new as (
    select sandbox, started_at, row, row_number() over (partition by sandbox order by place) - 1 as place
    from unnest($1::bigint[], $2::float8[], string_to_array($3, E'\\n'))
      with ordinality as new (sandbox, started_at, row, place)
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
  select pg_postmaster_start_time()::text as run, coalesce(min(number), next)::float8 as first,
    cleared_to::float8 as "clearedTo", coalesce(extract(epoch from cleared_at)::float8 * 1000, 0) as "clearedAt",
    coalesce(array_agg(started_at order by number) filter (where row is not null), '{}') as started,
    string_agg(row, E'\\n' order by number) as texts
  from journals left join journal_rows as rows
    on rows.sandbox = journals.sandbox and number >= greatest($2::bigint, cleared_to)
  where journals.sandbox = $1 group by journals.sandbox`;

interface ReadRow extends Omit<JournalRows, 'rows'> {
  readonly started: readonly number[];
  readonly texts: string | null;
}

const clear = 'update journals set cleared_to = next, cleared_at = clock_timestamp() where sandbox = $1';

/** Deletes the rows before the last clear, and the oldest beyond the limits of rows and bytes. */
const prune = `
  delete from journal_rows where sandbox = $1 and number < (
    select greatest(cleared_to, next - $2::bigint, (
      select max(number) + 1 from (
        select number, sum(octet_length(row)) over (order by number desc) as bytes from journal_rows where sandbox = $1
      ) as sized where bytes > $3::bigint
    )) from journals where sandbox = $1
  )`;

/** A journal is pruned after this many characters. Each row counts as at least a five hundredth of them. */
const pruneAfterCharacters = bounds.journalBytes / 2;
const minCharacters = pruneAfterCharacters / 500;

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
    // No response waits for a database that does not answer.
    if (!sandbox || this.#database.problem !== undefined) return;
    await this.#writes.ask({ ...row, sandbox });
  }

  async #write(rows: readonly NewRow[]): Promise<readonly undefined[]> {
    const ids = rows.map(({ sandbox }) => sandbox.id);
    const texts = rows.map(({ text }) => text).join('\n');
    const values = [ids, rows.map(({ startedAt }) => startedAt), texts];
    await this.#database.query({ name: 'journal', text: write, values });
    for (const { sandbox, text } of rows) {
      sandbox.unpruned += Math.max(text.length, minCharacters);
      if (sandbox.unpruned < pruneAfterCharacters) continue;
      sandbox.unpruned = 0;
      const config = { text: prune, values: [sandbox.id, bounds.journalEntries, bounds.journalBytes] };
      inBackground(this.#database.query(config));
    }
    return [];
  }

  async read(name: string, from: number): Promise<JournalRows | undefined> {
    const values = [this.#sandboxOf(name)?.id, from];
    const [found] = (await this.#database.query<ReadRow>({ name: 'journal-read', text: read, values })).rows;
    if (!found) return undefined;
    const { started, texts, ...rest } = found;
    const rows = (texts?.split('\n') ?? []).map((text, at) => ({ startedAt: started[at] as number, text }));
    return { ...rest, rows };
  }

  async clear(name: string): Promise<void> {
    await this.#database.query({ text: clear, values: [this.#sandboxOf(name)?.id] });
  }
}
