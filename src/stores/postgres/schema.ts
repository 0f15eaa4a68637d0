// The tables of a database. The first server makes them; others that start at the same time wait for it.
import type { QueryResult } from 'pg';
import { ExitError, exitCodes } from '../errors.ts';
import type { Database } from './database.ts';

/** The version of the tables below. The first edition's tables were 1. */
const latest = 2;

// The rows of a sandbox are deleted with it. The references are checked against rows that the same statement has locked
// anyway. If two servers start at the same time, the second waits for the lock, and then finds the tables.
const tables = `
  select pg_advisory_xact_lock(${0x736163686574});
  -- By a hash of their content: sandboxes share them.
  create table if not exists fixtures (
    name text primary key,
    content text not null,
    used_at timestamptz not null default clock_timestamp()
  );
  -- By a number: a sandbox that is made again under the same name is another one.
  create table if not exists sandboxes (
    id bigint generated always as identity primary key,
    name text not null unique,
    version bigint not null,
    identity json not null,
    fixtures text not null,
    made_by_login boolean not null,
    ttl_seconds double precision,
    used_at timestamptz not null default clock_timestamp()
  );
  -- The sandbox at some version, and the changes of each version since; the last thousand are kept in any case.
  create table if not exists documents (
    sandbox bigint primary key references sandboxes on delete cascade,
    version bigint not null,
    document text not null
  );
  -- Compressing a long document takes longer than writing it.
  alter table documents alter document set storage external;
  create table if not exists changes (
    sandbox bigint references sandboxes on delete cascade,
    version bigint,
    changes text not null,
    primary key (sandbox, version)
  );
  -- The number of the next row, and the rows: the last calls that all servers have answered, most of them uncompressed.
  create table if not exists journals (
    sandbox bigint primary key references sandboxes on delete cascade,
    next bigint not null default 0,
    cleared_to bigint not null default 0,
    cleared_at timestamptz
  );
  create table if not exists journal_rows (
    sandbox bigint references journals on delete cascade,
    number bigint,
    started_at double precision not null,
    row text not null,
    primary key (sandbox, number)
  ) with (toast_tuple_target = 8160);
  create table if not exists migrations (step int primary key, taken_at timestamptz not null);
  insert into migrations values (${latest}, clock_timestamp()) on conflict do nothing`;

export interface Migrated {
  /** How many steps were taken. */
  readonly taken: number;
  /** The version of the tables. */
  readonly step: number;
}

/** Makes the tables if the database has none. @throws ExitError 78 if another version of Sachet has made them */
export async function migrate({ ask }: Database): Promise<Migrated> {
  // A user without the right to create tables may use those that exist.
  const made = await ask<{ made: string | null }>({ text: "select to_regclass('migrations')::text as made" });
  const asked = { text: 'select max(step) as step from migrations' };
  const step = made.rows[0]?.made ? (await ask<{ step: number | null }>(asked)).rows[0]?.step : undefined;
  if (step === latest) return { taken: 0, step };
  if (step) throw new ExitError(step < latest ? firstEdition : newer(step), exitCodes.configuration);
  const answers = (await ask({ text: tables })) as unknown as QueryResult[];
  return { taken: answers.at(-1)?.rowCount ?? 0, step: latest };
}

const newer = (step: number): string =>
  [
    `the database is at step ${step} of its tables, and this version of Sachet knows ${latest}: nothing was changed`,
    'run the version that made it, or a newer one',
  ].join('; ');

const firstEdition = [
  'the tables of the database were made by the first edition of Sachet (0.1), which kept state in another format',
  'nothing was changed; run that version over it, save GET /_admin/sandboxes/{sandbox}/state of each sandbox',
  'and PUT it to this version over an empty database',
].join(', ');
