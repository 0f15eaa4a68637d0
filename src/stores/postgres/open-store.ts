// Opens a database: connects to it, creates its tables, and returns a store over it.
import { setTimeout as pause } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import type { OpenStore } from '../../state/store.ts';
import { ExitError, exitCodes, UsageError } from '../../system/exit-errors.ts';
import { stopwatch } from '../../system/time.ts';
import { Database, describe, isOfConnection } from './database.ts';
import { PostgresStore } from './postgres-store.ts';

/** A database and a server may be started together. */
const connectMilliseconds = 15_000;
const pauseMilliseconds = 250;

/** @throws UsageError if the URL names no database; ExitError 78 if its user or its tables cannot be used */
export async function openStore(url: string, notify: (words: string) => void): Promise<OpenStore> {
  const { database, place } = await migrated(url, notify);
  const store = new PostgresStore(database);
  return { place, sandboxes: (await store.names()).length, store, close: () => store.close() };
}

/** Creates the tables of a database, unless it has them. @throws as openStore */
export async function migrateStore(url: string, notify: (words: string) => void) {
  const { database, place, isNew } = await migrated(url, notify);
  await database.close();
  return { place, isNew, version: latest };
}

async function migrated(url: string, notify: (words: string) => void) {
  const place = placeOf(url);
  const database = new Database({ url, notify });
  const giveUpAt = stopwatch() + connectMilliseconds;
  for (;;) {
    try {
      return { database, place, isNew: await migrate(database) };
    } catch (error) {
      const final = finalError(error, place, stopwatch() > giveUpAt);
      if (final) throw final;
      await pause(pauseMilliseconds);
    }
  }
}

/** The error that ends the start; undefined if the database may answer later. */
function finalError(error: unknown, place: string, isLate: boolean): unknown {
  if (error instanceof ExitError) return error;
  const words = `the database at ${place} cannot be used: ${describe(error)}`;
  const hint =
    (error as { code?: string }).code === '3D000'
      ? 'create it, for Sachet alone, for example with createdb'
      : 'check the host, user, password, database and parameters in --store';
  if (!isOfConnection(error)) return new ExitError(`${words}; ${hint}`, exitCodes.configuration, { cause: error });
  return isLate
    ? new Error(`${words}; check that it runs, and that --store has its address`, { cause: error })
    : undefined;
}

/** The URL without user, password and parameters. @throws UsageError, without the URL: it may have a password */
function placeOf(text: string): string {
  const form = 'postgres://user:password@host:5432/database';
  const escapes = 'with %2F for a slash and %23 for a # in the password';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || isCutByPassword(url))
    throw new UsageError(
      `the store (--store, SACHET_STORE) is not the URL of a database; use one such as ${form}, ${escapes}`,
    );
  if (url.pathname.length < 2)
    throw new UsageError(`the store ${url.protocol}//${url.host} does not name a database; use a URL such as ${form}`);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** True if the password has a `/`, `?` or `#` that is not escaped: then parts of it look like the database's name. */
const isCutByPassword = ({ pathname, search, hash }: URL): boolean =>
  hash !== '' || pathname.includes('@') || (pathname.length < 2 && search.includes('@'));

// The tables of a database.

/** The version of the tables below. Sachet 0.1 had version 1. */
const latest = 2;

// Deleting a sandbox deletes its rows. References are checked against rows that the same statement has locked anyway.
// If two servers start at the same time, the second waits for the lock, and then finds the tables.
const tables = `
  select pg_advisory_xact_lock(${0x736163686574});
  -- By a hash of the content: sandboxes share them.
  create table if not exists fixtures (
    name text primary key,
    content text not null,
    used_at timestamptz not null default clock_timestamp()
  );
  -- By number: a sandbox that is created again under the same name is another one.
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
  -- The sandbox at some version, and the changes of each version after it. At least the last thousand changes are kept.
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
  -- The number of the next row, and the rows: the latest calls that the servers have answered, mostly uncompressed.
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

/** @returns whether it has created the tables. @throws ExitError 78 if another version of Sachet has created them */
export async function migrate({ query }: Database): Promise<boolean> {
  // A user without the right to create tables may use those that exist.
  const found = await query<{ name: string | null }>({ text: "select to_regclass('migrations')::text as name" });
  const latestStep = { text: 'select max(step) as step from migrations' };
  const step = found.rows[0]?.name ? (await query<{ step: number | null }>(latestStep)).rows[0]?.step : undefined;
  if (step === latest) return false;
  if (step) throw new ExitError(step < latest ? firstEdition : newer(step), exitCodes.configuration);
  const answers = (await query({ text: tables })) as unknown as QueryResult[];
  return answers.at(-1)?.rowCount === 1;
}

const newer = (step: number): string =>
  `the tables of the database have version ${step}, and this version of Sachet supports ${latest}: nothing was ` +
  'changed; use the version of Sachet that created them, or a newer one';

const firstEdition = [
  'the tables of the database are from Sachet 0.1, which stored state in another format',
  'nothing was changed; run Sachet 0.1 with this database, save GET /_admin/sandboxes/{sandbox}/state of each sandbox',
  'and PUT it to this version with an empty database',
].join(', ');
