// Which sandboxes stay: notes their uses, deletes expired ones, and makes room for new ones.
import type { QueryResult } from 'pg';
import type { Database } from './database.ts';

/** True unless the time to live is over, plus a second, because servers note uses late. */
export const isAlive = "(ttl_seconds is null or used_at + (ttl_seconds + 1) * interval '1 second' > clock_timestamp())";

/** Deletes a sandbox with all its rows. A write at the same time becomes a conflict. */
export const deleteSandbox = async ({ query }: Database, id: string): Promise<void> => {
  await query({ name: 'forget', text: 'delete from sandboxes where id = $1', values: [id] });
};

/** Deletes expired sandboxes, one by one, so that no query takes long; and fixtures that are unused for a day. */
export async function sweep(database: Database): Promise<void> {
  const over = `select id from sandboxes where not ${isAlive} limit 1000`;
  for (const { id } of (await database.query<{ id: string }>({ text: over })).rows) await deleteSandbox(database, id);
  const unused = "used_at < clock_timestamp() - interval '1 day' and name not in (select fixtures from sandboxes)";
  await database.query({ text: `delete from fixtures where ${unused}` });
}

/** An arbitrary number, for servers that make room at the same time: "room" in hexadecimal. */
const lock = 0x726f6f6d;

/**
 * Deletes one sandbox, if enough can be deleted: expired ones first, then those created by login, the longest unused
 * first. One at a time: several would be locked in another order than elsewhere. `missing` is how many more to delete.
 */
const deleteOne = (most: number): string => `
  select pg_advisory_xact_lock(${lock});
  with needed as (select greatest(count(*) - ${most} + 1, 1) as number from sandboxes),
  going as (
    select id from sandboxes where made_by_login or not ${isAlive}
    order by ${isAlive}, used_at limit (select number from needed) for update skip locked
  ),
  gone as (
    delete from sandboxes where id = (select id from going limit 1)
    and (select count(*) from going) = (select number from needed) returning id
  )
  select case when exists (select from gone) then number::int - 1 end as missing from needed`;

/** Makes room for one more sandbox. @returns false if that is impossible; then nothing is deleted */
export async function makeRoom({ query }: Database, most: number): Promise<boolean> {
  const { rows } = await query<{ count: number }>({ name: 'count', text: 'select count(*)::int from sandboxes' });
  if ((rows[0]?.count ?? 0) < most) return true;
  for (;;) {
    // Delete at least one: the room that another server has made meanwhile is for its own sandbox.
    const [, answer] = (await query({ text: deleteOne(most) })) as unknown as QueryResult<{ missing: number | null }>[];
    const missing = answer?.rows[0]?.missing;
    if (!missing) return missing === 0;
  }
}

/** An expired sandbox stays expired. Skips rows that others lock: an append to a sandbox notes its use, too. */
const note = `
  update sandboxes set used_at = clock_timestamp()
  where id in (select id from sandboxes where id = any($1::bigint[]) and ${isAlive} for no key update skip locked)`;

/** Notes that these sandboxes were used, and empties the set. */
export async function noteUses({ query }: Database, used: Set<string>): Promise<void> {
  if (used.size === 0) return;
  const values = [[...used]];
  used.clear();
  await query({ name: 'used', text: note, values });
}
