// How many sandboxes there may be, over all servers: what is over goes, then what was made by login and is longest unused.
import type { Ask, Database } from './database.ts';
import { isAlive } from './load.ts';

/** Forgets sandboxes by their numbers; whoever writes one of them meanwhile meets a conflict, or is forgotten with it. */
export async function forget(
  database: Database,
  which: { readonly text: string; readonly values: unknown[] },
): Promise<number> {
  return database.transaction(async (ask) => {
    const { rows } = await ask<{ id: string }>({
      text: `delete from sandboxes where ${which.text} returning id`,
      values: which.values,
    });
    await forgetRows(
      ask,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}

/** By questions of their own, which see what was written until the sandbox was deleted. */
async function forgetRows(ask: Ask, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['change_lists', 'epochs', 'snapshots', 'rows', 'journals', 'journal_rows'])
    await ask({ text: `delete from ${table} where sandbox = any($1::bigint[])`, values: [ids] });
}

export const forgetOver = (database: Database): Promise<number> =>
  forget(database, {
    text: `id in (select id from sandboxes where not ${isAlive} for update skip locked)`,
    values: [],
  });

/** Whether there is room for one more, by now. */
export async function makeRoom(database: Database, most: number): Promise<boolean> {
  if (await isRoom(database, most)) return true;
  if ((await forgetOver(database)) > 0 && (await isRoom(database, most))) return true;
  const longestUnused = 'select id from sandboxes where made_by_login order by used_at limit 1 for update skip locked';
  return (await forget(database, { text: `id in (${longestUnused})`, values: [] })) > 0;
}

async function isRoom(database: Database, most: number): Promise<boolean> {
  const { rows } = await database.read<{ count: string }>({
    name: 'count',
    text: 'select count(*) from sandboxes',
  });
  return Number(rows[0]?.count) < most;
}

/** Epochs that neither the sandbox nor a snapshot stands upon: nobody can come to them any more. */
export const forgetEpochs = `
  with recursive alive (epoch) as (
    select epoch from sandboxes where id = $1
    union select epoch from snapshots where sandbox = $1
    union select parent from epochs join alive on epochs.sandbox = $1 and epochs.epoch = alive.epoch where parent is not null
  ),
  dead as (
    delete from epochs where sandbox = $1 and epoch not in (select epoch from alive) and exists (select from alive) returning epoch
  )
  delete from rows where sandbox = $1 and epoch in (select epoch from dead)`;
