// Opens the database of a server: reaches it, makes its tables, and gives a store over it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../state/store.ts';
import { stopwatch } from '../../system/time.ts';
import { ExitError, exitCodes, UsageError } from '../errors.ts';
import { Database, describe, isOfConnection } from './database.ts';
import { PostgresStore } from './postgres-store.ts';
import { type Migrated, migrate } from './schema.ts';

/** A database and a server may be started together. */
const patienceMilliseconds = 15_000;
const pauseMilliseconds = 250;

export interface OpenStore {
  /** Where the database is, without user and password. */
  readonly place: string;
  /** How many sandboxes it had. */
  readonly sandboxes: number;
  readonly store: Store;
  close(): Promise<void>;
}

/** @throws UsageError if the URL names no database; ExitError 78 if its user or its tables cannot be used */
export async function openStore(url: string, tell: (words: string) => void): Promise<OpenStore> {
  const { database, place } = await migrated(url, tell);
  const store = new PostgresStore(database);
  return { place, sandboxes: (await store.names()).length, store, close: () => store.close() };
}

/** Does what `sachet store migrate` does. @throws as openStore */
export async function migrateStore(url: string, tell: (words: string) => void): Promise<Migrated & { place: string }> {
  const { database, ...done } = await migrated(url, tell);
  await database.close();
  return done;
}

async function migrated(url: string, tell: (words: string) => void) {
  const place = placeOf(url);
  const database = new Database({ url, tell });
  const giveUpAt = stopwatch() + patienceMilliseconds;
  for (;;) {
    try {
      return { database, place, ...(await migrate(database)) };
    } catch (error) {
      const final = finalError(error, place, stopwatch() > giveUpAt);
      if (final) throw final;
      await sleep(pauseMilliseconds);
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
      : 'see what --store says: host, user, password, database, parameters';
  if (!isOfConnection(error)) return new ExitError(`${words}; ${hint}`, exitCodes.configuration, { cause: error });
  return isLate ? new Error(`${words}; see that it runs, and that --store names it`, { cause: error }) : undefined;
}

/** The URL without user, password and parameters. @throws UsageError, without the URL: it may have a password */
function placeOf(text: string): string {
  const form = 'postgres://user:password@host:5432/database';
  const escapes = 'and in a password %2F for a slash, %23 for a #';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || isCutByPassword(url))
    throw new UsageError(
      `the store (--store, SACHET_STORE) is no URL of a database; give one such as ${form}, ${escapes}`,
    );
  if (url.pathname.length < 2)
    throw new UsageError(`the store ${url.protocol}//${url.host} names no database; give one such as ${form}`);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** True if the password has a `/`, `?` or `#` that is not escaped: then parts of it look like the database's name. */
const isCutByPassword = ({ pathname, search, hash }: URL): boolean =>
  hash !== '' || pathname.includes('@') || (pathname.length < 2 && search.includes('@'));
