// The store that keeps sandboxes in a database of PostgreSQL, which any number of servers share.
import type { Change, Commit } from '../../state/root.ts';
import type { Listed, Roots, Shared, Store, Turn } from '../../state/store.ts';
import { type Appended, append, bear } from './append.ts';
import type { Ask, Database } from './database.ts';
import { DatabaseClock } from './database-clock.ts';
import { tidyEpochs } from './epochs.ts';
import { Journals } from './journals.ts';
import { isAlive, type Loaded, load, loadBy } from './load.ts';
import { byId, NewsDesk, question } from './news.ts';
import { forget, forgetNamed, forgetOver, makeRoom, tidy } from './room.ts';
import { Uses } from './uses.ts';
import { valueMark } from './writing.ts';

/** So many change lists of a sandbox are kept at least; a server that is farther behind loads it anew. */
const keptLists = 1000;
/** How often those that nobody needs any more are looked for, in versions. */
const prunedEvery = 100;
const sweepMilliseconds = 30_000;

export class PostgresStore implements Store, Shared {
  readonly shared = this;
  readonly #database: Database;
  readonly #clock = new DatabaseClock();
  readonly #news: NewsDesk;
  readonly #uses: Uses;
  readonly journals: Journals;
  /** The numbers of the sandboxes that this server has open, by their names. */
  readonly #ids = new Map<string, string>();
  readonly #sweeping: NodeJS.Timeout;
  readonly #underWay = new Set<Promise<unknown>>();

  /** @param database whose tables are there (migrate.ts); closed with the store */
  constructor(database: Database) {
    this.#database = database;
    this.#news = new NewsDesk(database, this.#clock);
    this.#uses = new Uses(database);
    const idOf = (name: string) => this.#ids.get(name);
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
    const { rows } = await this.#database.read<ListedRow>({ text: list });
    if (rows[0]) this.#clock.heard(rows[0].now, sent);
    this.#aside(() => this.#sweep());
    return rows.map(({ name, identity, used_at: usedAt }) => ({ name, identity: JSON.parse(identity), usedAt }));
  }

  async #sweep(): Promise<void> {
    await forgetOver(this.#database);
    await tidy(this.#database);
  }

  async load(name: string): Promise<Commit | undefined> {
    const sent = this.#clock.begin();
    const loaded = await load(this.#database, name);
    if (!loaded) return undefined;
    this.#clock.heard(loaded.now, sent);
    this.#ids.set(name, loaded.id);
    return loaded;
  }

  async since(name: string, version: number): Promise<readonly Commit[] | undefined> {
    const id = this.#ids.get(name);
    const news = id === undefined ? undefined : await this.#news.since(id, version);
    if (this.#ids.get(name) !== id) return undefined;
    if (!news) {
      this.letGo(name);
      return undefined;
    }
    // Two who ask together are told what the one farther behind has to know.
    const commits = news.commits.filter((commit) => commit.version > version);
    return commits.length >= news.version - version ? commits : whole(await load(this.#database, name), id);
  }

  async append(name: string, base: number, changes: Iterable<Change>, roots: Roots): Promise<'committed' | 'conflict'> {
    if (base === 0) return this.#bear(name, changes, roots);
    const id = this.#ids.get(name);
    if (id === undefined) return 'conflict';
    const appended = await append(this.#database.ask, id, base, changes, roots);
    this.#tidy(id, base, appended);
    return appended.isCommitted ? 'committed' : 'conflict';
  }

  /** Once an append stands, what nobody needs any more by it goes. */
  #tidy(id: string, base: number, { isCommitted, leavesEpochs }: Appended): void {
    if (isCommitted && base % prunedEvery === 0) this.#prune(id, base - keptLists);
    if (isCommitted && leavesEpochs) this.#aside(() => tidyEpochs(this.#database, id));
  }

  async #bear(name: string, changes: Iterable<Change>, roots: Roots): Promise<'committed' | 'conflict'> {
    const list = [...changes];
    const ask = () => bear(this.#database.ask, name, list, roots);
    let id = await ask();
    if (id === undefined) {
      // What is in the way may be over by now.
      await forgetNamed(this.#database, name);
      id = await ask();
    }
    if (id === undefined) return 'conflict';
    this.#ids.set(name, id);
    return 'committed';
  }

  #prune(id: string, until: number): void {
    const text = 'delete from change_lists where sandbox = $1 and version <= $2';
    this.#aside(() => this.#database.ask({ text, values: [id, until] }));
  }

  async inTurn<T>(name: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const id = this.#ids.get(name);
    const appends: { readonly base: number; readonly appended: Appended }[] = [];
    const done = await this.#database.transaction(async (ask) => {
      await ask({ text: 'select from sandboxes where id = $1 for no key update', values: [id] });
      return work({
        since: (_, version) => sinceWithin(ask, name, id, version),
        append: async (_, base, changes, roots) => {
          const appended = await append(ask, id as string, base, changes, roots);
          appends.push({ base, appended });
          return appended.isCommitted ? 'committed' : 'conflict';
        },
      });
    });
    for (const { base, appended } of appends) this.#tidy(id as string, base, appended);
    return done;
  }

  async remove(name: string): Promise<void> {
    const id = this.#ids.get(name);
    await forget(this.#database, { text: 'id = $1', values: [id] });
    if (this.#ids.get(name) === id) this.letGo(name);
    this.#aside(() => tidy(this.#database));
  }

  used(name: string): void {
    const id = this.#ids.get(name);
    if (id !== undefined) this.#uses.note(id);
  }

  letGo(name: string): void {
    const id = this.#ids.get(name);
    this.#ids.delete(name);
    if (id !== undefined) this.journals.letGo(id);
  }

  makeRoom(most: number): Promise<boolean> {
    return makeRoom(this.#database, most);
  }

  trouble(): string | undefined {
    return this.#database.trouble;
  }

  /** What is done beside the answers; where it fails, something later does it. */
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

interface ListedRow {
  readonly name: string;
  readonly identity: string;
  readonly used_at: number;
  readonly now: number;
}

/** Who a sandbox is stands in its first epoch: the one that it was made in, which is always kept. */
const list = `
  select name, rows.row as identity, extract(epoch from used_at)::float8 * 1000 as used_at, extract(epoch from clock_timestamp())::float8 * 1000 as now
  from sandboxes join rows on rows.sandbox = id and rows.epoch = 0 and place = '${valueMark}identity' and sequence = 0
  where ${isAlive} order by sandboxes.used_at`;

/** The same as `since`, by the connection of a turn: it must not wait for another one, which a turn may have. */
async function sinceWithin(ask: Ask, name: string, id: string | undefined, version: number) {
  const { rows } = await ask({ text: question, values: [[id], [version]] });
  const news = byId(rows as never).get(id as string);
  if (!news) return undefined;
  return news.commits.length >= news.version - version ? news.commits : whole(await loadBy(ask, name), id);
}

/** Too much has happened meanwhile to be told one by one. */
const whole = (loaded: Loaded | undefined, id: string | undefined): readonly Commit[] | undefined =>
  loaded?.id === id && loaded ? [loaded] : undefined;
