// How many sandboxes there may be, over all servers: what is over goes, then what was made by login and is longest unused.
import type { Ask, Database } from './database.ts';
import { isAlive } from './load.ts';

interface Which {
  readonly text: string;
  readonly values: unknown[];
}

/** Forgets sandboxes by their numbers; whoever writes one of them meanwhile meets a conflict, or is forgotten with it. */
export const forget = (database: Database, which: Which): Promise<number> =>
  database.transaction((ask) => forgetBy(ask, which));

async function forgetBy(ask: Ask, { text, values }: Which): Promise<number> {
  const { rows } = await ask<{ id: string }>({ text: `delete from sandboxes where ${text} returning id`, values });
  await forgetRows(
    ask,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** By questions of their own, which see what was written until the sandbox was deleted. */
async function forgetRows(ask: Ask, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['change_lists', 'epochs', 'snapshots', 'rows', 'journals', 'journal_rows'])
    await ask({ text: `delete from ${table} where sandbox = any($1::bigint[])`, values: [ids] });
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

/** Whether there is room for one more, by now. */
export async function makeRoom(database: Database, most: number): Promise<boolean> {
  if ((await countBy(database.read)) < most) return true;
  return database.transaction(async (ask) => {
    await ask({ text: `select pg_advisory_xact_lock(${Number(lock)})` });
    if ((await forgetBy(ask, over)) > 0 && (await countBy(ask)) < most) return true;
    const count = await countBy(ask);
    // Those that are made at the same time may be too many together: then more than one goes. One goes at least, since the room that
    // there may be by now is that of whoever made it.
    const gone = await forgetBy(ask, longestUnused(Math.max(count - most + 1, 1)));
    return count - gone < most;
  });
}

const longestUnused = (count: number): Which => ({
  text: 'id in (select id from sandboxes where made_by_login order by used_at limit $1 for update skip locked)',
  values: [count],
});

async function countBy(ask: Ask): Promise<number> {
  const { rows } = await ask<{ count: string }>({ name: 'count', text: 'select count(*) from sandboxes' });
  return Number(rows[0]?.count);
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
