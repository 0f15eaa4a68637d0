// State documents over HTTP: a state that the service makes can be imported; an invalid document is rejected whole with the place of each error.
import { expect, test } from 'vitest';
import type { StateDocument } from '../../../src/contract/control/state.ts';
import { controlled } from '../../support/control.ts';
import { fulfillmentId, unknownId } from '../../support/order-requests.ts';
import { fixtures, testSachet } from '../../support/sachet.ts';
import { scenariosOf } from '../../support/scenarios.ts';

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
  [
    () => ({ scenarios: layers('one', 'one') }),
    'scenarios[1].name',
    /^found "one", expected a scenario that is not listed/,
  ],
];

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
