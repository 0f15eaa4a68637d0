// The store that keeps sandboxes in a database of PostgreSQL, which any number of servers share.
import { LRUCache } from 'lru-cache';
import type { StoredChange } from '../../state/state.ts';
import type { Commit, Listed, Loaded, SharedStore, Store, Whole } from '../../state/store.ts';
import type { Database } from './database.ts';
import { DatabaseClock } from './database-clock.ts';
import { Journals } from './journals.ts';
import { NewsDesk } from './news.ts';
import { forget, forgetNamed, forgetOver, isAlive, makeRoom, tidy, Uses } from './room.ts';

/** So many versions of a sandbox are kept at least; a server that is farther behind loads it anew. */
const keptVersions = 1000;
/** Changes of more characters are folded into the document, if they are also longer than that. */
const foldedCharacters = 4_194_304;
const sweepMilliseconds = 30_000;
/** A database forgets fixtures that nobody has used for a day. */
const fixturesMilliseconds = 3_600_000;

const now = 'extract(epoch from clock_timestamp())::float8 * 1000 as now';

const make = `
  with made as (
    insert into sandboxes (name, version, identity, fixtures, made_by_login, ttl_seconds) values ($1, $2, $3, $4, $5, $6)
    on conflict (name) do nothing returning id
  ),
  document as (insert into documents select id, $2, $7 from made),
  journal as (insert into journals (sandbox) select id from made)
  select id from made`;

const keep = 'insert into fixtures values ($1, $2) on conflict (name) do update set used_at = clock_timestamp()';

/** All of a change list is kept, or nothing. */
const append = (beside = '') => `
  with turn as (update sandboxes set version = version + 1 where id = $1 and version = $2 returning id)${beside}
  insert into changes select id, $2::bigint + 1, $3 from turn`;
const plainAppend = { name: 'append', text: append() };
/** A reset clears the journal in the very change. */
const clearing =
  ', cleared as (update journals set cleared_to = next, cleared_at = clock_timestamp() from turn where sandbox = turn.id)';
const resettingAppend = { name: 'append-reset', text: append(clearing) };

/** As of one moment. Fixtures that are known are left out. */
const loading = {
  name: 'load',
  text: `
    select id, sandboxes.version, document, sandboxes.fixtures, ${now},
      (select content from fixtures where fixtures.name = sandboxes.fixtures and fixtures.name <> all($2::text[])) as content,
      (select json_agg(json_build_array(changes.version, changes) order by changes.version) from changes
        where changes.sandbox = id and changes.version > documents.version) as changes
    from sandboxes join documents on documents.sandbox = id where sandboxes.name = $1 and ${isAlive}`,
};

const listing = `
  select name, identity, extract(epoch from used_at)::float8 * 1000 as used_at, ${now}
  from sandboxes where ${isAlive} order by sandboxes.used_at`;

interface LoadedRow {
  readonly id: string;
  readonly version: string;
  readonly document: string;
  readonly fixtures: string;
  readonly content: string | null;
  readonly changes: readonly (readonly [version: number, changes: string])[] | null;
  readonly now: number;
}

interface ListedRow {
  readonly name: string;
  readonly identity: string;
  readonly used_at: number;
  readonly now: number;
}

/** A sandbox that this server has open. */
interface Open {
  /** Its number in the database. */
  readonly id: string;
  /** Of its document, and of the changes since. */
  documentCharacters: number;
  changesCharacters: number;
}

export class PostgresStore implements Store, SharedStore {
  readonly shared = this;
  readonly #database: Database;
  readonly #clock = new DatabaseClock();
  readonly #news: NewsDesk;
  readonly #uses: Uses;
  readonly journals: Journals;
  /** By name. */
  readonly #open = new Map<string, Open>();
  readonly #fixtures = new LRUCache<string, Whole['fixtures']>({ max: 20 });
  /** Fixtures that this server has given lately. */
  readonly #given = new LRUCache<string, true>({ max: 1000, ttl: fixturesMilliseconds });
  readonly #sweeping: NodeJS.Timeout;
  readonly #underWay = new Set<Promise<unknown>>();

  /** @param database whose tables are there (schema.ts); closed with the store */
  constructor(database: Database) {
    this.#database = database;
    this.#news = new NewsDesk(database, this.#clock);
    this.#uses = new Uses(database);
    const idOf = (name: string) => this.#open.get(name)?.id;
    this.journals = new Journals(database, idOf, (work) => this.#aside(work));
    this.#sweeping = setInterval(() => this.#aside(() => this.#sweep()), sweepMilliseconds).unref();
  }

  now(): number {
    return this.#clock.now();
  }

  /** @throws what the database says: it is asked for the time that all servers go by */
  async names(): Promise<readonly string[]> {
    return (await this.list()).map(({ name }) => name);
  }

  /** By one question, however many there are. Of those that are over, the rows go beside it. */
  async list(): Promise<readonly Listed[]> {
    const sent = this.#clock.begin();
    const { rows } = await this.#database.read<ListedRow>({ text: listing });
    if (rows[0]) this.#clock.heard(rows[0].now, sent);
    this.#aside(() => this.#sweep());
    return rows.map(({ name, identity, used_at: usedAt }) => ({ name, identity: JSON.parse(identity), usedAt }));
  }

  async #sweep(): Promise<void> {
    await forgetOver(this.#database);
    await tidy(this.#database);
  }

  async load(name: string, version: number): Promise<Loaded | undefined> {
    if (version === 0) return this.#load(name);
    const id = this.#open.get(name)?.id;
    const news = id === undefined ? undefined : await this.#news.since(id, version);
    if (this.#open.get(name)?.id !== id) return undefined;
    if (!news) {
      this.letGo(name);
      return undefined;
    }
    // Two who ask together are told what the one farther behind has to know.
    const commits = news.commits.filter((commit) => commit.version > version);
    if (commits.length >= news.version - version) return { commits };
    const loaded = await this.#load(name);
    return this.#open.get(name)?.id === id ? loaded : undefined;
  }

  async #load(name: string): Promise<Loaded | undefined> {
    const sent = this.#clock.begin();
    const { rows } = await this.#database.read<LoadedRow>({ ...loading, values: [name, [...this.#fixtures.keys()]] });
    const [row] = rows;
    if (!row) return undefined;
    this.#clock.heard(row.now, sent);
    const changes = row.changes ?? [];
    const fixtures = this.#fixtures.get(row.fixtures) ?? (JSON.parse(row.content as string) as Whole['fixtures']);
    this.#fixtures.set(row.fixtures, fixtures);
    const changesCharacters = changes.reduce((sum, [, text]) => sum + text.length, 0);
    this.#open.set(name, { id: row.id, documentCharacters: row.document.length, changesCharacters });
    const commits = changes.map(([version, text]): Commit => ({ version, changes: JSON.parse(text) }));
    return { whole: { document: JSON.parse(row.document), fixtures }, commits };
  }

  async append(...[name, version, changes, whole]: Parameters<Store['append']>): Promise<boolean> {
    if (version === 0) return this.#make(name, whole());
    const open = this.#open.get(name);
    if (!open) return false;
    const text = JSON.stringify(changes);
    const question = isReset(changes) ? resettingAppend : plainAppend;
    const { rowCount } = await this.#database.ask({ ...question, values: [open.id, version, text] });
    if (rowCount !== 1) return false;
    open.changesCharacters += text.length;
    if (open.changesCharacters > Math.max(foldedCharacters, open.documentCharacters)) this.#fold(open, whole());
    return true;
  }

  /** Beside the answers: what fails is done after a later append. */
  #fold(open: Open, { document }: Whole): void {
    const text = JSON.stringify(document);
    this.#aside(async () => {
      const replace = 'update documents set version = $2, document = $3 where sandbox = $1 and version < $2';
      await this.#database.ask({ text: replace, values: [open.id, document.version, text] });
      open.documentCharacters = text.length;
      open.changesCharacters = 0;
      const prune = 'delete from changes where sandbox = $1 and version <= $2';
      await this.#database.ask({ text: prune, values: [open.id, document.version - keptVersions] });
    });
  }

  async #make(name: string, { document, fixtures }: Whole): Promise<boolean> {
    const { identity } = document.made;
    if (!this.#given.has(document.fixtures))
      await this.#database.ask({ text: keep, values: [document.fixtures, JSON.stringify(fixtures)] });
    this.#given.set(document.fixtures, true);
    const text = JSON.stringify(document);
    const { madeByLogin, ttlSeconds } = identity;
    const values = [name, document.version, JSON.stringify(identity), document.fixtures, madeByLogin, ttlSeconds, text];
    const ask = () => this.#database.ask<{ id: string }>({ name: 'make', text: make, values });
    let { rows } = await ask();
    if (!rows[0]) {
      // What is in the way may be over by now.
      await forgetNamed(this.#database, name);
      ({ rows } = await ask());
    }
    const [made] = rows;
    if (made) this.#open.set(name, { id: made.id, documentCharacters: text.length, changesCharacters: 0 });
    return made !== undefined;
  }

  async remove(name: string): Promise<void> {
    const id = this.#open.get(name)?.id;
    await forget(this.#database, { text: 'id = $1', values: [id] });
    if (this.#open.get(name)?.id === id) this.letGo(name);
    this.#aside(() => tidy(this.#database));
  }

  used(name: string): void {
    const id = this.#open.get(name)?.id;
    if (id !== undefined) this.#uses.note(id);
  }

  letGo(name: string): void {
    const id = this.#open.get(name)?.id;
    this.#open.delete(name);
    if (id !== undefined) this.journals.letGo(id);
  }

  makeRoom(most: number): Promise<boolean> {
    return makeRoom(this.#database, most);
  }

  trouble(): string | undefined {
    return this.#database.trouble;
  }

  /** What is done beside the answers; if it fails, something later does it. */
  #aside(work: () => Promise<unknown>): void {
    const done: Promise<unknown> = work()
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#uses.close();
    await this.journals.drained();
    await Promise.all(this.#underWay);
    await this.#database.close();
  }
}

const isReset = (changes: readonly StoredChange[]): boolean =>
  changes.some((change) => 'restore' in change && change.restore === '');
