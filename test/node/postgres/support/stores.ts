// Databases on the server of the run, stores over them, and engines over stores.
import { randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import { onTestFinished } from 'vitest';
import { createEngine } from '../../../../src/app.ts';
import type { Engine, EngineOptions } from '../../../../src/engine.ts';
import { Database } from '../../../../src/stores/postgres/database.ts';
import { migrate } from '../../../../src/stores/postgres/open-store.ts';
import { PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts';
import { fixtures, noon, scenarios } from '../../../support/sachet.ts';

/** Runs a statement on a new connection; returns its rows. */
export async function ask(url: string, statement: string, values: unknown[] = []): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: url });
  // A broken connection also rejects the query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** The server of the run, which `global.ts` starts. */
const sharedServer = () => ({ url: process.env.TEST_POSTGRES ?? '' });

/** Creates an empty database; returns its URL and a function that drops it. */
export async function freshDatabase(server: { readonly url: string } = sharedServer()) {
  const name = `t${randomBytes(8).toString('hex')}`;
  // The default template cannot be copied while another client is connected to it.
  await ask(server.url, `create database ${name} template template0`);
  const url = new URL(server.url);
  url.pathname = name;
  const drop = () => ask(server.url, `drop database if exists ${name} with (force)`);
  return { url: url.href, drop };
}

/** The URL of a new database, dropped after the test. */
export async function databaseOfTest(server?: { readonly url: string }): Promise<string> {
  const { url, drop } = await freshDatabase(server);
  onTestFinished(() => drop().then(() => undefined));
  return url;
}

/** A store over a database, closed after the test. */
export async function storeAt(url: string): Promise<PostgresStore> {
  const database = new Database({ url, notify: () => undefined });
  await migrate(database);
  const store = new PostgresStore(database);
  onTestFinished(() => store.close());
  return store;
}

export const adminKey = 'the-key-of-all-replicas';

/** Engines over one database, each with its own store, closed after the test. */
export async function enginesAt(url: string, count: number, options: Partial<EngineOptions> = {}): Promise<Engine[]> {
  const engines: Engine[] = [];
  for (let made = 0; made < count; made += 1) {
    const store = await storeAt(url);
    const settings = { fixtures, scenarios, clock: noon, randomSeed: 'test', adminKey, store, ...options };
    const engine = createEngine({ ...settings, onFailure: () => undefined });
    await engine.sandboxes.open();
    onTestFinished(() => engine.close());
    engines.push(engine);
  }
  return engines;
}

/** A password that no message may contain. */
export const secret = 'told-to-nobody';

export function withPassword(url: string): string {
  const changed = new URL(url);
  changed.password = secret;
  return changed.href;
}

/** The number of rows of each table. */
export async function rowCounts(url: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['sandboxes', 'changes', 'documents', 'journals', 'journal_rows'])
    counts[table] = (await ask(url, `select count(*)::int as n from ${table}`))[0]?.n;
  return counts;
}

/** The versions in the table of changes, for a database with one sandbox. */
export const versionsIn = async (url: string): Promise<number[]> =>
  (await ask(url, 'select version::int from changes order by version')).map(({ version }) => version);
