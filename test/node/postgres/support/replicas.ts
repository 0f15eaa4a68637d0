// Servers over one database, and the calls of a partner to them.
import { expect, onTestFinished } from 'vitest';
import { createEngine } from '../../../../src/app.ts';
import { type ControlClient, controlClient } from '../../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../../src/client/sandbox-control.ts';
import type { Engine, EngineOptions } from '../../../../src/engine.ts';
import { Database } from '../../../../src/stores/postgres/database.ts';
import { migrate } from '../../../../src/stores/postgres/open-store.ts';
import { PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts';
import { call as callUrl } from '../../../support/command.ts';
import { type AcknowledgedWrites, ordersIn, type Place } from '../../../support/marked-orders.ts';
import { fixtures, noon, passwordOf, scenarios } from '../../../support/sachet.ts';
import { ask, freshDatabase } from './replica-stores.ts';

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

export const placeOf = ({ fetch }: Engine): Place => ({ url: 'http://localhost:4010', fetch });
const controlOf = (place: Place): ControlClient => controlClient({ ...place, adminKey });

export const call = (
  { url, fetch }: Place,
  method: string,
  path: string,
  sent: { readonly token?: string; readonly body?: unknown } = {},
) => callUrl(method, url + path, { ...sent, fetch });

/** Sends a login; the tag of `demo+tag` does not change the password. */
export const postLogin = (place: Place, username = 'demo', base = '') =>
  call(place, 'POST', `${base}/v2/authentication/token`, { body: { username, password: passwordOf(username) } });

export async function logIn(place: Place, username = 'demo'): Promise<string> {
  const { body, text } = await postLogin(place, username);
  if (!body?.access_token) throw new Error(`the login of ${username} was rejected: ${text}`);
  return body.access_token;
}

export type Three<T> = [T, T, T];

/** Three engines over a new database. */
export async function three(options: Partial<EngineOptions> = {}) {
  const url = await databaseOfTest();
  const engines = await enginesAt(url, 3, options);
  const places = engines.map(placeOf) as Three<Place>;
  const controls = places.map(controlOf) as Three<ControlClient>;
  const stages = controls.map((control) => control.sandbox('stage')) as Three<SandboxControl>;
  /** The results for each of them. */
  const each = <T>(work: (place: Place) => Promise<T>): Promise<T[]> => Promise.all(places.map(work));
  return { url, engines, places, controls, stages, each };
}

/** The status of a list of products. */
export const products = (token: string) => async (place: Place) =>
  (await call(place, 'GET', '/v2/products', { token })).status;

/** The status of a login. */
export const loggedIn =
  (username: string, base = '') =>
  async (place: Place) =>
    (await postLogin(place, username, base)).status;

export const namesOf = async (place: Place): Promise<string[]> =>
  (await controlOf(place).list()).sandboxes.map(({ name }) => name).toSorted();

/** Expects every acknowledged order once on a server. Returns the number of marked orders. */
export async function expectStored(place: Place, writes: AcknowledgedWrites): Promise<number> {
  const all = await ordersIn(controlOf(place), /^/);
  const marked = all.filter(({ mark }) => mark.startsWith('mark '));
  const ids = new Set(all.map(({ id }) => id));
  expect([writes.lost(all), writes.doubled(marked), ids.size]).toEqual([[], [], all.length]);
  return marked.length;
}
