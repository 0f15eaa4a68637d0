// Brings a database's tables to what this version of Sachet needs. Servers that start at the same time do it one after the other.
import { ExitError, exitCodes } from '../errors.ts';
import type { Ask, Database } from './database.ts';

/** How many steps were taken, and at which one the database is. */
export interface Migrated {
  readonly taken: number;
  readonly step: number;
}

/** The number that stands for this list of steps among the database's locks: the letters of "sachet" in hexadecimal. */
const lock = '0x736163686574';

/** The step of the tables that the first edition made, which kept state otherwise. */
const firstEdition = 1;

/**
 * Takes the steps that are missing, all or none.
 * @throws ExitError 78 for a database that another version has made; what the database says
 * @example await migrate(database); // { taken: 1, step: 2 }
 */
export function migrate(database: Database): Promise<Migrated> {
  return database.transaction(async (ask) => {
    await ask({ text: `select pg_advisory_xact_lock(${Number(lock)})` });
    const step = await stepOf(ask);
    const latest = firstEdition + steps.length;
    if (step === firstEdition) throw ofFirstEdition();
    if (step > latest) throw tooNew(step, latest);
    const missing = steps.slice(Math.max(0, step - firstEdition));
    for (const [index, text] of missing.entries()) {
      await ask({ text });
      const taken = latest - missing.length + index + 1;
      await ask({ text: 'insert into migrations values ($1, clock_timestamp())', values: [taken] });
    }
    return { taken: missing.length, step: latest };
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

const tooNew = (step: number, latest: number): ExitError =>
  new ExitError(
    `the database is at step ${step} of its tables, and this version of Sachet knows ${latest}: nothing was changed; run the version that made it, or a newer one`,
    exitCodes.configuration,
  );

const ofFirstEdition = (): ExitError =>
  new ExitError(
    'the tables of the database were made by the first edition of Sachet (0.1), which kept state in another format: nothing was changed; run that version over it, save GET /_admin/sandboxes/{sandbox}/state of each sandbox, and PUT it to this version over an empty database',
    exitCodes.configuration,
  );

// The database's tables, as a numbered list of steps: a step that has been released is never changed, the next one is added behind it.
// A step may only add: during an upgrade servers of the version before run on over what it has made.

/** What each step does; the first is number 2. */
const steps: readonly string[] = [
  `
  -- Fixtures by a hash of theirs: sandboxes of the same ones share them.
  create table fixtures (
    name text primary key,
    content text not null,
    used_at timestamptz not null default clock_timestamp()
  );
  -- A sandbox by a number of its own: one that is made again under a name is another one.
  create table sandboxes (
    id bigint generated always as identity primary key,
    name text not null unique,
    version bigint not null,
    identity text not null,
    fixtures text not null,
    made_by_login boolean not null,
    ttl_seconds double precision,
    used_at timestamptz not null default clock_timestamp()
  );
  create index sandboxes_by_use on sandboxes (used_at) where made_by_login;
  create index sandboxes_with_ttl on sandboxes (used_at) where ttl_seconds is not null;
  -- Those whose rows are still to go: many may take long.
  create table forgotten (sandbox bigint primary key);
  -- A sandbox whole, at some version, and the changes of each version since; the last thousand of them are kept in any case.
  create table documents (
    sandbox bigint primary key,
    version bigint not null,
    document text not null
  );
  create table changes (
    sandbox bigint not null,
    version bigint not null,
    changes text not null,
    primary key (sandbox, version)
  );
  -- The calls of each sandbox that were answered last, by all servers.
  create table journals (
    sandbox bigint primary key,
    -- The number of the next row.
    next bigint not null default 0,
    cleared_to bigint not null default 0,
    cleared_at timestamptz
  );
  create table journal_rows (
    sandbox bigint not null,
    number bigint not null,
    started_at double precision not null,
    row text not null,
    primary key (sandbox, number)
  );
  `,
];
