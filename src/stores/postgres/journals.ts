// The journals of the sandboxes in the database: rows of many calls are written together, numbered one after the other for each sandbox, and
// read from a number on. They are no state: a database that loses its last moments loses them with it.
import { bounds } from '../../contract/admin/bounds.ts';
import type { JournalRow, JournalRows, SharedJournals } from '../../state/store.ts';
import { type Database, isOfConnection } from './database.ts';

interface Written extends JournalRow {
  readonly id: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Numbers are given under the lock of the journal, so that they follow each other in the order in which others can read the rows. */
const write = `
  with new as (
    select sandbox, started_at, row, row_number() over (partition by sandbox order by place) - 1 as place
    from unnest($1::bigint[], $2::float8[], $3::text[]) with ordinality as new (sandbox, started_at, row, place)
  ),
  locked as (
    select sandbox, next from journals where sandbox = any($1::bigint[]) order by sandbox for no key update
  ),
  counted as (
    update journals set next = journals.next + (select count(*) from new where new.sandbox = locked.sandbox)
    from locked where journals.sandbox = locked.sandbox
    returning journals.sandbox, journals.next
  ),
  quick as (select set_config('synchronous_commit', 'off', true))
  insert into journal_rows (sandbox, number, started_at, row)
  select new.sandbox, counted.next - (select count(*) from new as own where own.sandbox = new.sandbox) + new.place, new.started_at, new.row
  from new join counted on counted.sandbox = new.sandbox, quick
  returning sandbox, number, length(row) as characters`;

const read = `
  select pg_postmaster_start_time()::text as run, journals.next, journals.cleared_to, coalesce(extract(epoch from cleared_at)::float8 * 1000, 0) as cleared_at, number, started_at, row
  from journals
  left join journal_rows on journal_rows.sandbox = journals.sandbox and number >= greatest($2::bigint, journals.cleared_to)
  where journals.sandbox = $1 order by number`;

const clear = `update journals set cleared_to = next, cleared_at = clock_timestamp() where sandbox = $1`;

/** What is before the last clear, too old, or too much: all before one number, which is found first. */
const prune = `
  delete from journal_rows where sandbox = $1 and number < (
    select greatest(cleared_to, next - $2::bigint, (
      select max(number) + 1 from (
        select number, sum(octet_length(row)) over (order by number desc) as bytes from journal_rows where sandbox = $1
      ) as sized where bytes > $3::bigint
    )) from journals where sandbox = $1
  )`;

/** How much of a journal is written until it is looked whether there is too much of it. */
const prunedAfter = { rows: 100, characters: bounds.journalBytes / 4 };
const mostTogether = { rows: 500, characters: 8_388_608 };

interface Row {
  readonly run: string;
  readonly next: string;
  readonly cleared_to: string;
  readonly cleared_at: number;
  readonly number: string | null;
  readonly started_at: number;
  readonly row: string;
}

export class Journals implements SharedJournals {
  readonly #database: Database;
  readonly #idOf: (name: string) => string | undefined;
  readonly #aside: (work: () => Promise<unknown>) => void;
  #waiting: Written[] = [];
  #isWriting = false;
  /** Of each sandbox: what this server has written since it was pruned. */
  readonly #grown = new Map<string, { rows: number; characters: number }>();

  /**
   * @param idOf the number of a sandbox that is open
   * @param aside does something beside the answers
   */
  constructor(
    database: Database,
    idOf: (name: string) => string | undefined,
    aside: (work: () => Promise<unknown>) => void,
  ) {
    this.#database = database;
    this.#idOf = idOf;
    this.#aside = aside;
  }

  write(name: string, row: JournalRow): Promise<void> {
    const id = this.#idOf(name);
    if (id === undefined) return Promise.resolve();
    // While the database does not answer, no answer waits for it, and no more rows than go together.
    const isAway = this.#database.trouble !== undefined;
    if (isAway && this.#waiting.length >= mostTogether.rows) return Promise.resolve();
    const written = this.#queued({ id, ...row });
    if (!isAway) return written;
    written.catch(() => undefined);
    return Promise.resolve();
  }

  #queued(row: JournalRow & { readonly id: string }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...row, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /** What comes meanwhile goes together in the next. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Those that come in the same turn go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#writeTogether(this.#next());
    this.#isWriting = false;
  }

  /** So many, and no more of their text than one question can hold. */
  #next(): Written[] {
    let [count, characters] = [0, 0];
    for (const { text } of this.#waiting) {
      characters += text.length;
      if (count > 0 && (characters > mostTogether.characters || count === mostTogether.rows)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Where it is one of them that cannot be written, the others are written all the same. */
  async #writeTogether(rows: readonly Written[]): Promise<void> {
    try {
      await this.#write(rows);
      for (const { resolve } of rows) resolve();
    } catch (error) {
      if (rows.length > 1 && !isOfConnection(error)) for (const row of rows) await this.#writeTogether([row]);
      else for (const { reject } of rows) reject(error);
    }
  }

  async #write(rows: readonly Written[]): Promise<void> {
    const values = [rows.map(({ id }) => id), rows.map(({ startedAt }) => startedAt), rows.map(({ text }) => text)];
    const told = await this.#database.ask<{ sandbox: string; characters: number }>({
      name: 'journal',
      text: write,
      values,
    });
    for (const { sandbox, characters } of told.rows) this.#grow(sandbox, characters);
  }

  /** This server writes no more of a sandbox for now. */
  letGo(id: string): void {
    this.#grown.delete(id);
  }

  /** All that waits is written. */
  async drained(): Promise<void> {
    while (this.#isWriting) await new Promise((resolve) => setImmediate(resolve));
  }

  #grow(id: string, characters: number): void {
    const grown = this.#grown.get(id) ?? { rows: 0, characters: 0 };
    grown.rows += 1;
    grown.characters += characters;
    this.#grown.set(id, grown);
    if (grown.rows < prunedAfter.rows && grown.characters < prunedAfter.characters) return;
    this.#grown.delete(id);
    const values = [id, bounds.journalEntries, bounds.journalBytes];
    this.#aside(() => this.#database.ask({ text: prune, values }));
  }

  async read(name: string, from: number): Promise<JournalRows | undefined> {
    const { rows } = await this.#database.read<Row>({
      name: 'journal-read',
      text: read,
      values: [this.#idOf(name), from],
    });
    const [head] = rows;
    if (!head) return undefined;
    const clearedTo = Number(head.cleared_to);
    const first = Number(head.number ?? head.next);
    const found = head.number === null ? [] : rows.map(({ started_at: startedAt, row: text }) => ({ startedAt, text }));
    return { run: head.run, first, rows: found, clearedTo, clearedAt: head.cleared_at };
  }

  async clear(name: string): Promise<void> {
    await this.#database.ask({ text: clear, values: [this.#idOf(name)] });
  }
}
