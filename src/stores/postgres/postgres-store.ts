// The store that any number of servers share: PostgreSQL keeps each sandbox as a document and the changes after it.
import { LRUCache } from 'lru-cache';
import { initialSnapshot } from '../../state/state.ts';
import type { Commit, LoadedSandbox, SandboxListing, SharedStore, Store, StoredSandbox } from '../../state/store.ts';
import { Batcher, type Database, inBackground, timeNow } from './database.ts';
import { type Journaled, Journals } from './journals.ts';
import { deleteSandbox, isAlive, makeRoom, noteUses, sweep } from './quota.ts';

/** At least this many versions of a sandbox are kept; a server that is further behind loads the whole sandbox. */
const keptVersions = 1000;
/** The document is written again when the changes after it are longer than this, and than the document. */
const compactAfterCharacters = 4_194_304;
/** Each list of changes counts as at least this many characters, so that a thousand small ones trigger it, too. */
const minCharacters = compactAfterCharacters / keptVersions;
/** If the changes that a server has missed are more bytes than this, it loads the whole sandbox. */
const missedBytes = 16_777_216;
const sweepMilliseconds = 30_000;
const usesMilliseconds = 250;
/** A server writes fixtures again after this time. Unused ones are deleted after a day. */
const fixturesMilliseconds = 3_600_000;

/** Fixtures that are known to be stored are null. */
const make = `
  with made as (
    insert into sandboxes (name, version, identity, fixtures, made_by_login, ttl_seconds)
    values ($1, $2, $3, $4, $5, $6) on conflict (name) do nothing returning id
  ),
  document as (insert into documents select id, $2, $7 from made),
  fixture as (
    insert into fixtures select $4, $8::text where $8 is not null
    on conflict (name) do update set used_at = clock_timestamp()
  ),
  journal as (insert into journals (sandbox) select id from made)
  select id from made`;

/** Stores the changes of a version, or does nothing if the version exists. A reset also clears the journal. */
const append = `
  with turn as (
    update sandboxes set version = version + 1, used_at = clock_timestamp() where id = $1 and version = $2 returning id
  ),
  cleared as (
    update journals set cleared_to = next, cleared_at = clock_timestamp() from turn where $4 and sandbox = turn.id
  )
  insert into changes select id, $2::bigint + 1, $3 from turn`;

/** Commits as one JSON text: changes are JSON already. */
const commitsAfter = (version: string) => `(
  select '[' || string_agg('{"version":' || version || ',"changes":' || changes || '}', ',' order by version) || ']'
  from changes where sandbox = sandboxes.id and version > ${version})`;

/** A sandbox as of one moment. */
const loading = `
  select id, document, ${commitsAfter('documents.version')} as commits, ${timeNow},
    (select content from fixtures where name = sandboxes.fixtures) as fixtures
  from sandboxes join documents on sandbox = id where name = $1 and ${isAlive}`;

/** The commits of several sandboxes after the versions of this server; null if they are too long, or not kept. */
const following = `
  select place::int, ${timeNow}, case when version = known then '[]'
    when version - known = missed.count and missed.bytes <= ${missedBytes} then ${commitsAfter('known')} end as commits
  from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (sandbox, known, place)
  join sandboxes on id = asked.sandbox and ${isAlive},
  lateral (
    select count(*), sum(octet_length(changes)) as bytes from changes where sandbox = id and changes.version > known
  ) as missed`;

const listing = `
  select name, identity, extract(epoch from used_at)::float8 * 1000 as "usedAt", ${timeNow}
  from sandboxes where ${isAlive} order by sandboxes.used_at`;

interface LoadedRow {
  readonly id: string;
  readonly document: string;
  readonly fixtures: string;
  readonly commits: string | null;
}

/** A sandbox that this server uses. */
interface OpenSandbox extends Journaled {
  documentCharacters: number;
  changesCharacters: number;
}

/** A sandbox and the version that this server has. */
type Position = readonly [id: string, version: number];

export class PostgresStore implements Store, SharedStore {
  readonly shared = this;
  readonly journals: Journals;
  readonly #database: Database;
  readonly #open = new Map<string, OpenSandbox>();
  /** The ids of sandboxes whose use is not noted yet. */
  readonly #used = new Set<string>();
  readonly #keptFixtures = new LRUCache<string, true>({ max: 1000, ttl: fixturesMilliseconds });
  /** Two queries at a time: a slow one does not hold up all sandboxes. */
  readonly #commits = new Batcher((positions: readonly Position[]) => this.#loadCommits(positions), 2);
  readonly #timers: readonly NodeJS.Timeout[];

  /** @param database has its tables (`migrate`); the store closes it */
  constructor(database: Database) {
    this.#database = database;
    this.journals = new Journals(database, (name) => this.#open.get(name));
    this.#timers = [
      setInterval(() => inBackground(sweep(database)), sweepMilliseconds).unref(),
      setInterval(() => inBackground(noteUses(database, this.#used)), usesMilliseconds).unref(),
    ];
  }

  now(): number {
    return this.#database.now();
  }

  problem(): string | undefined {
    return this.#database.problem;
  }

  async names(): Promise<readonly string[]> {
    return (await this.list()).map(({ name }) => name);
  }

  async list(): Promise<readonly SandboxListing[]> {
    const { rows } = await this.#database.query<SandboxListing>({ text: listing });
    inBackground(sweep(this.#database));
    return rows;
  }

  async load(name: string, version: number): Promise<LoadedSandbox | undefined> {
    if (version === 0) return this.#load(name);
    const open = this.#open.get(name);
    const commits = open && (await this.#commits.ask([open.id, version]));
    if (commits) return { commits };
    const loaded = commits === null ? await this.#load(name) : undefined;
    // Another sandbox may have the name by now.
    if (loaded && this.#open.get(name)?.id === open?.id) return loaded;
    if (open && this.#open.get(name) === open) this.release(name);
    return undefined;
  }

  /** Undefined for a sandbox that was deleted. */
  async #loadCommits(positions: readonly Position[]): Promise<readonly (readonly Commit[] | null | undefined)[]> {
    const values = [positions.map(([id]) => id), positions.map(([, version]) => version)];
    const config = { name: 'follow', text: following, values };
    const { rows } = await this.#database.query<{ place: number; commits: string | null }>(config);
    const found: (Commit[] | null)[] = [];
    for (const { place, commits } of rows) found[place - 1] = JSON.parse(commits ?? 'null');
    return found;
  }

  async #load(name: string): Promise<LoadedSandbox | undefined> {
    const [row] = (await this.#database.query<LoadedRow>({ name: 'load', text: loading, values: [name] })).rows;
    if (!row) return undefined;
    const commits: Commit[] = JSON.parse(row.commits ?? '[]');
    const open = this.#opened(name, row.id, row.document.length);
    open.changesCharacters = Math.max(row.commits?.length ?? 0, commits.length * minCharacters);
    return { whole: { document: JSON.parse(row.document), fixtures: JSON.parse(row.fixtures) }, commits };
  }

  #opened(name: string, id: string, documentCharacters: number): OpenSandbox {
    const open = { id, documentCharacters, changesCharacters: 0, unpruned: 0 };
    this.#open.set(name, open);
    return open;
  }

  async append(...[name, version, changes, whole]: Parameters<Store['append']>): Promise<boolean> {
    if (version === 0) return this.#create(name, whole(1));
    const open = this.#open.get(name);
    if (!open) return false;
    const text = JSON.stringify(changes);
    const isReset = changes.some((change) => 'restore' in change && change.restore === initialSnapshot);
    const values = [open.id, version, text, isReset];
    const { rowCount } = await this.#database.query({ name: 'append', text: append, values });
    if (rowCount !== 1) return false;
    // No await before the document is serialized: memory must hold exactly this version.
    open.changesCharacters += Math.max(text.length, minCharacters);
    if (open.changesCharacters > Math.max(compactAfterCharacters, open.documentCharacters))
      inBackground(this.#compact(open, whole(version + 1)));
    return true;
  }

  /** Writes the document again. If that fails, the next compaction comes after as many changes. */
  async #compact(open: OpenSandbox, { document }: StoredSandbox): Promise<void> {
    const text = JSON.stringify(document);
    open.documentCharacters = text.length;
    open.changesCharacters = 0;
    const replace = 'update documents set version = $2, document = $3 where sandbox = $1 and version < $2';
    await this.#database.query({ text: replace, values: [open.id, document.version, text] });
    const prune = 'delete from changes where sandbox = $1 and version <= $2';
    await this.#database.query({ text: prune, values: [open.id, document.version - keptVersions] });
  }

  async #create(name: string, { document, fixtures }: StoredSandbox): Promise<boolean> {
    const { version, fixtures: fixturesName, made } = document;
    const { madeByLogin, ttlSeconds } = made.identity;
    const text = JSON.stringify(document);
    const content = this.#keptFixtures.has(fixturesName) ? null : JSON.stringify(fixtures);
    const identity = JSON.stringify(made.identity);
    const values = [name, version, identity, fixturesName, madeByLogin, ttlSeconds, text, content];
    const insert = async () =>
      (await this.#database.query<{ id: string }>({ name: 'make', text: make, values })).rows[0];
    let row = await insert();
    if (!row) {
      // An expired sandbox may have this name.
      await this.#database.query({ text: `delete from sandboxes where name = $1 and not ${isAlive}`, values: [name] });
      row = await insert();
    }
    if (content !== null) this.#keptFixtures.set(fixturesName, true);
    if (row) this.#opened(name, row.id, text.length);
    return row !== undefined;
  }

  async remove(name: string): Promise<void> {
    const open = this.#open.get(name);
    if (!open) return;
    await deleteSandbox(this.#database, open.id);
    if (this.#open.get(name)?.id === open.id) this.release(name);
  }

  noteUse(name: string): void {
    const open = this.#open.get(name);
    if (open) this.#used.add(open.id);
  }

  release(name: string): void {
    this.#open.delete(name);
  }

  makeRoom(most: number): Promise<boolean> {
    return makeRoom(this.#database, most);
  }

  close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    inBackground(noteUses(this.#database, this.#used));
    return this.#database.close();
  }
}
