// Named snapshots and state documents: created, listed and deleted; what a restore or an import brings back, and which documents are rejected.
import { describe, expect, test } from 'vitest';
import type { StateDocument } from '../../../src/contract/control/state.ts';
import { controlled, everything, failureOf, machineAt } from '../../support/control.ts';
import { fulfillmentId, unknownId } from '../../support/order-requests.ts';
import { fixtures, noon, testSachet } from '../../support/sachet.ts';
import { scenariosOf } from '../../support/scenarios.ts';
import { refresh } from '../../support/tokens.ts';

function snapshots(options: Parameters<typeof controlled>[0] = {}) {
  const server = controlled(options);
  const path = '/sandboxes/stage/snapshots';
  return {
    ...server,
    take: (name: unknown) => server.admin('POST', path, { name }),
    list: async () => (await server.admin('GET', path)).body.snapshots,
    get: (name: string) => server.admin('GET', `${path}/${name}`),
    drop: (name: string) => server.admin('DELETE', `${path}/${name}`),
    restore: (name: string) => server.admin('POST', `${path}/${name}/restore`),
    switches: async (patch: object = {}) => (await server.admin('PATCH', '/sandboxes/stage/switches', patch)).body,
    advance: (seconds: number) => server.admin('POST', '/sandboxes/stage/clock/advance', { seconds }),
  };
}

describe('a snapshot', () => {
  test('is created, listed, read and deleted, with the time of its own sandbox', async () => {
    const { take, list, get, drop, advance, admin } = snapshots();
    expect(await list()).toEqual([]);
    const one = { name: 'one', created_at: noon };
    const created = await take('one');
    expect([created.status, created.body]).toEqual([201, one]);
    await advance(1);
    const two = { name: 'two', created_at: '2026-11-20T12:00:01.000Z' };
    expect((await take('two')).body).toEqual(two);
    expect(failureOf(await take('one'))).toEqual([409, expect.stringContaining('"one"')]);
    expect([await list(), (await get('two')).body]).toEqual([[one, two], two]);
    expect((await admin('GET', '/sandboxes/production/snapshots')).body.snapshots).toEqual([]);
    expect((await admin('POST', '/sandboxes/production/snapshots/one/restore')).status).toBe(404);
    expect((await drop('one')).status).toBe(204);
    expect([await list(), (await get('one')).status]).toEqual([[two], 404]);
    expect((await take('one')).status).toBe(201);
  });

  test('has a valid name', async () => {
    const { take, list } = snapshots();
    for (const name of ['A', 'a/b', 'x'.repeat(64), undefined]) {
      const { status, body } = await take(name);
      expect([status, body.details[0].field], String(name)).toEqual([422, 'name']);
    }
    expect(await list()).toEqual([]);
    expect((await take('x'.repeat(63))).status).toBe(201);
  });

  test('that does not exist is 404 with those that do', async () => {
    const server = snapshots();
    await server.take('one');
    await server.take('two');
    const { versions } = await everything(server);
    for (const name of ['three', '__proto__'])
      for (const ask of [server.get, server.drop, server.restore])
        expect(failureOf(await ask(name))).toEqual([404, expect.stringContaining('available: one, two')]);
    expect((await everything(server)).versions).toEqual(versions);
  });

  test('is one of at most a hundred', async () => {
    const { take, list, drop } = snapshots();
    for (let n = 0; n < 100; n += 1) expect((await take(`s${n}`)).status).toBe(201);
    expect(failureOf(await take('one-more'))).toEqual([422, expect.stringContaining('100 snapshots')]);
    expect(await list()).toHaveLength(100);
    await drop('s50');
    expect((await take('one-more')).status).toBe(201);
  });
});

describe('a restore', () => {
  test('brings switches back with what remained of them', async () => {
    const { sachet, take, restore, switches } = snapshots();
    const client = await sachet.login();
    await switches({ rate_limit: { burst: 3 } });
    const call = async () => (await client.get('/v2/products')).status;
    expect(await call()).toBe(429);
    await take('one');
    const kept = await switches();
    expect(kept.rate_limit).toMatchObject({ hits: 1, remaining: 2 });
    expect([await call(), await call(), await call()]).toEqual([429, 429, 200]);
    await switches({ rate_limit: null, server_error: {} });
    await restore('one');
    expect(await switches()).toEqual(kept);
    expect([await call(), await call(), await call()]).toEqual([429, 429, 200]);
  });

  test('brings the instant of a frozen clock back, and the difference of a running one from real time', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    for (const [clock, expected] of [
      [noon, { now: noon, frozen: true, rate: 1 }],
      [`${noon}+`, { now: '2026-11-20T12:00:05.000Z', frozen: false, rate: 1 }],
    ] as const) {
      const { admin, take, restore, advance } = snapshots({ clock });
      await take('one');
      await advance(86_400);
      move(5000);
      await admin('PATCH', '/sandboxes/stage/clock', { frozen: false, rate: 60 });
      await restore('one');
      expect((await admin('GET', '/sandboxes/stage/clock')).body).toEqual(expected);
    }
  });

  test('makes a refresh token valid again that was used since', async () => {
    const { sachet, take, restore } = snapshots({ assumptions: { refresh_token_lifetime: 'single_use' } });
    const { refreshToken } = await sachet.login();
    await take('one');
    const spend = async () => (await refresh(sachet, refreshToken)).status;
    expect([await spend(), await spend()]).toEqual([200, 401]);
    await restore('one');
    expect([await spend(), await spend()]).toEqual([200, 401]);
  });
});

const path = '/sandboxes/stage/state';

/** A state with an expired generation, a switch, a used refresh token and gaps in its lists. */
async function exported() {
  const orders = fixtures.orders.slice(0, 2);
  const fulfillments = fixtures.fulfillments.filter(({ order_id }) => orders.some(({ id }) => id === order_id));
  const assumptions = { refresh_token_lifetime: 'single_use' } as const;
  const server = controlled({ assumptions, fixtures: { ...fixtures, orders, fulfillments } });
  const { refreshToken } = await server.sachet.login();
  await server.sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: refreshToken } });
  await server.admin('PATCH', '/sandboxes/stage/switches', { token_expiry: { expire_issued: true } });
  await server.admin('DELETE', `/sandboxes/stage/fulfillments/${fulfillmentId(1)}`);
  return { ...server, document: (await server.admin('GET', path)).body as StateDocument };
}

type Changes = (document: StateDocument) => object;
const most = Number.MAX_SAFE_INTEGER;
const layers = (...names: string[]) => names.map((name) => ({ name, applied_at: 0, assumptions: {}, records: [] }));
const numbered = Array.from({ length: 201 }, (_, n) => `s${n}`);
/** The document's own override with these changes. */
const override =
  (changes: object): Changes =>
  ({ levers: [one] }) => ({ levers: [{ ...one, ...changes }] });
const fault = (name: string) =>
  override({
    ...{ id: name, name, kind: 'fault', turn: 'fault', scenario: null, generation: null },
    settings: { status: 500 },
  });
const data =
  (changes: (data: StateDocument['data']) => object): Changes =>
  (document) => ({ data: { ...document.data, ...changes(document.data) } });
const ofUnknownBrand = data(({ packs: [pack] }) => ({ packs: [{ ...pack, brand_id: unknownId }] }));
const withOneNumber: Changes = ({ sequences }) => ({ sequences: { ...sequences, orders: [0] } });
const withOnes: Changes = ({ data }) => ({ sequences: { accounts: data.accounts.map(() => 1) } });
const withSpentTwice: Changes = ({ spent_refresh_tokens: [one] }) => ({ spent_refresh_tokens: [one, one] });
const listed = /^found "one", expected a scenario that is not listed/;
const unapplied = /^found "two", expected the name of an applied scenario, or null$/;

const rejected: readonly (readonly [change: Changes, field: string, message: RegExp])[] = [
  [() => ({ sachet_state: 2 }), 'sachet_state', /1/],
  [() => ({ journal: [] }), '', /one of sachet_state/],
  [() => ({ expired: { tokens: 9, labels: 0 } }), 'expired.tokens', /^found 9, expected at most/],
  [() => ({ generations: { tokens: most, labels: 0 } }), 'generations.tokens', /./],
  [({ clock }) => ({ clock: { ...clock, rate: -1 } }), 'clock.rate', /a number above 0$/],
  [({ clock }) => ({ clock: { ...clock, now: -1 } }), 'clock.now', /./],
  [data(() => ({ packs: undefined })), 'data.packs', /a list$/],
  [ofUnknownBrand, 'data.packs[0].brand_id', /^found ".*", expected the id of a record in brands$/],
  [withOneNumber, 'sequences.orders', /^found 1 numbers, expected one for each row: \d+$/],
  [withOnes, 'sequences.accounts[1]', /^found 1, expected a number greater than the previous one$/],
  [({ counters }) => ({ counters: { ...counters, orders: 1 } }), 'counters.orders', /^found 1, expected at least \d+/],
  [({ counters }) => ({ counters: { ...counters, 'ids of orders': most } }), 'counters["ids of orders"]', /./],
  [() => ({ counters: Object.fromEntries(numbered.map((name) => [name, 1])) }), 'counters', /./],
  [withSpentTwice, 'spent_refresh_tokens[1].id', /not used before/],
  [override({ id: 'x' }), 'levers[0].id', /^found "x", expected "token_expiry"$/],
  [override({ kind: 'x' }), 'levers[0].kind', /^found "x", expected .*the name of a switch/],
  [override({ hidden: true }), 'levers[0].hidden', /^found true, expected false/],
  [override({ scenario: 'two', id: 'token_expiry@two' }), 'levers[0].scenario', unapplied],
  [fault('a\nb'), 'levers[0].name', /./],
  [fault('rate_limit'), 'levers[0].name', /./],
  [() => ({ scenarios: layers(...numbered) }), 'scenarios', /a list with at most 200 items$/],
  [() => ({ scenarios: layers('no-pga') }), 'scenarios[0].name', /./],
  [() => ({ scenarios: layers('one', 'one') }), 'scenarios[1].name', listed],
];

describe('a state document', () => {
  test('an invalid document is rejected, and nothing changes', async () => {
    const { admin, document } = await exported();
    expect((await admin('PUT', path, document)).status).toBe(200);
    const before = (await admin('GET', path)).body;
    for (const [change, field, message] of rejected) {
      const { status, body } = await admin('PUT', path, { ...document, ...change(document) });
      expect(status, field).toBe(422);
      expect(body.details).toContainEqual({ field, message: expect.stringMatching(message) });
    }
    const packs = Array.from({ length: 60 }, (_, n) => ({ id: `P${n}`, brand_id: unknownId, name: 'X' }));
    const many = await admin('PUT', path, { ...document, data: { ...document.data, packs } });
    expect(many.body.details).toHaveLength(50);
    expect((await admin('GET', path)).body).toEqual(before);
  });

  test('a clock that would be before 1970 starts there', async () => {
    const stage = testSachet().control.sandbox('stage');
    const clock = { now: 0, at: 253_402_300_799_999, rate: 1_000_000, frozen: false };
    await stage.state.put({ ...(await stage.state.get()), clock });
    expect((await stage.clock.get()).now).toBe('1970-01-01T00:00:00.000Z');
    expect((await stage.state.get()).exported_at).toBe('1970-01-01T00:00:00.000Z');
  });

  test('an export can be imported after a scenario was removed whose old username another user has by now', async () => {
    const [demo] = (await testSachet().control.sandbox('stage').records.users.list()).users;
    const rename = scenariosOf({ rename: { data: { users: [{ id: demo?.id, username: 'renamed' }] } } });
    const stage = testSachet({ scenarios: rename }).control.sandbox('stage');
    await stage.scenarios.apply('rename');
    await stage.records.users.create({ ...demo, id: undefined, username: 'demo' } as never);
    await stage.scenarios.take_back('rename');
    const names = (await stage.records.users.list()).users.map(({ username }) => username);
    expect(new Set(names).size).toBe(names.length);
    await stage.state.put(await stage.state.get());
  });
});
