// Databases on the server of the run, and stores over one, as several servers have them. The tests of a worker share the database: each
// test sees only the sandboxes with its own prefix.
import { randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import type { SharedStore as Shared, Store } from '../../../../src/state/store.ts';
import { Database } from '../../../../src/stores/postgres/database.ts';
import { migrate } from '../../../../src/stores/postgres/open-store.ts';
import { PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts';
import { machineTime } from '../../../../src/system/time.ts';

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

type SharedStore = Store & { readonly shared: Shared };

const replicas = 3;

async function open(): Promise<readonly SharedStore[]> {
  const { url } = await freshDatabase();
  const database = new Database({ url, notify: (text) => console.warn(text) });
  await migrate(database);
  return Array.from({ length: replicas }, () => new PostgresStore(database));
}

/** Creating a database takes longer than most tests. */
let common: Promise<readonly SharedStore[]> | undefined;
let tests = 0;

/** @param isCounted whether the number of sandboxes in the database matters: then the test gets its own */
export function replicaStores(isCounted: boolean): readonly SharedStore[] {
  common ??= open();
  const opening = isCounted ? open() : common;
  tests += 1;
  const prefix = `${tests}/`;
  return Array.from({ length: replicas }, (_, index) =>
    prefixed(
      opening.then((stores) => stores[index] as SharedStore),
      prefix,
      isCounted,
    ),
  );
}

function prefixed(opening: Promise<SharedStore>, prefix: string, isCounted: boolean): SharedStore {
  const by = async <T>(work: (store: SharedStore) => T | Promise<T>): Promise<T> => work(await opening);
  const own = <Named extends { readonly name: string }>(all: readonly Named[]): Named[] =>
    all.flatMap((one) => (one.name.startsWith(prefix) ? [{ ...one, name: one.name.slice(prefix.length) }] : []));
  return {
    names: () => by(async (store) => own((await store.names()).map((name) => ({ name }))).map(({ name }) => name)),
    load: (name, version) => by((store) => store.load(prefix + name, version)),
    append: (name, ...rest) => by((store) => store.append(prefix + name, ...rest)),
    remove: (name) => by((store) => store.remove(prefix + name)),
    problem: () => undefined,
    shared: {
      // A test can move the machine's time, but not the database's.
      now: machineTime,
      noteUse: (name) => void by(({ shared }) => shared.noteUse(prefix + name)),
      release: (name) => void by(({ shared }) => shared.release(prefix + name)),
      journals: {
        write: (name, row) => by(({ shared }) => shared.journals.write(prefix + name, row)),
        read: (name, from) => by(({ shared }) => shared.journals.read(prefix + name, from)),
        clear: (name) => by(({ shared }) => shared.journals.clear(prefix + name)),
      },
      list: () => by(async ({ shared }) => own(await shared.list())),
      makeRoom: (most) => (isCounted ? by(({ shared }) => shared.makeRoom(most)) : Promise.resolve(true)),
    },
  };
}
