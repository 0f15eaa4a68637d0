// Three servers over one database, and what each of them answers.
import type { ControlClient } from '../../../src/client/control-client.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import { call, controlOf, type Place, placeOf, postLogin } from './partner.ts';
import { databaseOfTest, enginesAt } from './stores.ts';

/** Sandboxes whose seeds nobody can guess. */
export const unseeded = { randomSeed: undefined } as Partial<EngineOptions>;

export async function three(options: Partial<EngineOptions> = {}) {
  const url = await databaseOfTest();
  const engines = await enginesAt(url, 3, options);
  const places = engines.map(placeOf) as [Place, Place, Place];
  const controls = places.map(controlOf) as [ControlClient, ControlClient, ControlClient];
  /** What each of them answers. */
  const each = <T>(work: (place: Place) => Promise<T>): Promise<T[]> => Promise.all(places.map(work));
  return { url, engines, places, controls, each };
}

/** The status of a list of products. */
export const products =
  (token: string, base = '') =>
  async (place: Place) =>
    (await call(place, 'GET', `${base}/v2/products`, { token })).status;

/** The status of a login. */
export const loggedIn =
  (username: string, base = '') =>
  async (place: Place) =>
    (await postLogin(place, username, base)).status;

export const namesOf = async (place: Place): Promise<string[]> =>
  (await controlOf(place).list()).sandboxes.map(({ name }) => name).toSorted();
