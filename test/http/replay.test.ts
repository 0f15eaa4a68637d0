// The same seed, frozen clock and calls give the same bytes (product.md, "What no other sandbox has", 8); without a seed nothing that
// is drawn agrees.
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { type BareSachet, bareSachet, send } from '../support/bare-sachet.ts';
import { unseeded } from '../support/control.ts';
import { someOrder } from '../support/order-requests.ts';
import { baseOf, journalOf, Scribe, stateOf } from '../support/transcript.ts';

/** Calls of every kind, with faults by chance, in a sandbox; what was answered. */
async function play(sachet: BareSachet, name = 'stage'): Promise<readonly string[]> {
  const control = sachet.control.sandbox(name);
  const scribe = new Scribe(sachet, baseOf(name));
  await control.switches.set({ server_error: { probability: 0.3, match: { operation: 'orders.create' } } });
  await control.faults.create({ status: 404, probability: 0.5, match: { operation: 'products.list' } });
  await control.switches.set({ connection: { drop: 'after_processing', probability: 0.2, match: { method: 'POST' } } });
  await control.assumptions.set({ fulfillment_timeline: 'automatic' });
  for (let round = 0; round < 12; round += 1) {
    await scribe.logIn();
    await scribe.refresh();
    await scribe.order(someOrder({ consumer: { first_name: 'Ada', last_name: `Round ${round}` } }));
    await scribe.order(someOrder({ shipping_address: { address1: 'x'.repeat(100) } }));
    await scribe.get('/v2/products');
    await scribe.page();
    await scribe.label();
    await scribe.ofOrder('GET');
    await scribe.ofOrder('POST', '/cancel');
    await scribe.get('/v2/orders?limit=100');
    await scribe.get('/v2/nothing');
    await control.clock.advance({ by: ['PT1S', 'PT20M', 'P2D'][round % 3] });
  }
  return scribe.lines;
}

const played = async (options: Partial<EngineOptions> = {}) => play(bareSachet(options));

describe('the same seed, frozen clock and calls', () => {
  test('give the same bytes in two servers', async () => {
    const [one, other] = [await played(), await played()];
    expect(one).toEqual(other);
    const kinds = ['[200,', '[201,', '[404,', '[422,', '[403,', '[500,', 'fetch failed', 'label_url', 'next_cursor'];
    expect(kinds.filter((kind) => !one.some((line) => line.includes(kind)))).toEqual([]);
  });

  test('give the same bytes, and the same state, over the store of the run, by one server or three, as by one in memory', async () => {
    const [here, inMemory] = [bareSachet(), bareSachet({ store: undefined })];
    expect(await play(here)).toEqual(await play(inMemory));
    expect(await stateOf(here, 'stage')).toEqual(await stateOf(inMemory, 'stage'));
  });

  test('give the same journal and the same state', async () => {
    const [one, other] = [bareSachet(), bareSachet()];
    await play(one);
    await play(other);
    expect(await journalOf(one, 'stage')).toEqual(await journalOf(other, 'stage'));
    expect(await stateOf(one, 'stage')).toEqual(await stateOf(other, 'stage'));
  });

  test('give the same bytes after a reset as in a fresh sandbox', async () => {
    const sachet = bareSachet();
    const control = sachet.control.sandbox('stage');
    const first = await play(sachet);
    await control.records.orders.create({ ...(await control.records.orders.list()).orders[0], id: undefined });
    await control.scenarios.apply('lost-answer');
    await control.assumptions.set({ profile: 'strict' });
    await control.reset();
    expect(await play(sachet)).toEqual(first);
    expect(await stateOf(sachet, 'stage')).toEqual(await stateOf(await freshlyPlayed(), 'stage'));
  });

  test('give the same bytes after a restore as after the snapshot', async () => {
    const sachet = bareSachet();
    const control = sachet.control.sandbox('stage');
    const scribe = new Scribe(sachet, baseOf('stage'));
    await control.switches.set({ server_error: { probability: 0.5 } });
    for (let n = 0; n < 7; n += 1) await scribe.logIn();
    await control.snapshots.create({ name: 'base' });
    const went = async () => {
      const after = new Scribe(sachet, baseOf('stage'));
      for (let n = 0; n < 15; n += 1) await after.logIn();
      await after.order(someOrder());
      return after.lines;
    };
    const first = await went();
    await control.clock.advance({ by: 'P2D' });
    await control.snapshots.restore('base');
    expect(await went()).toEqual(first);
  });

  test('give the same bytes in a sandbox that was deleted and made again with its seed', async () => {
    const sachet = bareSachet(unseeded);
    const lives: unknown[] = [];
    for (let life = 0; life < 2; life += 1) {
      await sachet.control.create({ name: 'w1', random_seed: 'a seed of its own' });
      lives.push(await play(sachet, 'w1'));
      await sachet.control.sandbox('w1').delete();
    }
    expect(lives[1]).toEqual(lives[0]);
  });

  test('give other bytes under another seed, and in another sandbox of the same seed', async () => {
    const lines = [await played(), await played({ randomSeed: 'other' }), await play(bareSachet(), 'production')];
    const [one = [], ...others] = lines.map((all) => all.filter((line) => line.includes('access_token')));
    for (const other of others) expect(other.filter((line) => one.includes(line))).toEqual([]);
  });
});

async function freshlyPlayed(): Promise<BareSachet> {
  const sachet = bareSachet();
  await play(sachet);
  return sachet;
}

/** All that is drawn for a client: an order's ids, the token with its name and signature, the label's signature. */
async function drawnIn(sachet: BareSachet, name: string): Promise<string[]> {
  const asked = async (method: string, path: string, sent: Parameters<typeof send>[3] = {}) =>
    // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
    (await send(sachet, method, baseOf(name) + path, sent)).json() as Promise<any>;
  const login = { username: 'demo', password: 'sachet-demo' };
  const { access_token: token, refresh_token } = await asked('POST', '/v2/authentication/token', { body: login });
  const consumer = { first_name: 'Ada', last_name: 'Lovelace' };
  const { order } = await asked('POST', '/v2/orders', { token, body: someOrder({ consumer }) });
  const { fulfillments } = await asked('GET', '/v2/fulfillments', { token });
  const signatures = [token, refresh_token].map((jwt: string) => jwt.split('.')[2]);
  const names = [token, refresh_token].map((jwt: string) => decodeJwt(jwt).jti);
  const label = new URL(fulfillments[0].label_url).searchParams.get('X-Amz-Signature');
  return [order.id, order.consumer.id, ...signatures, ...names, label].map(String);
}

describe('without a seed', () => {
  test('ids, tokens and keys differ between two servers, and between two sandboxes of one', async () => {
    const [one, other] = [bareSachet(unseeded), bareSachet(unseeded)];
    await one.control.create({ name: 'w1' });
    const all = [await drawnIn(one, 'stage'), await drawnIn(one, 'w1'), await drawnIn(other, 'stage')].flat();
    expect(new Set(all).size).toBe(all.length);
  });

  test('they differ between two lives of a sandbox that was deleted and made again, but not over a reset', async () => {
    const sachet = bareSachet(unseeded);
    await sachet.control.create({ name: 'w1' });
    const first = await drawnIn(sachet, 'w1');
    await sachet.control.sandbox('w1').reset();
    expect(await drawnIn(sachet, 'w1')).toEqual(first);
    await sachet.control.sandbox('w1').delete();
    await sachet.control.create({ name: 'w1' });
    const second = await drawnIn(sachet, 'w1');
    expect(second.filter((text) => first.includes(text))).toEqual([]);
  });
});
