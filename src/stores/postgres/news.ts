// What others have written since: many sandboxes ask, one question goes to the database for all that have come while the one before was under way.
// A question is asked after whoever asks has come, so that its answer has all that was acknowledged until then.
import type { Commit } from '../../state/store.ts';
import { type Database, isOfConnection } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';
import { isAlive } from './room.ts';

/** What there is of a sandbox since a version; undefined where it is there no more. */
export interface News {
  /** The version that it is at. */
  readonly version: number;
  /** The change lists since, as far as they are kept; none where they are too much. */
  readonly commits: readonly Commit[];
}

interface Asked {
  readonly id: string;
  /** The least of all who ask. */
  version: number;
  readonly settle: ((news: News | undefined) => void)[];
  readonly refuse: ((error: unknown) => void)[];
}

interface Row {
  readonly id: string;
  readonly version: string;
  readonly listed: string | null;
  readonly changes: string | null;
  readonly now: number;
}

/** So many questions are under way at most: one more than one, so that a slow answer does not keep all others waiting. */
const most = 2;

/** What is more than this is not told one by one: the sandbox as it is now is less, and is read in its stead. */
const mostBytes = 16 * 1024 * 1024;

const question = `
  select sandboxes.id, sandboxes.version, list.version as listed,
    case when sum(octet_length(list.changes)) over (partition by sandboxes.id) <= ${mostBytes} then list.changes end as changes,
    extract(epoch from clock_timestamp())::float8 * 1000 as now
  from unnest($1::bigint[], $2::bigint[]) as asked (id, version)
  join sandboxes on sandboxes.id = asked.id and ${isAlive}
  left join changes list on list.sandbox = asked.id and list.version > asked.version
  order by sandboxes.id, list.version`;

export class NewsDesk {
  readonly #database: Database;
  readonly #clock: DatabaseClock;
  #waiting = new Map<string, Asked>();
  #underWay = 0;

  constructor(database: Database, clock: DatabaseClock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @param id the number of a sandbox @throws what the database says */
  since(id: string, version: number): Promise<News | undefined> {
    return new Promise((resolve, reject) => {
      const asked = this.#waiting.get(id) ?? { id, version, settle: [], refuse: [] };
      asked.version = Math.min(asked.version, version);
      asked.settle.push(resolve);
      asked.refuse.push(reject);
      this.#waiting.set(id, asked);
      if (this.#waiting.size === 1) queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    if (this.#waiting.size === 0 || this.#underWay === most) return;
    const all = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#underWay += 1;
    void this.#answer(all).finally(() => {
      this.#underWay -= 1;
      this.#next();
    });
  }

  async #answer(all: readonly Asked[]): Promise<void> {
    try {
      const news = await this.#ask(all);
      for (const { id, settle } of all) for (const tell of settle) tell(news.get(id));
    } catch (error) {
      for (const { refuse } of [...all, ...this.#inVain(error)]) for (const tell of refuse) tell(error);
    }
  }

  /** Where the database does not answer, those who wait to ask it have waited long enough. */
  #inVain(error: unknown): readonly Asked[] {
    if (!isOfConnection(error)) return [];
    const all = [...this.#waiting.values()];
    this.#waiting = new Map();
    return all;
  }

  async #ask(all: readonly Asked[]): Promise<Map<string, News>> {
    const values = [all.map(({ id }) => id), all.map(({ version }) => version)];
    const sent = this.#clock.begin();
    const { rows } = await this.#database.read<Row>({ name: 'news', text: question, values });
    const [first] = rows;
    if (first) this.#clock.heard(first.now, sent);
    return byId(rows);
  }
}

function byId(rows: readonly Row[]): Map<string, News> {
  const news = new Map<string, News & { readonly commits: Commit[] }>();
  for (const { id, version, listed, changes } of rows) {
    const known = news.get(id) ?? { version: Number(version), commits: [] };
    news.set(id, known);
    if (changes !== null) known.commits.push({ version: Number(listed), changes: JSON.parse(changes) });
  }
  return news;
}
