// What becomes of epochs once snapshots are dropped and brought back: those that nobody can come to go, and chains of those that nobody can tell
// apart become one. Servers know epochs by the names of snapshots alone, so none of them notices.
import type { Ask, Database } from './database.ts';

/** After a restore, a drop, or an end of all tables. */
export async function tidyEpochs(database: Database, id: string): Promise<void> {
  await database.ask({ text: forgetDead, values: [id] });
  while (await database.transaction((ask) => foldOne(ask, id)));
}

/** Epochs that neither the sandbox nor a snapshot stands upon: nobody can come to them any more. */
const forgetDead = `
  with recursive alive (epoch) as (
    select epoch from sandboxes where id = $1
    union select epoch from snapshots where sandbox = $1
    union select parent from epochs join alive on epochs.sandbox = $1 and epochs.epoch = alive.epoch where parent is not null
  ),
  dead as (
    delete from epochs where sandbox = $1 and epoch not in (select epoch from alive) and exists (select from alive) returning epoch
  )
  delete from rows where sandbox = $1 and epoch in (select epoch from dead)`;

/**
 * An epoch that stands upon one which no snapshot names, and upon which nothing else stands: what was written in it might as well have been
 * written there. The newest is none of them: it is written to, and may be small beside what it stands upon.
 */
const foldable = `
  select upper.epoch as upper, lower.epoch as lower
  from epochs upper join epochs lower on lower.sandbox = upper.sandbox and lower.epoch = upper.parent
  where upper.sandbox = $1 and upper.epoch <> (select epoch from sandboxes where id = $1)
  and not exists (select from snapshots where sandbox = $1 and epoch in (upper.epoch, lower.epoch))
  and (select count(*) from epochs others where others.sandbox = $1 and others.parent = lower.epoch) = 1
  limit 1`;

const fold = [
  `insert into rows (sandbox, epoch, place, sequence, row)
   select sandbox, $3::int, place, sequence, row from rows where sandbox = $1 and epoch = $2::int
   on conflict (sandbox, epoch, place, sequence) do update set row = excluded.row`,
  'delete from rows where sandbox = $1 and epoch = $2::int and $3::int is not null',
  'update epochs set parent = $3::int where sandbox = $1 and parent = $2::int',
  'delete from epochs where sandbox = $1 and epoch = $2::int and $3::int is not null',
];

/** Whether there was one; nobody writes the sandbox meanwhile. */
async function foldOne(ask: Ask, id: string): Promise<boolean> {
  await ask({ text: 'select from sandboxes where id = $1 for no key update', values: [id] });
  const { rows } = await ask<{ upper: number; lower: number }>({ text: foldable, values: [id] });
  const [found] = rows;
  if (!found) return false;
  for (const text of fold) await ask({ text, values: [id, found.upper, found.lower] });
  return true;
}
