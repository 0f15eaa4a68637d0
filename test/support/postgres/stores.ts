// Stores over a database of the test's own, and engines over stores: each as a server of its own has them.
import { onTestFinished } from 'vitest';
import { createEngine } from '../../../src/app.ts';
import type { Engine, EngineOptions } from '../../../src/engine.ts';
import { Database } from '../../../src/stores/postgres/database.ts';
import { migrate } from '../../../src/stores/postgres/open-store.ts';
import { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts';
import { fixtures, noon, scenarios } from '../sachet.ts';
import { freshDatabase } from './schema.ts';

/** The URL of a new database on the server of the run, which goes with the test. */
export async function databaseOfTest(server = { url: process.env.TEST_POSTGRES ?? '' }): Promise<string> {
  const { url, drop } = await freshDatabase(server);
  onTestFinished(drop);
  return url;
}

/** A store over this database, closed with the test. */
export async function storeAt(url: string): Promise<PostgresStore> {
  const database = new Database({ url, notify: () => undefined });
  await migrate(database);
  const store = new PostgresStore(database);
  onTestFinished(() => store.close());
  return store;
}

export const adminKey = 'the-key-of-all-replicas';

/** So many engines, each over a store of its own; all are closed with the test. */
export async function enginesAt(url: string, count: number, options: Partial<EngineOptions> = {}): Promise<Engine[]> {
  const engines: Engine[] = [];
  for (let made = 0; made < count; made += 1) {
    const store = await storeAt(url);
    const told = { fixtures, scenarios, clock: noon, randomSeed: 'test', adminKey, store, ...options };
    const engine = createEngine({ ...told, onFailure: () => undefined });
    await engine.sandboxes.open();
    onTestFinished(() => engine.close());
    engines.push(engine);
  }
  return engines;
}

/** A password that is told to nobody. */
export const secret = 'told-to-nobody';

export function withPassword(url: string): string {
  const told = new URL(url);
  told.password = secret;
  return told.href;
}
