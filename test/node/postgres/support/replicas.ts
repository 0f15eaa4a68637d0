// Servers over one database, and the calls of a partner to them.
import { expect } from 'vitest';
import { type ControlClient, controlClient, type Fetch } from '../../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../../src/client/sandbox-control.ts';
import type { Engine, EngineOptions } from '../../../../src/engine.ts';
import { call as callUrl } from '../../../support/command.ts';
import { someAddress, someOrder } from '../../../support/order-requests.ts';
import { passwordOf } from '../../../support/sachet.ts';
import { adminKey, databaseOfTest, enginesAt } from './stores.ts';

/** A server that calls go to: an engine of this process, or one behind a URL. */
export interface Place {
  readonly url: string;
  readonly fetch: Fetch;
}

export const placeOf = ({ fetch }: Engine): Place => ({ url: 'http://localhost:4010', fetch });
export const placeAt = (url: string): Place => ({ url, fetch: globalThis.fetch });
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

/** Three engines over a new database. */
export async function three(options: Partial<EngineOptions> = {}) {
  const url = await databaseOfTest();
  const engines = await enginesAt(url, 3, options);
  const places = engines.map(placeOf) as [Place, Place, Place];
  const controls = places.map(controlOf) as [ControlClient, ControlClient, ControlClient];
  const stages = controls.map((control) => control.sandbox('stage')) as [
    SandboxControl,
    SandboxControl,
    SandboxControl,
  ];
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

export interface Written {
  /** Order ids by mark, of the responses with 201. */
  readonly acknowledged: Map<string, string>;
  /** Other responses, and broken connections as status 0. */
  readonly others: string[];
}

/** Posts an order with a mark in its address. */
export const postMarked = (place: Place, token: string, mark: string) =>
  call(place, 'POST', '/v2/orders', {
    token,
    body: someOrder({ shipping_address: { ...someAddress, address1: mark } }),
  });

/** Eight writers send orders to the servers in turn while `continues` is true. */
export async function writeOrders(places: readonly Place[], token: string, continues: (written: Written) => boolean) {
  const written: Written = { acknowledged: new Map(), others: [] };
  let next = 0;
  const write = async () => {
    while (continues(written)) {
      const n = next++;
      const post = postMarked(places[n % places.length] as Place, token, `mark ${n}`);
      const { status, body, text } = await post.catch((error) => ({ status: 0, text: String(error), body: undefined }));
      if (status === 201) written.acknowledged.set(`mark ${n}`, body.order.id);
      else written.others.push(`${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return written;
}

/** Writes orders before, during and after something happens: so many are acknowledged before it, and after it. */
export async function writeDuring(
  places: readonly Place[],
  token: string,
  orders: number,
  happen: (written: () => Written) => Promise<unknown>,
): Promise<Written> {
  let [latest, enough] = [{ acknowledged: new Map(), others: [] } as Written, Number.POSITIVE_INFINITY];
  const writing = writeOrders(places, token, (written) => {
    latest = written;
    return written.acknowledged.size < enough;
  });
  try {
    await expect.poll(() => latest.acknowledged.size, { interval: 1 }).toBeGreaterThan(orders);
    await happen(() => latest);
  } finally {
    enough = latest.acknowledged.size + orders;
  }
  return writing;
}

/** Expects every acknowledged order once on a server. Returns the number of marked orders. */
export async function expectStored(place: Place, { acknowledged }: Written): Promise<number> {
  const { orders } = await controlOf(place).sandbox('stage').records.orders.list();
  const marked = orders.filter(({ shipping_address }) => shipping_address.address1.startsWith('mark '));
  const stored = new Map(marked.map(({ id, shipping_address }) => [shipping_address.address1, id]));
  expect([...acknowledged].filter(([mark, id]) => stored.get(mark) !== id)).toEqual([]);
  expect(stored.size, 'different marks').toBe(marked.length);
  expect(new Set(orders.map(({ id }) => id)).size, 'different ids').toBe(orders.length);
  return marked.length;
}
