// The database of a server: reached, its tables made or brought up to date, and its connections given back when the server has ended.

import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from '../../control/clock.ts';
import type { Store } from '../../state/store.ts';
import { ExitError, exitCodes, UsageError } from '../errors.ts';
import { Database, describe, isOfConnection } from './database.ts';
import { PostgresStore } from './postgres-store.ts';
import { type Migrated, migrate } from './schema.ts';

type Tell = (words: string) => void;

/** A database and a server may be started together. */
const patienceMilliseconds = 15_000;
const pauseMilliseconds = 250;

export interface OpenStore {
  /** Where the database is, without who one is there. */
  readonly place: string;
  /** How many sandboxes there were. */
  readonly sandboxes: number;
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Opens the store of a database, whose tables are made where there are none.
 * @throws UsageError for a URL that names no database; ExitError 78 for one that does not let this user in, or that a newer version has made
 */
export async function openStore(url: string, tell: Tell): Promise<OpenStore> {
  const { database, place } = await migrated(url, tell);
  const store = new PostgresStore(database);
  try {
    const sandboxes = (await store.names()).length;
    return { place, sandboxes, store, close: () => store.close() };
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

/** Makes a database's tables, or brings them up to date: `sachet store migrate`. @throws as openStore does */
export async function migrateStore(url: string, tell: Tell): Promise<Migrated & { readonly place: string }> {
  const { database, place, ...done } = await migrated(url, tell);
  await database.close();
  return { ...done, place };
}

async function migrated(url: string, tell: Tell) {
  const place = placeOf(url);
  const database = new Database({ url, tell });
  try {
    return { database, place, ...(await reached(place, () => migrate(database))) };
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
}

/** Waits for a database that does not answer yet. */
async function reached<T>(place: string, work: () => Promise<T>): Promise<T> {
  for (const from = stopwatch(); ; await sleep(pauseMilliseconds)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ExitError) throw error;
      const [words, hint] = [
        `the database at ${place} cannot be used: ${describe(error)}`,
        'see what --store says: host, user, password, database, parameters',
      ];
      if (!isOfConnection(error)) throw new ExitError(`${words}; ${hint}`, exitCodes.configuration, { cause: error });
      if (stopwatch() - from > patienceMilliseconds)
        throw new Error(`${words}; see that it runs, and that --store names it`, { cause: error });
    }
  }
}

/** The URL without user, password and parameters. @throws UsageError, which does not tell the URL: a password may stand in it */
function placeOf(text: string): string {
  const form = 'postgres://user:password@host:5432/database';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || isCutByPassword(url))
    throw new UsageError(
      `the store (--store, SACHET_STORE) is no URL of a database; give one such as ${form}, and in a password %2F for a slash, %23 for a #`,
    );
  if (url.pathname.length < 2)
    throw new UsageError(`the store ${url.protocol}//${url.host} names no database; give one such as ${form}`);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A `/`, `?` or `#` of the password that is not written as `%2F`, `%3F`, `%23`: the rest of it stands where output names the database. */
const isCutByPassword = ({ pathname, search, hash }: URL): boolean =>
  hash !== '' || pathname.includes('@') || (pathname.length < 2 && search.includes('@'));
