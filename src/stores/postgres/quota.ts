// Which sandboxes stay: uses are noted, and sandboxes go that are over, or that are in the way of a new one.
import type { QueryResult } from 'pg';
import type { Database } from './database.ts';

/** True unless the time to live is over. Servers note uses late, so it ends a second later than the last use says. */
export const isAlive = "(ttl_seconds is null or used_at + (ttl_seconds + 1) * interval '1 second' > clock_timestamp())";

/** Deletes a sandbox with all its rows. Who writes to it at the same time meets a conflict. */
export const forget = async ({ ask }: Database, id: string): Promise<void> => {
  await ask({ name: 'forget', text: 'delete from sandboxes where id = $1', values: [id] });
};

/** Deletes sandboxes that are over, one by one, so that no question takes long; and unused fixtures after a day. */
export async function sweep(database: Database): Promise<void> {
  const over = `select id from sandboxes where not ${isAlive} limit 1000`;
  for (const { id } of (await database.ask<{ id: string }>({ text: over })).rows) await forget(database, id);
  const unused = "used_at < clock_timestamp() - interval '1 day' and name not in (select fixtures from sandboxes)";
  await database.ask({ text: `delete from fixtures where ${unused}` });
}

/** An arbitrary number, the lock of those who make room: "room" in hexadecimal. */
const lock = 0x726f6f6d;

/**
 * Deletes the first of those that may go, if enough of them may: sandboxes that are over, then those made by login, the
 * longest unused first. One at a time: several would be locked in another order than elsewhere. If it has deleted one,
 * it tells how many more have to go.
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

/** Makes room for one more sandbox. Gives false if there cannot be any; then nothing is deleted. */
export async function makeRoom({ ask }: Database, most: number): Promise<boolean> {
  const { rows } = await ask<{ count: number }>({ name: 'count', text: 'select count(*)::int from sandboxes' });
  if ((rows[0]?.count ?? 0) < most) return true;
  for (;;) {
    // One goes at least: room that another server has made since is for its own sandbox.
    const [, answer] = (await ask({ text: deleteOne(most) })) as unknown as QueryResult<{ missing: number | null }>[];
    const missing = answer?.rows[0]?.missing;
    if (!missing) return missing === 0;
  }
}

/** What is over stays over. Rows that others lock are skipped: whoever appends to a sandbox notes its use, too. */
const note = `
  update sandboxes set used_at = clock_timestamp()
  where id in (select id from sandboxes where id = any($1::bigint[]) and ${isAlive} for no key update skip locked)`;

/** Notes that the sandboxes of these numbers were used, and empties the set. */
export async function noteUses({ ask }: Database, used: Set<string>): Promise<void> {
  if (used.size === 0) return;
  const values = [[...used]];
  used.clear();
  await ask({ name: 'used', text: note, values });
}
