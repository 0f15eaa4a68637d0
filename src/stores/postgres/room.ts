// How many sandboxes there may be, over all servers: what is over goes, then what was made by login and is longest unused.
import type { Ask, Database } from './database.ts';

/** Whether the time to live of a sandbox is not over; a second later than its last use says, since servers note uses together. */
export const isAlive = "(ttl_seconds is null or used_at + (ttl_seconds + 1) * interval '1 second' > clock_timestamp())";

interface Which {
  readonly text: string;
  readonly values: unknown[];
}

/** Forgets sandboxes; whoever writes one of them meanwhile meets a conflict. Their rows go by `tidy`. */
export const forget = ({ ask }: Pick<Database, 'ask'>, { text, values }: Which): Promise<number> =>
  ask({
    text: `with gone as (delete from sandboxes where ${text} returning id) insert into forgotten select id from gone returning sandbox`,
    values,
  }).then(({ rowCount }) => rowCount ?? 0);

/** What else there is of a sandbox. */
const places = ['changes', 'documents', 'journal_rows', 'journals'] as const;
const together = 5000;

const unusedFixtures = `
  delete from fixtures where used_at < clock_timestamp() - interval '1 day' and name not in (select fixtures from sandboxes)`;

/** The rows of forgotten sandboxes go, so many at a time that no question takes long. */
export async function tidy({ ask }: Pick<Database, 'ask'>): Promise<void> {
  const { rows } = await ask<{ sandbox: string }>({ text: 'select sandbox from forgotten' });
  for (const { sandbox } of rows) {
    for (const table of places) {
      // By their places in the table: however large it is, nothing else of it is looked at.
      const some = `array(select ctid from ${table} where sandbox = $1 limit ${together})`;
      const text = `delete from ${table} where ctid = any(${some})`;
      for (let gone = together; gone === together; ) gone = (await ask({ text, values: [sandbox] })).rowCount ?? 0;
    }
    await ask({ text: 'delete from forgotten where sandbox = $1', values: [sandbox] });
  }
  await ask({ text: unusedFixtures });
}

const over: Which = {
  text: `id in (select id from sandboxes where not ${isAlive} for update skip locked)`,
  values: [],
};

export const forgetOver = (database: Database): Promise<number> => forget(database, over);

/** Forgets the sandbox of this name, if it is over; waits for whoever does so, too. */
export const forgetNamed = (database: Database, name: string): Promise<number> =>
  forget(database, { text: `name = $1 and not ${isAlive}`, values: [name] });

/** The number that stands for the making of room among the database's locks: the letters of "room" in hexadecimal. */
const lock = '0x726f6f6d';

/** Whether there is room for one more, by now; where there is none, nothing goes. */
export async function makeRoom(database: Database, most: number): Promise<boolean> {
  if ((await countBy(database.read)) < most) return true;
  return database.transaction(async (ask) => {
    await ask({ text: `select pg_advisory_xact_lock(${Number(lock)})` });
    if ((await forget({ ask }, over)) > 0 && (await countBy(ask)) < most) return true;
    // Those that are made at the same time may be too many together: then more than one goes. One goes at least, since the room that
    // there may be by now is that of whoever made it.
    const needed = Math.max((await countBy(ask)) - most + 1, 1);
    const { rows } = await ask<{ id: string }>({ text: longestUnused, values: [needed] });
    if (rows.length < needed) return false;
    await forget({ ask }, { text: 'id = any($1::bigint[])', values: [rows.map(({ id }) => id)] });
    return true;
  });
}

const longestUnused = 'select id from sandboxes where made_by_login order by used_at limit $1 for update skip locked';

async function countBy(ask: Ask): Promise<number> {
  const { rows } = await ask<{ count: string }>({ name: 'count', text: 'select count(*) from sandboxes' });
  return Number(rows[0]?.count);
}

// When sandboxes were last used, told to the database together: a few times a second, however many calls there are.

const flushMilliseconds = 250;

export class Uses {
  readonly #database: Database;
  readonly #ids = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  note(id: string): void {
    if (this.#isClosed) return;
    this.#ids.add(id);
    this.#timer ??= setTimeout(() => void this.flush(), flushMilliseconds).unref();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.flush();
  }

  /** What it cannot tell now is told with the next: the database may be away, or one of them be written just then. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#ids];
    this.#ids.clear();
    if (ids.length === 0) return;
    const untold = await this.#database.ask<{ id: string }>({ name: 'used', text: used, values: [ids] }).then(
      ({ rows }) => rows.map(({ id }) => id),
      () => ids,
    );
    for (const id of untold) this.note(id);
  }
}

/** In one order for all who do, so that none waits for another in a circle. What is over stays over. Gives those that somebody else has. */
const used = `
  with free as (
    select id from sandboxes where id = any($1::bigint[]) and ${isAlive} order by id for no key update skip locked
  ),
  told as (update sandboxes set used_at = clock_timestamp() where id in (select id from free))
  select id from sandboxes where id = any($1::bigint[]) and ${isAlive} and id not in (select id from free)`;
