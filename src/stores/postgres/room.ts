// Which sandboxes stay: uses are noted, and sandboxes go that are over, or that are in the way of a new one.
import type { Ask, Database } from './database.ts';

/** True unless the time to live is over. Servers note uses late, so it ends a second later than the last use says. */
export const isAlive = "(ttl_seconds is null or used_at + (ttl_seconds + 1) * interval '1 second' > clock_timestamp())";

/** Deletes a sandbox with all its rows. Who writes to it at the same time meets a conflict. */
export const forget = async (ask: Ask, id: string): Promise<void> => {
  await ask({ name: 'forget', text: 'delete from sandboxes where id = $1', values: [id] });
};

/** Deletes the sandbox of this name if it is over. */
export const forgetOver = async ({ ask }: Database, name: string): Promise<void> => {
  await ask({ text: `delete from sandboxes where name = $1 and not ${isAlive}`, values: [name] });
};

const unusedFixtures = `
  delete from fixtures where used_at < clock_timestamp() - interval '1 day' and name not in (select fixtures from sandboxes)`;

/** Deletes sandboxes that are over, one by one, so that no question takes long; and unused fixtures after a day. */
export async function sweep({ ask }: Database): Promise<void> {
  const { rows } = await ask<{ id: string }>({ text: `select id from sandboxes where not ${isAlive} limit 1000` });
  for (const { id } of rows) await forget(ask, id);
  await ask({ text: unusedFixtures });
}

/** An arbitrary number, the lock of those who make room: "room" in hexadecimal. */
const lock = 0x726f6f6d;

const count = { name: 'count', text: 'select count(*)::int from sandboxes' };

/** What may go: sandboxes that are over, then those made by login, the longest unused first. In the order in which rows are locked elsewhere. */
const mayGo = `
  with going as (
    select id from sandboxes where made_by_login or not ${isAlive}
    order by ${isAlive}, used_at limit $1 for update skip locked
  )
  select id from going order by id`;

/** Makes room for one more sandbox. Gives false if there cannot be any; then nothing is deleted. */
export async function makeRoom(database: Database, most: number): Promise<boolean> {
  const countBy = async (ask: Ask) => (await ask<{ count: number }>(count)).rows[0]?.count ?? 0;
  if ((await countBy(database.read)) < most) return true;
  return database.transaction(async (ask) => {
    await ask({ text: `select pg_advisory_xact_lock(${lock})` });
    // One goes at least: room that another server has made since is for its own sandbox. After many makes at once more than one goes.
    const needed = Math.max((await countBy(ask)) - most + 1, 1);
    const { rows } = await ask<{ id: string }>({ text: mayGo, values: [needed] });
    if (rows.length < needed) return false;
    for (const { id } of rows) await forget(ask, id);
    return true;
  });
}

const flushMilliseconds = 250;

/** What is over stays over. Rows that others have locked are skipped, and given back. */
const noteUses = `
  with free as (select id from sandboxes where id = any($1::bigint[]) and ${isAlive} for no key update skip locked),
  used as (update sandboxes set used_at = clock_timestamp() where id in (select id from free))
  select id from sandboxes where id = any($1::bigint[]) and ${isAlive} and id not in (select id from free)`;

/** Notes the last uses of sandboxes, a few times a second for all of them. */
export class Uses {
  readonly #database: Database;
  readonly #ids = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  note(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setTimeout(() => this.#database.aside(this.flush()), flushMilliseconds).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ids.size === 0) return;
    const values = [[...this.#ids]];
    this.#ids.clear();
    const { rows } = await this.#database.read<{ id: string }>({ name: 'used', text: noteUses, values });
    for (const { id } of rows) this.note(id);
  }
}
