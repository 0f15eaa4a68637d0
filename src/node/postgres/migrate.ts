// Brings a database's tables to what this version of Sachet needs. Servers that start at the same time do it one after the other.
import { ExitError, exitCodes } from '../exit-error.ts';
import type { Ask, Database } from './database.ts';
import { migrations } from './migrations.ts';

/** How many steps were taken, and at which one the database is. */
export interface Migrated {
  readonly taken: number;
  readonly step: number;
}

/** The number that stands for this list of steps among the database's locks: the letters of "sachet" in hexadecimal. */
const lock = '0x736163686574';

/**
 * Takes the steps that are missing, all or none.
 * @throws ExitError 78 for a database that a newer version has made; what the database says
 * @example await migrate(database); // { taken: 1, step: 1 }
 */
export function migrate(database: Database): Promise<Migrated> {
  return database.transaction(async (ask) => {
    await ask({ text: `select pg_advisory_xact_lock(${Number(lock)})` });
    const step = await stepOf(ask);
    if (step > migrations.length) throw tooNew(step);
    for (const [index, text] of migrations.entries()) {
      if (index < step) continue;
      await ask({ text });
      await ask({ text: 'insert into migrations values ($1, clock_timestamp())', values: [index + 1] });
    }
    return { taken: migrations.length - step, step: migrations.length };
  });
}

/** Whoever may not make tables is not asked to, where they are there. */
async function stepOf(ask: Ask): Promise<number> {
  const made = await ask<{ made: string | null }>({ text: "select to_regclass('migrations')::text as made" });
  if (made.rows[0]?.made === null)
    await ask({ text: 'create table migrations (step int primary key, taken_at timestamptz not null)' });
  const { rows } = await ask<{ step: number | null }>({ text: 'select max(step) as step from migrations' });
  return rows[0]?.step ?? 0;
}

const tooNew = (step: number): ExitError =>
  new ExitError(
    `the database is at step ${step} of its tables, and this version of Sachet knows ${migrations.length}: nothing was changed; run the version that made it, or a newer one`,
    exitCodes.configuration,
  );
