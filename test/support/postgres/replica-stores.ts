// The stores of the servers of a test: one for each, over one database, as servers have them that share it.
import { Database } from '../../../src/stores/postgres/database.ts';
import { migrate } from '../../../src/stores/postgres/open-store.ts';
import { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts';
import { apart, type SharedStore } from './apart.ts';
import { freshDatabase } from './schema.ts';

const replicas = 3;

/** Of a new database of the run's server; they share its connections. */
async function open(): Promise<readonly SharedStore[]> {
  const { url } = await freshDatabase({ url: process.env.TEST_POSTGRES ?? '' });
  const database = new Database({ url, notify: (words) => console.warn(words) });
  await migrate(database);
  return Array.from({ length: replicas }, () => new PostgresStore(database));
}

/** To make a database takes longer than most tests: those of a worker share one. */
let shared: Promise<readonly SharedStore[]> | undefined;
let tests = 0;

/** @param isCounted whether it matters how many sandboxes there are in the database: then it is the test's own */
export function replicaStores(isCounted: boolean): readonly SharedStore[] {
  shared ??= open();
  const opening = isCounted ? open() : shared;
  tests += 1;
  const prefix = `${tests}/`;
  return Array.from({ length: replicas }, (_, index) =>
    apart({
      opening: opening.then((stores) => stores[index] as SharedStore),
      prefix,
      isCrowded: !isCounted,
    }),
  );
}
